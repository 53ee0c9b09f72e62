//! The screen of `rubellite top`: keys, the terminal, and a thread that asks the process while the screen answers keys.
//!
//! The terminal is put back however it ends: by a key, an error, a signal, a panic, or with the process.

mod draw;
mod model;

use super::attach::ask;
use super::command::Wrong;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use model::{Look, Order, Row, Summary};
use ratatui::DefaultTerminal;
use rubellite_vm::complain;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How long a key may wait for the screen.
const KEY_TIME: Duration = Duration::from_millis(50);
/// The first two looks lie so far apart.
const FIRST_DELAY: Duration = Duration::from_millis(200);
const DELAY_MIN: Duration = Duration::from_millis(100);
const DELAY_MAX: Duration = Duration::from_secs(60);
/// A process that has not answered for so long is said not to.
const PATIENCE: Duration = Duration::from_secs(3);
/// A page of rows.
const PAGE: isize = 10;

pub enum Status {
    Runs,
    Paused,
    /// The process exists and does not answer.
    Trouble(String),
}

pub struct Screen {
    pid: u32,
    program: String,
    delay: Duration,
    order: Order,
    rows: Vec<Row>,
    summary: Summary,
    /// The number of the chosen thread: it stays chosen wherever its row goes.
    thread: Option<u64>,
    stack: Option<(u64, Vec<String>)>,
    help: bool,
    status: Status,
    looks: (Look, Look),
}

/// Why the screen ends.
enum End {
    Key,
    Signal(usize),
    Gone,
    Failed(String),
}

enum Question {
    Look,
    Stack(u64),
}

enum Answer {
    Look(Result<Vec<u8>, String>),
    Stack(u64, Vec<String>),
}

/// Shows process `pid` until the user has enough; the exit status.
pub fn run(pid: u32, delay: Duration) -> Result<i32, Wrong> {
    // A process that cannot be looked at is known before the terminal changes.
    let first = ask(pid, "look")?;
    let first = model::parse(&String::from_utf8_lossy(&first))
        .ok_or_else(|| Wrong::Failed(format!("process {pid} is of another version")))?;
    let signal = Arc::new(AtomicUsize::new(0));
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize)?;
    }
    let mut terminal = ratatui::try_init()?;
    let end = Screen::new(pid, delay, first).show(&mut terminal, &signal);
    ratatui::restore();
    match end? {
        End::Key => Ok(0),
        End::Signal(number) => Ok(128 + number as i32),
        End::Gone => {
            complain!("rubellite top: process {pid} has ended");
            Ok(0)
        }
        End::Failed(reason) => {
            complain!("rubellite top: {reason}");
            Ok(1)
        }
    }
}

