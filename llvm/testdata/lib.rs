//! Reductions for the tests of package llvm, of iterators and closures.
#[no_mangle] pub fn sum(a: &[i32]) -> i32 { a.iter().fold(0i32, |s, x| s.wrapping_add(*x)) }
#[no_mangle] pub fn greatest(a: &[i32]) -> i32 { a.iter().fold(i32::MIN, |s, &x| s.max(x)) }
#[no_mangle] pub fn count(a: &[u8], k: u8) -> usize { a.iter().filter(|&&x| x == k).count() }
#[no_mangle] pub fn sum_float(a: &[f64]) -> f64 { let mut s = 0.0; for x in a { s += *x; } s }
#[no_mangle] pub fn parity(a: &[bool]) -> bool { a.iter().fold(false, |s, x| s ^ *x) }
#[no_mangle] pub fn saturated(a: &[u8]) -> u8 { a.iter().fold(0u8, |s, x| s.saturating_add(*x)) }
#[no_mangle] pub fn hash(a: &[u8]) -> u32 { a.iter().fold(0u32, |s, x| s.wrapping_mul(31).wrapping_add(*x as u32)) }
#[no_mangle] pub fn least_of(a: (i32, i32), b: (i32, i32)) -> (i32, i32) { if b.0 < a.0 { b } else { a } }
#[no_mangle] pub fn affine(a: (u32, u32), b: (u32, u32)) -> (u32, u32) { (a.0.wrapping_mul(b.0), a.1.wrapping_mul(b.0).wrapping_add(b.1)) }
