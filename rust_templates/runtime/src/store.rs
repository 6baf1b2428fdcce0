//! Machine code that need not be made: prebuilt for known launches, or kept on disk from an earlier process.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use serde_json::Value as Json;

use crate::codes::{Code, Failure, Result, fail};

/// A folder that `cutile2rs convert --prebuild` filled.
struct Prebuilt {
    folder: PathBuf,
    /// Digest of each module's text that the cubins were made of.
    modules: HashMap<String, String>,
    /// Key of a request to file name.
    cubins: HashMap<String, String>,
}

static PREBUILT: RwLock<Option<Arc<Prebuilt>>> = RwLock::new(None);

/// Takes prebuilt cubins from a folder from now on.
pub fn set_prebuilt(folder: &Path) -> Result<()> {
    let read = read_index(folder)?;
    *PREBUILT.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(read));
    Ok(())
}

fn read_index(folder: &Path) -> Result<Prebuilt> {
    let path = folder.join("index.json");
    let bad = |why: String| Failure::new(Code::BadPrebuilt, format!("{}: {why}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| bad(error.to_string()))?;
    let json: Json = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    let table = |name: &str| {
        let rows = json[name].as_object()?.iter();
        rows.map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect::<Option<HashMap<_, _>>>()
    };
    let damaged = || bad("it is no index of prebuilt cubins".to_owned());
    Ok(Prebuilt {
        folder: folder.to_owned(),
        modules: table("modules").ok_or_else(damaged)?,
        cubins: table("cubins").ok_or_else(damaged)?,
    })
}

/// The prebuilt cubin of a request, if there is one and it was made of this very text.
pub fn prebuilt(module: &str, digest: &str, key: &str) -> Result<Option<Vec<u8>>> {
    static FROM_ENVIRONMENT: OnceLock<Result<()>> = OnceLock::new();
    FROM_ENVIRONMENT
        .get_or_init(|| match env::var_os("CUTILE2RS_PREBUILT") {
            Some(folder) => set_prebuilt(Path::new(&folder)),
            None => Ok(()),
        })
        .clone()?;
    let Some(index) = PREBUILT.read().unwrap_or_else(PoisonError::into_inner).clone() else {
        return Ok(None);
    };
    let Some(file) = index.cubins.get(key).filter(|_| index.modules.get(module).is_some_and(|made| made == digest)) else {
        return Ok(None);
    };
    let path = index.folder.join(file);
    match fs::read(&path) {
        Ok(cubin) if is_cubin(&cubin) => Ok(Some(cubin)),
        Ok(_) => fail(Code::BadPrebuilt, format!("{} is no cubin", path.display())),
        Err(error) => fail(Code::BadPrebuilt, format!("{}: {error}", path.display())),
    }
}

/// Cubins of earlier processes: in the folder that CUTILE2RS_CACHE names, else in the user's cache; nowhere if it is empty.
fn folder() -> Option<PathBuf> {
    let own = |root: PathBuf| root.join("cutile2rs");
    match env::var_os("CUTILE2RS_CACHE") {
        Some(named) => (!named.is_empty()).then(|| PathBuf::from(named)),
        None => env::var_os("XDG_CACHE_HOME")
            .map(|root| own(PathBuf::from(root)))
            .or_else(|| env::var_os("HOME").map(|home| own(Path::new(&home).join(".cache")))),
    }
}

fn path(key: &str) -> Option<PathBuf> {
    Some(folder()?.join(format!("{key}.cubin")))
}

/// What an earlier process kept under a key.
pub fn kept(key: &str) -> Option<Vec<u8>> {
    fs::read(path(key)?).ok().filter(|cubin| is_cubin(cubin))
}

/// Keeps a cubin for later processes; where that cannot be, it is made again then.
pub fn keep(key: &str, cubin: &[u8]) {
    let Some(path) = path(key) else { return };
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    let written = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(&partial, cubin))
        .and_then(|()| fs::rename(&partial, &path));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
}

fn is_cubin(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// A file name for everything that decides a cubin.
pub fn key(parts: &[&str]) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
