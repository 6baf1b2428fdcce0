//! The Tile IR assembler: where it is, how old it is, and running it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cutile_ir::bytecode::BytecodeVersion;

use crate::codes::{Code, Failure, Result, fail};

const INSTALL: &str = "install it with `pip install 'cuda-tile[tileiras]'`, or a CUDA toolkit of 13.3 or newer, or name it in \
                       CUTILE2RS_TILEIRAS";

/// The newest Tile IR that cuTile Python 1.7 writes, and so the newest asked for.
pub const NEWEST_BYTECODE: BytecodeVersion = BytecodeVersion::V13_4;

/// An assembler that was found and asked for its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembler {
    pub path: PathBuf,
    /// All that it says of its version, as one line.
    pub version: String,
    pub bytecode: BytecodeVersion,
}

static HOSTS: Mutex<Option<PathBuf>> = Mutex::new(None);
static FOUND: Mutex<Option<Assembler>> = Mutex::new(None);

/// Tells of an assembler that the host program knows: Python's package, for one. The environment's word goes first.
pub fn set_hosts(path: PathBuf) {
    *HOSTS.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
    *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Whether the environment or the host program has named an assembler.
pub fn is_named() -> bool {
    env::var_os("CUTILE2RS_TILEIRAS").is_some() || HOSTS.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// The assembler. What was found stays; what was missing is looked for again.
pub fn find() -> Result<Assembler> {
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if found.is_none() {
        *found = Some(locate().and_then(probe)?);
    }
    found.clone().ok_or_else(|| Failure::new(Code::TileirasMissing, INSTALL))
}

fn locate() -> Result<PathBuf> {
    if let Some(named) = env::var_os("CUTILE2RS_TILEIRAS") {
        let path = PathBuf::from(named);
        if path.is_file() {
            return Ok(path);
        }
        let text = format!("CUTILE2RS_TILEIRAS names {}, which is no file; {INSTALL}", path.display());
        return fail(Code::TileirasMissing, text);
    }
    let hosts = HOSTS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let name = format!("tileiras{}", env::consts::EXE_SUFFIX);
    let found = hosts.into_iter().chain(folders().into_iter().map(|folder| folder.join(&name))).find(|path| path.is_file());
    found.ok_or_else(|| {
        Failure::new(Code::TileirasMissing, format!("the Tile IR assembler tileiras was not found: {INSTALL}"))
    })
}

/// Where it may be, in the order of looking.
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    folders
        .extend(["CUDA_TOOLKIT_PATH", "CUDA_HOME"].iter().filter_map(env::var_os).map(|root| Path::new(&root).join("bin")));
    if let Some(path) = env::var_os("PATH") {
        folders.extend(env::split_paths(&path));
    }
    if let Some(root) = env::var_os("VIRTUAL_ENV") {
        let pythons = fs::read_dir(Path::new(&root).join("lib")).into_iter().flatten().flatten();
        folders.extend(pythons.map(|python| python.path().join("site-packages/nvidia/cu13/bin")));
    }
    folders.push(PathBuf::from("/usr/local/cuda/bin"));
    folders
}

fn probe(path: PathBuf) -> Result<Assembler> {
    let text = match Command::new(&path).arg("--version").stdin(Stdio::null()).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        Err(error) => return fail(Code::TileirasMissing, format!("{} does not run: {error}; {INSTALL}", path.display())),
    };
    let Some(release) = release(&text) else {
        return fail(Code::TileirasTooOld, format!("{} does not say its version; {INSTALL}", path.display()));
    };
    let pair = |version: &BytecodeVersion| (u32::from(version.major), u32::from(version.minor));
    let wanted = release.min(pair(&NEWEST_BYTECODE));
    let Some(bytecode) = BytecodeVersion::SUPPORTED.into_iter().find(|version| pair(version) == wanted) else {
        let (major, minor) = release;
        let text = format!("{} is of release {major}.{minor}, which is too old: {INSTALL}", path.display());
        return fail(Code::TileirasTooOld, text);
    };
    Ok(Assembler { path, version: text.split_whitespace().collect::<Vec<_>>().join(" "), bytecode })
}

/// "... release 13.4, V13.4.92" is (13, 4).
fn release(text: &str) -> Option<(u32, u32)> {
    let number = text.split("release ").nth(1)?.split([',', '\n', ' ']).next()?;
    let (major, minor) = number.trim().split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Machine code of Tile IR bytecode, for one target (`sm_90`) at one level.
pub fn assemble(assembler: &Assembler, bytecode: &[u8], target: &str, opt_level: i32) -> Result<Vec<u8>> {
    let folder = Folder::new()?;
    let (input, output) = (folder.0.join("kernel.tileirbc"), folder.0.join("kernel.cubin"));
    let ran = fs::write(&input, bytecode).and_then(|()| {
        Command::new(&assembler.path)
            .args([OsStr::new("--gpu-name"), OsStr::new(target), OsStr::new(&format!("-O{opt_level}")), OsStr::new("-o")])
            .args([&output, &input])
            .stdin(Stdio::null())
            .output()
    });
    let ran = ran.map_err(|error| {
        Failure::new(Code::AssembleFailed, format!("{} could not be run: {error}", assembler.path.display()))
    })?;
    if ran.status.success()
        && let Ok(cubin) = fs::read(&output)
    {
        return Ok(cubin);
    }
    let said = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
    if said.contains("gpu-name option") {
        let text = format!(
            "{} ({}) does not know {target}: a newer one may; {INSTALL}",
            assembler.path.display(),
            assembler.version
        );
        return fail(Code::UnsupportedGpu, text);
    }
    fail(Code::AssembleFailed, format!("tileiras ({}) failed for {target}: {said}", assembler.version))
}

/// A folder of this run's own, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("cutile2rs-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        match fs::create_dir_all(&path) {
            Ok(()) => Ok(Self(path)),
            Err(error) => fail(Code::AssembleFailed, format!("no folder for the assembler's files: {error}")),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_read_from_what_it_says() {
        assert_eq!(release("Cuda compilation tools, release 13.4, V13.4.92\n"), Some((13, 4)));
        assert_eq!(release("release 12.9"), Some((12, 9)));
        assert_eq!(release("no version"), None);
    }
}
