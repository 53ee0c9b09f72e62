//! The title of the process (`$0=`, `Process.setproctitle`), as `ps` shows it.

/// Shows `title` as the name of the main thread.
pub fn set(title: &[u8]) {
    let mut name = title.to_vec();
    name.truncate(15);
    name.retain(|b| *b != 0);
    name.push(0);
    // SAFETY: the name is a C string.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr(), 0, 0, 0) };
}
