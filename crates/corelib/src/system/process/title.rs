//! The title of the process (`$0=`, `Process.setproctitle`), as `ps` shows it.

/// Shows `title` as the name of the main thread and as the command line, as far as the memory of the original command line
/// reaches (proc(5): /proc/PID/cmdline and fields 48 and 49 of /proc/PID/stat).
pub fn set(title: &[u8]) {
    let text: Vec<u8> = title.iter().copied().filter(|byte| *byte != 0).collect();
    let mut name = text.clone();
    name.truncate(15);
    name.push(0);
    // SAFETY: the name is a C string.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr(), 0, 0, 0) };
    let Some((start, end)) = command_line() else { return };
    let room = end - start;
    // SAFETY: the kernel put the words of the command line there, writable and for the life of the process. The standard library
    // reads them in `std::env::args` only, which the command does before any program runs.
    unsafe {
        let area = start as *mut u8;
        area.write_bytes(0, room);
        area.copy_from_nonoverlapping(text.as_ptr(), text.len().min(room - 1));
    }
}

/// Where the words of the command line lie.
fn command_line() -> Option<(usize, usize)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses that may hold anything.
    let mut fields = stat.get(stat.rfind(')')? + 2..)?.split_ascii_whitespace();
    let start: usize = fields.nth(48 - 3)?.parse().ok()?;
    let end: usize = fields.next()?.parse().ok()?;
    (start != 0 && end > start).then_some((start, end))
}
