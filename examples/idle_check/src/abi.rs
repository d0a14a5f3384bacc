//! The boundary (cloudai/abi/*.h) in Rust: what a workload needs of it, the one exported symbol and the manifest's note.

use std::ffi::c_void;

pub type Status = i32;
pub const OK: Status = 0;
pub const INVALID_DOCUMENT: Status = 2;
pub const INTERNAL: Status = 7;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    pub data: *const u8,
    pub size: usize,
}

#[repr(C)]
pub struct Sink {
    context: *mut c_void,
    write: extern "C" fn(*mut c_void, Str),
}

pub type Call = extern "C" fn(*mut c_void, Str, *const Sink) -> Status;

#[repr(C)]
pub struct Workload {
    pub struct_size: u32,
    pub requirements: Call,
    pub plan: Call,
    pub evaluate: Call,
}

#[repr(C)]
pub struct Entry {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor_required: u16,
    pub manifest: Str,
    pub init: extern "C" fn(*const c_void, *const Sink) -> Status,
    pub deinit: extern "C" fn(),
    pub get_interface: extern "C" fn(Str) -> *const c_void,
}
// The pointers lead to constants.
unsafe impl Sync for Entry {}

pub const MANIFEST_SIZE: usize = include_bytes!("../manifest.json").len();

/// The ELF note from which the manifest is read without running a line of the module.
#[repr(C, align(4))]
pub struct Note {
    owner_size: u32,
    manifest_size: u32,
    kind: u32,
    owner: [u8; 8],
    pub manifest: [u8; MANIFEST_SIZE],
}

#[used]
#[link_section = ".note.cloudai"]
pub static NOTE: Note = Note {
    owner_size: 8,
    manifest_size: MANIFEST_SIZE as u32,
    kind: 1,
    owner: *b"CloudAI\0",
    manifest: *include_bytes!("../manifest.json"),
};

/// Answers a call with what `body` makes of the request. A refusal is a status and a message; a panic stays in here.
pub fn answer(
    request: Str,
    reply: *const Sink,
    body: fn(&str) -> Result<String, String>,
) -> Status {
    let outcome = std::panic::catch_unwind(|| {
        let bytes: &[u8] = if request.size == 0 {
            &[]
        } else {
            unsafe { std::slice::from_raw_parts(request.data, request.size) }
        };
        body(std::str::from_utf8(bytes).map_err(|_| "The request is not UTF-8.".to_string())?)
    });
    let (status, text) = match outcome {
        Ok(Ok(document)) => (OK, document),
        Ok(Err(message)) => (INVALID_DOCUMENT, format!("{{\"message\": {}}}", quoted(&message))),
        Err(_) => (INTERNAL, "{\"message\": \"The module panicked.\"}".to_string()),
    };
    let sink = unsafe { &*reply };
    (sink.write)(sink.context, Str { data: text.as_ptr(), size: text.len() });
    status
}

/// A text as JSON.
pub fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            c if (c as u32) < 0x20 => json.push_str(&format!("\\u{:04x}", c as u32)),
            c => json.push(c),
        }
    }
    json + "\""
}
