//! The workload IdleCheck: reads the load average of a node and passes if it is low. With the standard library alone.

mod abi;
mod json;

use abi::{answer, quoted, Entry, Sink, Status, Str, Workload};
use json::Json;
use std::ffi::c_void;

fn requirements_of(request: &str) -> Result<String, String> {
    Json::parse(request)?.text(&["schema"])?;
    Ok(r#"{"schema": "cloudai.requirements/1", "items": []}"#.to_string())
}

fn plan_of(request: &str) -> Result<String, String> {
    Json::parse(request)?.number(&["test", "cmd_args", "max_load"])?;
    Ok(r#"{"schema": "cloudai.plan/1",
           "steps": [{"name": "main", "command": {"argv": ["cat", "/proc/loadavg"]}}]}"#
        .to_string())
}

fn failed(code: &str, text: &str) -> String {
    format!(
        r#"{{"schema": "cloudai.outcome/1", "verdict": "failed",
            "reason": {{"code": "{}", "text": {}, "evidence": [{{"path": "stdout.txt"}}]}}}}"#,
        code,
        quoted(text)
    )
}

fn outcome_of(request: &str) -> Result<String, String> {
    let request = Json::parse(request)?;
    let max_load = request.number(&["test", "cmd_args", "max_load"])?;
    let output = request.text(&["stage", "directory"])?.to_string() + "/stdout.txt";
    if request.text(&["result", "state"])? != "ended" {
        return Ok(failed("incomplete_output", "the stage did not run to its end"));
    }
    let output = std::fs::read(output).unwrap_or_default();
    let output = String::from_utf8_lossy(&output);
    let first = output.split_whitespace().next().unwrap_or("");
    let load = match first.parse::<f64>() {
        Ok(load) if load.is_finite() => load,
        _ => return Ok(failed("no_measurement", "the output does not begin with a load average")),
    };
    if load > max_load {
        let text = format!("the load average is {}; idle is at most {}", load, max_load);
        return Ok(failed("test_failure", &text));
    }
    Ok(format!(
        r#"{{"schema": "cloudai.outcome/1", "verdict": "passed",
            "metrics": [{{"name": "load", "value": {}, "unit": "1", "better": "lower", "headline": true}}]}}"#,
        load
    ))
}

extern "C" fn requirements(_: *mut c_void, request: Str, reply: *const Sink) -> Status {
    answer(request, reply, requirements_of)
}

extern "C" fn plan(_: *mut c_void, request: Str, reply: *const Sink) -> Status {
    answer(request, reply, plan_of)
}

extern "C" fn evaluate(_: *mut c_void, request: Str, reply: *const Sink) -> Status {
    answer(request, reply, outcome_of)
}

static WORKLOAD: Workload = Workload {
    struct_size: std::mem::size_of::<Workload>() as u32,
    requirements,
    plan,
    evaluate,
};

extern "C" fn init(_host: *const c_void, _reply: *const Sink) -> Status {
    abi::OK
}

extern "C" fn deinit() {}

extern "C" fn get_interface(id: Str) -> *const c_void {
    let id = unsafe { std::slice::from_raw_parts(id.data, id.size) };
    if id == b"cloudai.workload/1" {
        &WORKLOAD as *const Workload as *const c_void
    } else {
        std::ptr::null()
    }
}

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static cloudai_module_entry_v0: Entry = Entry {
    struct_size: std::mem::size_of::<Entry>() as u32,
    abi_major: 0,
    abi_minor_required: 0,
    manifest: Str { data: &abi::NOTE.manifest as *const _ as *const u8, size: abi::MANIFEST_SIZE },
    init,
    deinit,
    get_interface,
};
