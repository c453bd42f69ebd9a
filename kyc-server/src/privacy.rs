//! What this process keeps to its user, whatever the shell would allow (T6, T23, T34).

use std::io;

use rustix::fs::Mode;
use rustix::process::{
    DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit, umask,
};

/// Makes new files and folders their owner's alone, also those that libraries make.
pub(crate) fn keep_files_private() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// The memory of this process holds documents and keys, so it must not end in a file, and no other
/// process of the same user may read it or the environment.
pub(crate) fn keep_memory_private() -> io::Result<()> {
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}
