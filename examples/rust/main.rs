//! Asks librfactor whether operators may be handed to rayon's reduce.
use std::ffi::{c_char, c_int, CStr};

#[link(name = "rfactor")]
extern "C" {
    fn rfactor_abi_version() -> c_int;
    fn rfactor_check(request: *const c_char, n: usize, token: u64, answer: *mut *mut c_char, answer_n: *mut usize) -> c_int;
    fn rfactor_free(answer: *mut c_char);
}

/// Returns the JSON of what is known of an operator, or the error.
fn check(request: &str) -> Result<String, String> {
    let (mut answer, mut n) = (std::ptr::null_mut(), 0);
    let code = unsafe { rfactor_check(request.as_ptr().cast(), request.len(), 0, &mut answer, &mut n) };
    let text = unsafe { CStr::from_ptr(answer) }.to_string_lossy().into_owned();
    unsafe { rfactor_free(answer) };
    if code == 0 { Ok(text) } else { Err(text) }
}

fn main() {
    assert_eq!(unsafe { rfactor_abi_version() }, 1, "a library of another version");
    for operator in ["x + y", "x - y", "x +"] {
        let request = format!(r#"{{"types":"x:i32,y:i32","operator":"{operator}"}}"#);
        match check(&request) {
            Ok(report) => println!("{operator}: {}", if report.contains(r#""associative":{"holds":"yes""#) { "associative" } else { "not associative" }),
            Err(_) => println!("{operator}: no operator"),
        }
    }
}