/// Asks the process, one question after the other, until nobody wants to know.
fn asker(pid: u32, questions: Receiver<Question>, answers: Sender<Answer>) {
    for question in questions {
        let answer = match question {
            Question::Look => Answer::Look(ask(pid, "look").map_err(|wrong| match wrong {
                Wrong::Failed(reason) | Wrong::Words(reason) => reason,
                Wrong::Help => String::new(),
            })),
            Question::Stack(number) => {
                let lines = ask(pid, &format!("stack {number}")).unwrap_or_default();
                Answer::Stack(number, String::from_utf8_lossy(&lines).lines().map(str::to_string).collect())
            }
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// Whether it lives. One that has ended and that its parent has not asked for does not.
fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

impl Screen {
    fn new(pid: u32, delay: Duration, first: Look) -> Screen {
        let rows = model::rows(&first, &first);
        let summary = model::summary(&first, &first, &rows);
        let mut screen = Screen {
            pid,
            program: first.program.clone(),
            delay,
            order: Order::Lock,
            rows,
            summary,
            thread: None,
            stack: None,
            help: false,
            status: Status::Runs,
            looks: (first.clone(), first),
        };
        model::sort(&mut screen.rows, screen.order);
        screen
    }

    fn show(&mut self, terminal: &mut DefaultTerminal, signal: &AtomicUsize) -> std::io::Result<End> {
        let (questions, asked) = channel();
        let (answered, answers) = channel();
        let pid = self.pid;
        // It may wait for an answer when the screen ends: nobody waits for it.
        std::thread::Builder::new().name("asker".into()).spawn(move || asker(pid, asked, answered))?;
        let mut due = Instant::now() + FIRST_DELAY.min(self.delay);
        let (mut waits, mut drawn, mut asked_at) = (false, false, Instant::now());
        loop {
            match signal.load(Relaxed) {
                0 => {}
                number => return Ok(End::Signal(number)),
            }
            for answer in answers.try_iter() {
                drawn = false;
                match answer {
                    Answer::Look(answer) => {
                        waits = false;
                        due = Instant::now() + self.delay;
                        if let Some(end) = self.take(answer) {
                            return Ok(end);
                        }
                        self.ask_stack(&questions);
                    }
                    Answer::Stack(number, lines) => {
                        if self.stack.as_ref().is_some_and(|(shown, _)| *shown == number) {
                            self.stack = Some((number, lines));
                        }
                    }
                }
            }
            if !waits && !matches!(self.status, Status::Paused) && Instant::now() >= due {
                waits = questions.send(Question::Look).is_ok();
                asked_at = Instant::now();
            }
            if waits && asked_at.elapsed() >= PATIENCE && matches!(self.status, Status::Runs) {
                self.status = Status::Trouble(format!("process {pid} does not answer"));
                drawn = false;
            }
            if !drawn {
                terminal.draw(|frame| draw::draw(frame, self))?;
                drawn = true;
            }
            if event::poll(KEY_TIME)? {
                drawn = false;
                if let Event::Key(key) = event::read()?
                    && key.kind != KeyEventKind::Release
                    && !self.key(key, &questions, &mut due)
                {
                    return Ok(End::Key);
                }
            }
        }
    }

    /// The process has answered, or has not.
    fn take(&mut self, answer: Result<Vec<u8>, String>) -> Option<End> {
        let look = match answer {
            Ok(text) => model::parse(&String::from_utf8_lossy(&text)),
            Err(_) if !lives(self.pid) => return Some(End::Gone),
            Err(reason) if ["does not answer", "has ended", "is stopped"].iter().any(|end| reason.ends_with(end)) => {
                self.status = Status::Trouble(reason);
                return None;
            }
            Err(reason) => return Some(End::Failed(reason)),
        };
        let Some(look) = look else { return Some(End::Failed(format!("process {} gives no sense", self.pid))) };
        if matches!(self.status, Status::Trouble(_)) {
            self.status = Status::Runs;
        }
        self.looks = (std::mem::replace(&mut self.looks.1, look.clone()), look);
        self.rows = model::rows(&self.looks.0, &self.looks.1);
        self.summary = model::summary(&self.looks.0, &self.looks.1, &self.rows);
        model::sort(&mut self.rows, self.order);
        None
    }

    fn ask_stack(&self, questions: &Sender<Question>) {
        if let Some((number, _)) = self.stack {
            let _ = questions.send(Question::Stack(number));
        }
    }

    /// The row of the chosen thread.
    fn chosen(&self) -> Option<usize> {
        self.rows.iter().position(|row| Some(row.number) == self.thread)
    }

    /// A key was pressed; false: it is the end.
    fn key(&mut self, key: KeyEvent, questions: &Sender<Question>, due: &mut Instant) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return false,
            KeyCode::Char('q') => return false,
            KeyCode::Esc if self.help => self.help = false,
            KeyCode::Esc if self.stack.is_some() => self.stack = None,
            KeyCode::Esc => return false,
            KeyCode::Char('h' | '?') => self.help = !self.help,
            KeyCode::Char('l') => self.sort(Order::Lock),
            KeyCode::Char('w') => self.sort(Order::Wait),
            KeyCode::Char('n') => self.sort(Order::Name),
            KeyCode::Char('p' | ' ') => {
                self.status = if matches!(self.status, Status::Paused) { Status::Runs } else { Status::Paused };
                *due = Instant::now();
            }
            KeyCode::Char('+') => self.delay = (self.delay * 2).min(DELAY_MAX),
            KeyCode::Char('-') => self.delay = (self.delay / 2).max(DELAY_MIN),
            KeyCode::Down | KeyCode::Char('j') => self.choose(questions, 1),
            KeyCode::Up | KeyCode::Char('k') => self.choose(questions, -1),
            KeyCode::PageDown => self.choose(questions, PAGE),
            KeyCode::PageUp => self.choose(questions, -PAGE),
            KeyCode::Home => self.choose(questions, isize::MIN),
            KeyCode::End => self.choose(questions, isize::MAX),
            KeyCode::Enter if self.stack.is_some() => self.stack = None,
            KeyCode::Enter => {
                if self.chosen().is_none() {
                    self.choose(questions, 0);
                }
                self.stack = self.thread.map(|number| (number, Vec::new()));
                self.ask_stack(questions);
            }
            _ => {}
        }
        true
    }

    fn sort(&mut self, order: Order) {
        self.order = order;
        model::sort(&mut self.rows, order);
    }

    /// Chooses the row so many below the chosen one; an open stack follows.
    fn choose(&mut self, questions: &Sender<Question>, by: isize) {
        let row = match self.chosen() {
            Some(row) => row.saturating_add_signed(by).min(self.rows.len().saturating_sub(1)),
            None if by == isize::MAX => self.rows.len().saturating_sub(1),
            None => 0,
        };
        self.thread = self.rows.get(row).map(|row| row.number);
        if let (Some(_), Some(number)) = (&self.stack, self.thread) {
            self.stack = Some((number, Vec::new()));
            self.ask_stack(questions);
        }
    }
}
