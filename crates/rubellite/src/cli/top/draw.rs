//! The picture that `top` draws.

use super::model::{Order, Row, Summary, short};
use super::{Screen, Status};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Cell, Clear, Paragraph, Row as TableRow, Table, TableState};

const KEYS: &[(&str, &str)] = &[
    ("l w n", "sort by share of the lock, time waited, name"),
    ("up down", "choose a thread (also j k, page up, page down, home, end)"),
    ("enter", "show its stack, or hide it"),
    ("p space", "pause, or go on"),
    ("+ -", "refresh less or more often"),
    ("h ?", "this help"),
    ("q esc", "quit"),
];
/// Columns that a narrow screen leaves out.
const WIDE: u16 = 100;

pub fn draw(frame: &mut Frame, screen: &Screen) {
    let stack_height = if screen.stack.is_some() { frame.area().height / 3 } else { 0 };
    let parts = [
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(stack_height),
        Constraint::Length(1),
    ];
    let [title, sums, table, stack, keys] = Layout::vertical(parts).areas(frame.area());
    draw_title(frame, title, screen);
    frame.render_widget(Paragraph::new(sums_line(&screen.summary, screen.rows.len())), sums);
    draw_table(frame, table, screen);
    if let Some((number, lines)) = &screen.stack {
        let name = screen
            .rows
            .iter()
            .find(|row| row.number == *number)
            .map_or("a thread that has ended", |row| row.name.as_str());
        let block = Block::bordered().title(format!(" stack of {name} ({number}) "));
        let lines: Vec<Line> = lines.iter().map(|line| Line::raw(line.as_str())).collect();
        frame.render_widget(Paragraph::new(lines).block(block), stack);
    }
    let bar = "q quit  l/w/n sort  enter stack  p pause  h help";
    frame.render_widget(Paragraph::new(bar).style(Style::new().add_modifier(Modifier::DIM)), keys);
    if screen.help {
        draw_help(frame);
    }
}

fn draw_title(frame: &mut Frame, area: Rect, screen: &Screen) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut spans = vec![Span::styled(format!("rubellite top  process {}", screen.pid), bold)];
    spans.push(Span::raw(format!("  {}", short(&screen.program))));
    frame.render_widget(Paragraph::new(Line::from(spans)), area);
    let (text, style) = match &screen.status {
        Status::Paused => ("paused".to_string(), Style::new().add_modifier(Modifier::REVERSED)),
        Status::Trouble(reason) => (reason.clone(), Style::new().fg(Color::Red)),
        Status::Runs => {
            (format!("every {:.1} s, by {}", screen.delay.as_secs_f64(), screen.order.said()), Style::new())
        }
    };
    frame.render_widget(Paragraph::new(Line::styled(text, style)).alignment(Alignment::Right), area);
}

fn sums_line(sums: &Summary, threads: usize) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    format!(
        "lock held {}  queue {} (waited {})  threads {threads}  collections {} (+{}, {})  heap {} MB",
        percent(sums.held),
        sums.queue,
        percent(sums.waited),
        sums.collections,
        sums.new_collections,
        percent(sums.collecting),
        sums.heap_bytes >> 20
    )
}

fn draw_table(frame: &mut Frame, area: Rect, screen: &Screen) {
    let wide = area.width >= WIDE;
    let marked =
        |name: &'static str, order: Order| if screen.order == order { format!("{name}*") } else { name.to_string() };
    let mut head = vec![marked("LOCK", Order::Lock), marked("WAITED", Order::Wait)];
    let mut widths = vec![Constraint::Length(7), Constraint::Length(8)];
    if wide {
        head.push("WAITS".into());
        widths.push(Constraint::Length(6));
    }
    head.extend([marked("THREAD", Order::Name), "DOES".into(), "BEHIND".into(), "AT".into()]);
    let names = if wide { 18 } else { 12 };
    widths.extend([
        Constraint::Length(names),
        Constraint::Length(if wide { 21 } else { 18 }),
        Constraint::Length(names.min(14)),
        Constraint::Fill(1),
    ]);
    // Only what fits is made: a process may have thousands of threads.
    let height = usize::from(area.height.saturating_sub(1)).max(1);
    let chosen = screen.chosen();
    let first = chosen.map_or(0, |chosen| (chosen + 1).saturating_sub(height)).min(screen.rows.len().saturating_sub(1));
    let shown = screen.rows.iter().skip(first).take(height).map(|row| table_row(row, wide));
    let header = TableRow::new(head).style(Style::new().add_modifier(Modifier::REVERSED));
    let table =
        Table::new(shown, widths).header(header).row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    let mut state = TableState::default().with_selected(chosen.map(|chosen| chosen - first));
    frame.render_stateful_widget(table, area, &mut state);
}

fn table_row(row: &Row, wide: bool) -> TableRow<'_> {
    let percent = |share: f64, width: usize| format!("{:>width$}", format!("{:.1}%", 100.0 * share));
    let warm = |share: f64, colour: Color| if share >= 0.5 { Style::new().fg(colour) } else { Style::new() };
    let mut cells = vec![
        Cell::new(percent(row.ran, 6)).style(warm(row.ran, Color::Blue)),
        Cell::new(percent(row.waited, 7)).style(warm(row.waited, Color::Red)),
    ];
    if wide {
        cells.push(Cell::new(format!("{:>5}", row.waits)));
    }
    cells.extend([row.name.as_str(), row.doing.as_str(), row.behind.as_str(), short(&row.at)].map(Cell::new));
    TableRow::new(cells)
}

fn draw_help(frame: &mut Frame) {
    let area = frame.area();
    let (width, height) = (72.min(area.width), (KEYS.len() as u16 + 4).min(area.height));
    let place = Rect::new((area.width - width) / 2, (area.height - height) / 2, width, height);
    let mut lines: Vec<Line> = KEYS.iter().map(|(key, meaning)| Line::raw(format!(" {key:9} {meaning}"))).collect();
    lines.push(Line::raw(""));
    lines.push(Line::raw(" LOCK: part of the time it held the lock; BEHIND: who holds it now"));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" keys ")), place);
}
