// Reductions for the tests of package llvm. Each takes an array, its length and a number. The results of all that are
// answered are compared with those of compiled code.
#include <stdint.h>
typedef int8_t i8; typedef uint8_t u8; typedef uint16_t u16; typedef int32_t i32; typedef uint32_t u32; typedef int64_t i64; typedef uint64_t u64; typedef float f32; typedef double f64;
#define K(name, ELEM, RET) RET name(const ELEM *a, int n, ELEM k)

K(sum, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
K(sum_unsigned, u32, u32) { u32 s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
K(sum_wide, i32, i64) { i64 s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
K(sum_bytes, u8, u32) { u32 s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
K(sum_if, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) if (a[i] > k) s += a[i]; return s; }
K(sum_else, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) if (a[i] > k) s += a[i]; else s -= 2 * a[i]; return s; }
K(sum_of_squares, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) s += a[i] * a[i]; return s; }
K(sum_of_absolutes, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) s += a[i] < 0 ? -a[i] : a[i]; return s; }
K(sum_of_switch, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) switch (a[i]) { case 1: s += 3; break; case 2: s -= 1; break; case 7: s += k; break; default: s += 2; } return s; }
K(sum_of_strides, i32, i32) { i32 s = 0; for (int i = 0; i < n; i += 3) s += a[i]; return s; }
K(sum_backwards, i32, i32) { i32 s = 0; for (int i = n - 1; i >= 0; i--) s += a[i]; return s; }
K(sum_of_indices, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) if (a[i] == k) s += i; return s; }
K(product, i32, i32) { i32 s = 1; for (int i = 0; i < n; i++) s *= a[i]; return s; }
K(count, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) if (a[i] == k) s++; return s; }
K(any, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) s |= a[i] == k; return s; }
K(all, i32, i32) { i32 s = 1; for (int i = 0; i < n; i++) s &= a[i] > k; return s; }
K(xor_bytes, u8, u8) { u8 s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }
K(or_shifted, u32, u32) { u32 s = 0; for (int i = 0; i < n; i++) s |= 1u << (a[i] & 31); return s; }
K(maximum, i32, i32) { i32 s = -2147483647 - 1; for (int i = 0; i < n; i++) if (a[i] > s) s = a[i]; return s; }
K(minimum_unsigned, u32, u32) { u32 s = ~0u; for (int i = 0; i < n; i++) if (a[i] < s) s = a[i]; return s; }
K(maximum_if, i32, i32) { i32 s = -1000; for (int i = 0; i < n; i++) if (a[i] < k && a[i] > s) s = a[i]; return s; }
K(maximum_place, i32, i32) { i32 s = -1000, at = -1; for (int i = 0; i < n; i++) if (a[i] > s) { s = a[i]; at = i; } return at; }
K(last_place, i32, i32) { i32 at = -1; for (int i = 0; i < n; i++) if (a[i] == k) at = i; return at; }
K(second_least, i32, i32) { i32 m = 2147483647, s = 2147483647; for (int i = 0; i < n; i++) { if (a[i] < m) { s = m; m = a[i]; } else if (a[i] < s) s = a[i]; } return s; }
K(best_segment, i32, i32) { i32 c = 0, b = 0; for (int i = 0; i < n; i++) { c += a[i]; if (c < 0) c = 0; if (c > b) b = c; } return b; }
K(clamped, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) { s += a[i]; if (s > 50) s = 50; if (s < -50) s = -50; } return s; }
K(reset, i32, i32) { i32 s = 0; for (int i = 0; i < n; i++) { if (a[i] == k) s = 0; else s += a[i]; } return s; }
K(hash, u8, u32) { u32 s = 5381; for (int i = 0; i < n; i++) s = s * 33 + a[i]; return s; }
K(hash_fnv, u8, u32) { u32 s = 2166136261u; for (int i = 0; i < n; i++) s = (s ^ a[i]) * 16777619u; return s; }
K(rotated, u32, u32) { u32 s = 0; for (int i = 0; i < n; i++) s = (s << 5 | s >> 27) ^ a[i]; return s; }
K(crc_bit, u8, u32) { u32 s = ~0u; for (int i = 0; i < n; i++) { s ^= a[i]; s = s & 1 ? s >> 1 ^ 0xEDB88320u : s >> 1; } return s; }
K(words, u8, i64) { i64 s = 0; int in = 0; for (int i = 0; i < n; i++) { if (a[i] == 0) in = 0; else if (!in) { in = 1; s++; } } return s; }
K(alternating, i32, i32) { i32 s = 0, plus = 1; for (int i = 0; i < n; i++) { s += plus ? a[i] : -a[i]; plus = !plus; } return s; }
K(changes, i32, i32) { i32 s = 0, last = 0; for (int i = 0; i < n; i++) { if (a[i] != last) s++; last = a[i]; } return s; }
K(horner, u32, u32) { u32 s = 0; for (int i = 0; i < n; i++) s = s * k + a[i]; return s; }
K(modulo, u32, u32) { u32 s = 0; for (int i = 0; i < n; i++) s = (s + a[i] % 7) % 7; return s; }
K(sum_float, f32, f32) { f32 s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
K(sum_double_if, f64, f64) { f64 s = 0; for (int i = 0; i < n; i++) if (a[i] > k) s += a[i]; return s; }
K(dot_float, f32, f32) { f32 s = 0; for (int i = 0; i < n; i++) s += a[i] * k; return s; }
K(maximum_float, f32, f32) { f32 s = -1000; for (int i = 0; i < n; i++) if (a[i] > s) s = a[i]; return s; }
K(count_double, f64, i32) { i32 s = 0; for (int i = 0; i < n; i++) if (a[i] > k) s++; return s; }
K(until, i32, i32) { i32 s = 0; for (int i = 0; i < n && a[i] != k; i++) s += a[i]; return s; }
K(first_place, i32, i32) { for (int i = 0; i < n; i++) if (a[i] == k) return i; return -1; }
K(until_sum, i32, i32) { i32 s = 0; for (int i = 0; i < n && s < 100; i++) s += a[i]; return s; }
K(divided, i32, i32) { i32 s = 1000; for (int i = 0; i < n; i++) if (a[i]) s /= a[i]; return s; }
K(logistic, u32, u32) { u32 s = k; for (int i = 0; i < n; i++) s = s * (1000 - s) + a[i]; return s; }
