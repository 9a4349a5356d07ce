package rfactor

import (
	"cmp"
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Updates that no operator on their state equals, and the family of their steps.
func TestLift(t *testing.T) {
	t.Parallel()
	for i, test := range []struct{ types, exprs, assume, via, compose string }{
		{"x0:i32,y0:i32,k0:i32", "x0*k0 + y0", "none", "lift:affine", "x0*y0; x1*y0 + y1"},
		{"x0:f64,y0:f64,k0:f64", "x0*k0 + y0*(1 - k0)", "reassoc", "lift:affine", "x0*y0; x1*y0 + y1"},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0; x1 + x0 + y0", "none", "lift:affine", "x0 + y0; x1 + y1; x2 + (x0*y1 + y2)"},
		{"x0:bool,y0:bool", "!(x0 && y0)", "none", "lift:table", "select(x0, y1, y0); select(x1, y1, y0)"},
		{"x0:u32,y0:u32", "(x0*31 + y0) & 1023", "none", "lift:low bits", "x0*y0; x1*y0 + y1"},
		{"x0:i16,y0:i16", "(y0 - ((x0 & 1023)*5 & 4095)) & 127", "none", "lift:low bits", "x0*y0; x1*y0 + y1"},
		{"x0:i32,y0:i32", "select(y0 == 0, 3, (x0*33 + y0) & 8191)", "none", "lift:low bits", "x0*y0; x1*y0 + y1"},
		{"x0:u8,y0:u8", "select(y0 > 9, (x0*31 + y0) & 15, x0)", "none", "lift:low bits", ""},
		{"x0:u32,x1:u32,y0:u32", "(x0 + y0) & 255; (x1 + ((x0 + y0) & 255)) & 255", "none", "lift:low bits", "x0 + y0; x1 + y1; x2 + (x0*y1 + y2)"},
		{"x0:i32,y0:i32", "max(x0 + y0, 0)", "nsw", "lift:clamp", "x0 + y0; max(x1 + y0, y1)"},
		{"x0:i32,y0:i32,k0:i32,k1:i32", "max(min(x0 + y0, k1), k0)", "nsw", "lift:clamp", "x0 + y0; min(x1 + y0, y1); max(min(x2 + y0, y1), y2)"},
		{"x0:u8,y0:u8,y1:u8", "min(max(x0, y0), y1)", "none", "lift:clamp", "min(x0, y0); max(min(x1, y0), y1)"},
		{"x0:u16,x1:u16,y0:u16", "y0; max(x1, y0*x0)", "none", "lift:last element and clamp", ""},
		{"x0:i32,x1:i32,y0:i32", "max(x0, x1 + y0); max(0, x1 + y0)", "nsw", "lift:max-plus", ""},
		{"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); max(x1, select(y0, x0 + 1, 0))", "nsw", "lift:max-plus", ""},
		{"x0:i32,x1:i32,y0:i32", "y0; x1 + abs(y0 - x0)", "none", "lift:last element and affine", "x0; y1; x2 + abs(y0 - x1) + y2"},
		{"x0:i32,x1:i32,y0:i32", "y0; select(y0 == x0, x1 + 1, 1)", "none", "lift:last element and affine", ""},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "select(x2 < y0, x0 + 1, 0); max(select(x2 < y0, x0 + 1, 0), x1); y0", "nsw", "lift:last element and max-plus", ""},
		{"x0:i32,x1:i32,x2:f64,y0:f64", "select(y0 != x2, 1, x0 + 1); select(x1 < select(x2 == y0, x0 + 1, 1), select(x2 == y0, x0 + 1, 1), x1); y0", "nsw", "lift:last element and max-plus", ""},
		{"x0:i32,x1:i32,y0:i32", "min(x0, y0); max(x1, y0 - x0)", "nsw", "lift:mirrored max-plus", ""},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; max(x1, x0 + y0); max(x2, max(x1, x0 + y0) - (x0 + y0))", "nsw", "lift:max-plus of differences", ""},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "x0 - y0; max(x1, x0 - y0 - x2); min(x2, x0)", "nsw", "lift:max-plus of differences", ""},
		{"x0:i32,x1:i32,x2:i32,y0:i32,y1:i32,y2:i32", "min(x1, x2) + y0; min(x0, x2) + y1; min(x0, x1) + y2", "nsw", "lift:min-plus", ""},
		{"x0:f64,x1:f64,x2:f64,y0:f64", "max(x0, x2 - y0); x0 + y0; max(x2, x1)", "reassoc,nnan,nsz", "lift:max-plus", ""},
		{"x0:i32,x1:i32,x2:i32,x3:i32,y0:i32", "max(x0, -y0); max(x1, x0 + y0); max(x2, x1 - y0); max(x3, x2 + y0)", "nsw", "lift:max-plus", ""},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "y0; x0; x2 + abs(y0 - 2*x0 + x1)", "none", "lift:last two elements and affine", ""},
		{"x0:i32,x1:f32,x2:f32,y0:f32", "x0 + select(x1 > x2 && x1 > y0, 1, 0); y0; x1", "nnan", "lift:last two elements and affine", ""},
		{"x0:i32,x1:i32,x2:bool,y0:i32", "x1; y0; x2 && (y0 == x0 || y0 > x1)", "none", "lift:last two elements and table", ""},
		{"x0:i32,x1:bool,y0:i32,y1:bool", "select(y1, y0, x0); select(y1, x1 && x0 <= y0, x1)", "none", "lift:segments", "x0 || y0; select(y0, y1, x1); select(x0, x2, y2); select(x0 && y0, x3 && y3 && x1 <= y2, x3 && y3)"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "select(y0 == 0, x0, y0); select(y0 != 0, x0, x1); x2 + select(y0 != 0 && y0 < x1, 1, 0)", "none", "lift:segments", ""},
		{"x0:i32,x1:i32,x2:i32,x3:i32,y0:i32,r:i32", "y0; select(y0 == x0, x1 + 1, 1); max(x2, select(y0 == x0, x1 + 1, 1)); select(select(y0 == x0, x1 + 1, 1) > x2, r, x3)", "nsw", "lift:last element and marked", ""},
		{"x0:i32,x1:i32,y0:i32,k0:i32", "min(x0 + y0, k0); x1 + max(x0 + y0 - k0, 0)", "nsw", "lift:max-plus of differences", "x0 + y0; max(x1 + y0, y1); x2 + y2"},
		{"x0:i32,y0:i32", "x0 + min(1, y0 - x0)", "nsw", "lift:clamp", "x0 + y0; min(x1 + y0, y1)"},
		{"x0:f64,y0:f64,k0:f64", "x0 - min(k0, x0 - y0)", "reassoc,nnan,nsz", "lift:clamp", ""},
		{"x0:i32,y0:i32", "min(2*x0, y0)", "nsw", "lift:clamp", "max(x0, 0)*max(y0, 0); min(x1*max(y0, 0), y1)"},
		{"x0:u32,y0:u32,k0:u32", "min(x0*2 + y0, k0)", "nuw", "lift:clamp", "x0*y0; x1*y0 + y1; min(x2*y0 + y1, y2)"},
		{"x0:f64,y0:f64", "max(x0*0.5, y0)", "reassoc,nnan", "lift:clamp", ""},
		{"x0:i32,y0:i32", "select(x0 < 0, y0, x0 + y0)", "nsw", "lift:clamp", ""},
		{"x0:f64,y0:f64,y1:f64", "max(x0*y0, y1)", "reassoc,nnan,nsz", "lift:clamp", ""},
		{"x0:u32,y0:u32,y1:u32", "min(x0*y0, y1)", "nuw", "lift:clamp", "x0*y0; min(x1*y0, y1)"},
		{"x0:i32,x1:bool,y0:i32", "x0 + y0; x1 || x0 + y0 < 0", "nsw", "lift:window", ""},
		{"x0:i64,x1:bool,y0:i64", "x0 - y0; select(x0 - y0 > 100, false, x1)", "nsw", "lift:window", ""},
		{"x0:bool,x1:i32,y0:bool", "x0 && (y0 || !(x1 <= 0)); x1 + select(y0, 1, -1)", "nsw", "lift:window", ""},
		{"x0:f64,x1:i32,y0:f64,r:i32", "max(x0 + y0, 0); select(x0 + y0 > 0, x1, r)", "nsw,reassoc,nnan,nsz", "lift:crossing", ""},
		{"x0:i32,x1:i32,y0:i32,r:i32", "select(x0 > 0, x0 + y0, y0); select(x0 > 0, x1, r)", "nsw", "lift:crossing", ""},
		{"x0:i64,x1:i64,y0:i32", "x0 + i64(y0); (x1 + x0 + i64(y0)) % 11", "nsw", "lift:modular", ""},
		{"x0:i32,y0:i32", "min(-2*x0, y0)", "nsw", "lift:clamp", ""},
		{"x0:i32,y0:i32", "max(y0 - x0, 0)", "nsw", "lift:clamp", ""},
		{"x0:i32,y0:i32,y1:bool", "-select(y1, min(x0 - y0, 9), max(x0, y0))", "nsw", "lift:clamp", ""},
		{"x0:f64,y0:f64", "max(-x0, y0)", "reassoc,nnan,nsz", "lift:clamp", ""},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1 + 1)", "none", "lift:record", "min(x0, y0); select(y0 < x0, y1, x1 + y2); x2 + y2"},
		{"x0:u8,x1:i64,x2:u16,y0:u8,y1:i64,y2:u16,y3:bool", "select(y3 && y0 >= x0, y0, x0); select(y3 && y0 >= x0, y1, x1*3 + 1); select(!y3 || x0 > y0, x2 - y2, y2)", "none", "lift:record", ""},
		{"x0:i64,y0:i64", "(x0*31 + y0) % 1000000007", "nsw", "lift:modular", "x0*y0 % 1000000007; (x1*y0 + y1) % 1000000007"},
		{"x0:u32,x1:u32,y0:u32,k0:u32", "(x0 + x1*y0) % k0; 10*x1 % k0", "nuw", "lift:modular", "x0*y0 % k0; (x2*y1 + x1*y0) % k0; x2*y2 % k0"},
		{"x0:i32,y0:bool", "select(y0, (x0 + 1) % 3, x0)", "nsw", "lift:modular", ""},
		{"x0:u32,y0:u32,k0:u32", "u32((u64(x0)*256 + u64(y0)) % u64(k0))", "none", "lift:modular", "u32(u64(x0)*u64(y0) % u64(k0)); u32((u64(x1)*u64(y0) + u64(y1)) % u64(k0))"},
		{"x0:i32,y0:u8", "i32((i64(x0)*31 + i64(y0)) % 1000000007)", "none", "lift:modular", ""},
		{"x0:u16,y0:u16,k0:u16", "u16((u64(x0)*7 + u64(y0)) % u64(k0))", "none", "lift:modular", ""},
		{"x0:u32,x1:u32,y0:u32", "x0 ^ y0; x1 ^ ~x0", "none", "lift:bitwise", ""},
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 & y0) ^ x1; (x0 | y1) ^ x1", "none", "lift:bitwise", ""},
		{"x0:i8,x1:i8,y0:i8,y1:i8", "(x0 & y0) | x1; (x0 & y1) | (x1 & y0)", "none", "lift:bit planes", ""},
		{"x0:bool,x1:bool,x2:bool,y0:bool", "x1; x2; x0 != y0", "none", "lift:bitwise", ""},
		{"x0:bool,x1:bool,x2:bool,y0:bool,y1:bool", "x1 || (x2 && y0); x2 || y1; x0 && y0", "none", "lift:cases", ""},
		{"x0:u32,y0:u8", "(x0 << 8) | u32(y0)", "none", "lift:affine", "x0*y0; x1*y0 + y1"},
		{"x0:u32,y0:u32", "((x0 << 1) | y0) & 16777215", "none", "lift:cut", ""},
		{"x0:u16,y0:u16", "((x0 << 5) | (x0 >> 11)) ^ y0", "none", "lift:rotated", "(x0 + y0) & 15; ((x1 << (y0 & 15)) | (x1 >> ((0 - y0) & 15))) ^ y1"},
		{"x0:i8,y0:i8", "(x0 << 3) ^ y0", "none", "lift:rotated", ""},
		{"x0:u8,y0:u8,y1:u8", "select(y1 == 3, x0*4 + y0 % 4, x0 / 2)", "none", "lift:rotated", ""},
		{"x0:u8,y0:u8", "x0 ^ (y0 << 1) ^ (x0 << 1)", "none", "lift:xorshift", ""},
		{"x0:u32,y0:u32,y1:bool", "select(y1, x0, ~(x0 ^ (x0 >> 5)) ^ y0)", "none", "lift:xorshift", ""},
		{"x0:i32,x1:bool,y0:i32,k0:i32", "x0 + y0; x1 && (x0 + y0 >= 0) && (x0 < k0)", "nsw", "lift:window", ""},
		{"x0:i32,x1:bool,y0:bool", "x0 + select(y0, 1, -1); x1 && (select(x1, x0 + select(y0, 1, -1), x0) >= 0)", "nsw", "lift:window", ""},
		{"x0:i32,x1:i32,y0:i32,r:i32", "max(0, x0 + y0); select(x0 + y0 < 0, r, x1)", "nsw", "lift:crossing", "x0 + y0; max(x1, y1 + (-x0)); select(x1 < y1 + (-x0), y2, x2)"},
		{"x0:i32,x1:i32,x2:i16,y0:i32,r:i32,y1:i16", "select(x0 + y0 > 9, 9, x0 + y0); select(x0 + y0 < 9, x1, r); select(x0 + y0 >= 9, y1, x2)", "nsw", "lift:crossing", ""},
		{"x0:i8,y0:i8", "saturating_sub(x0, y0)", "none", "lift:saturating", ""},
		{"x0:i32,y0:i32", "i32(max(min(i64(x0) + i64(y0), 2147483647), -2147483648))", "none", "lift:saturating", ""},
		{"x0:i8,y0:i8", "select(y0 > 0 && x0 > 127 - y0, 127, select(y0 < 0 && x0 < -128 - y0, -128, x0 + y0))", "none", "lift:saturating", ""},
		{"x0:i16,y0:i16", "select(((x0 ^ (x0 + y0)) & (y0 ^ (x0 + y0))) < 0, select(x0 < 0, -32768, 32767), x0 + y0)", "none", "lift:saturating", ""},
		{"x0:u8,y0:bool", "select(y0, select(x0 < 3, x0 + 1, 3), select(x0 > 0, x0 - 1, 0))", "none", "lift:saturating", ""},
		{"x0:i8,y0:i8", "i8(max(min(i16(x0) + 2*i16(y0), 127), i16(x0)))", "none", "lift:saturating", ""},
		{"x0:u16,y0:u16,y1:bool", "select(y1, saturating_add(x0, y0), saturating_sub(x0, 3))", "none", "lift:saturating", ""},
		{"x0:i32,y0:bool,k0:i32", "select(y0 && x0 < k0, x0 + 1, x0)", "none", "lift:capped", ""},
		{"x0:u8,y0:bool,y1:bool", "select(y1, 7, x0 - select(y0 && x0 != 3, 1, 0))", "none", "lift:segmented", ""},
		{"x0:i64,y0:bool,k0:i64", "select(y0, select(x0 > k0, x0 - 1, x0), 0)", "nsw", "lift:capped", ""},
		{"x0:i32,x1:i32,x2:i32,y0:bool,r:i32", "select(y0, x0 + 1, 0); max(x1, select(y0, x0 + 1, 0)); select(select(y0, x0 + 1, 0) > x1, r, x2)", "nsw", "lift:marked", ""},
		{"x0:i32,x1:i32,x2:i8,x3:i64,y0:i32,y1:i8,y2:i64", "max(x0, 0) + y0; max(x1, max(x0, 0) + y0); select(max(x0, 0) + y0 >= x1, y1, x2); select(x1 > max(x0, 0) + y0, x3, y2)", "nsw", "lift:marked", ""},
		{"x0:f32,y0:f32", "x0 + 0.1*(y0 - x0)", "reassoc", "lift:affine", ""},
		{"x0:f64,y0:f64", "y0 + 1/x0", "reassoc,nnan,ninf", "lift:fraction", ""},
		{"x0:f64,y0:f64,y1:f64", "(x0*y0 + 1)/(x0 + y1)", "reassoc,nnan,ninf", "lift:fraction", ""},
		{"x0:f64,y0:f64", "x0/(1 + x0*y0)", "reassoc,nnan,ninf", "lift:fraction", "y0 + x0"},
		{"x0:u8,y0:bool", "select(x0 == 0, select(y0, 1, 0), select(x0 == 1, select(y0, 2, 1), select(y0, 0, 2)))", "none", "lift:cases", ""},
		{"x0:i32,y0:bool,y1:i32", "select(x0 != 3, select(y0, 3, x0), y1)", "none", "lift:cases", ""},
		{"x0:f32,y0:f32,y1:bool", "select(y1, y0, max(x0, y0))", "none", "lift:segmented", "x0 || y0; select(y0, y1, max(x1, y1))"},
		{"x0:f32,y0:f32,y1:bool", "select(!y1, x0*y0, 1)", "reassoc", "lift:segmented", "x0 || y0; select(y0, y1, x1*y1)"},
		{"x0:i32,x1:i32,y0:i32,y1:i32,y2:bool", "select(y2, y0, select(y0 < x0, y0, x0)); select(y2 || y0 < x0, y1, x1)", "none", "lift:segmented", ""},
		{"x0:i32,x1:bool,y0:i32", "x0 + select(x1 && (y0 > 0), 1, 0); x1 || (y0 == 0)", "none", "lift:table of affine", ""},
		{"x0:u8,x1:u32,y0:u8", "select(x0 == 0, select(y0 == 47, 1, 0), select(x0 == 1, select(y0 == 42, 2, 0), select(y0 == 42, 3, select(x0 == 3 && y0 == 47, 0, 2)))); x1 + select(x0 == 3 && y0 == 47, 1, 0)", "none", "lift:cases of affine", ""},
		{"x0:f64,x1:f64,x2:u64,y0:f64", "y0; select(y0 < x0, x1 + x0, x1); select(y0 < x0, x2 + 1, x2)", "reassoc", "lift:last element and product", ""},
		{"x0:i32,x1:i32,x2:bool,y0:i32,y1:i32", "x0 + y0; x1 + y1; x2 && x0 + y0 >= 0 && x1 + y1 >= 0", "nsw", "lift:alarm on mirrored max-plus", ""},
		{"x0:i32,x1:i32,x2:bool,y0:i32,k0:i32", "x0 + y0; max(x1, x0 + y0); x2 && max(x1, x0 + y0) - (x0 + y0) <= k0", "nsw", "lift:alarm on max-plus of differences", ""},
		{"x0:i64,x1:bool,y0:i64,y1:i64,k0:i64", "min(x0 + y0, k0) - y1; x1 || min(x0 + y0, k0) < y1", "nsw", "lift:alarm on mirrored max-plus", ""},
		{"x0:f64,x1:bool,y0:f64,k0:f64", "max(x0 + y0, 0); x1 || max(x0 + y0, 0) > k0", "reassoc,nnan", "lift:alarm on max-plus", ""},
		{"x0:f64,x1:bool,y0:f64", "max(x0, y0); x1 || y0 < x0", "nnan,ninf", "lift:watch", "max(x0, y0); min(x1, y1); x2 || (y2 || y1 < x0)"},
		{"x0:u8,x1:bool,y0:u8", "max(x0, y0); x1 && y0 >= x0", "none", "lift:watch", ""},
		{"x0:u64,y0:u64", "(x0 << 8) | y0", "none", "lift:appended", ""},
		{"x0:u64,y0:u64,y1:u64", "(x0 << y1) | y0", "none", "lift:appended", ""},
		{"x0:i32,y0:bool,y1:i32", "select(y0, y1, (x0 << 3) | y1)", "none", "lift:appended", ""},
		{"x0:u16,y0:bool", "x0/2 | select(y0, 32768, 0)", "none", "lift:prepended", ""},
		{"x0:u64,x1:bool,y0:bool,y1:u64", "select(x1 || y0, x0, (x0 << 4) | y1); x1 || y0", "none", "lift:table of appended", ""},
		{"x0:u64,y0:u64", "select(x0 == 0 || y0 < x0, y0, x0)", "none", "lift:sentinel", ""},
		{"x0:i64,y0:bool,y1:i64", "select(y0, x0, select(x0 == 0, y1, select(y1 < x0, y1, x0)))", "none", "lift:sentinel", ""},
		{"x0:i32,y0:i32,k0:i32", "select(x0 != k0, max(x0, y0), y0)", "none", "lift:sentinel", ""},
		{"x0:i64,x1:i64,y0:i64,y1:bool", "select(y1, 0, x0 + y0); x1 + select(y1 && x0 > 10, 1, 0)", "none", "lift:segments", ""},
		{"x0:i32,x1:i32,y0:u8", "select(y0 == 10, 0, x0 + 1); select(y0 == 10, max(x1, x0), x1)", "none", "lift:segments", ""},
		{"x0:i32,x1:bool,y0:i32,y1:bool", "select(y1, y0, max(x0, y0)); x1 || (y1 && x0 > y0)", "none", "lift:segments", ""},
		{"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); x1 + select(y0 && x0 == 2, 1, 0)", "nsw", "lift:segments", ""},
		{"x0:u32,x1:u32,y0:bool", "select(y0, 0, x0 + 1); x1 + select(!y0 && x0 == 2, 1, 0)", "nuw", "lift:phased", ""},
		{"x0:f32,y0:f32", "select(y0 > x0, y0, x0)", "none", "lift:strict", "select(y0 > x0 || x0 != x0, y0, x0)"},
		{"x0:f64,x1:i32,y0:f64,r:i32", "select(x0 >= abs(y0), abs(y0), x0); select(x0 >= abs(y0), r, x1)", "none", "lift:strict", "select(y0 <= x0 || x0 != x0, y0, x0); select(y0 <= x0 || x0 != x0, y1, x1)"},
		{"x0:f64,y0:f64,y1:bool", "select(y1 && y0 > x0, y0, x0)", "none", "lift:masked strict", "select(y0 > x0 || x0 != x0, y0, x0)"},
		{"x0:f64,x1:f64,y0:f64,y1:bool,k0:f64", "select(y1, x1*k0*x0 + (1.0 - x1*k0)*y0, x0); select(y1, 1.0, x1*k0)", "reassoc", "lift:segments", ""},
		{"x0:i32,x1:i32,y0:i32,y1:i32,y2:i32", "select(y0 > 9, y1, x0); select(select(y0 > 9, y1, x0) > 5, y2, x1)", "none", "lift:segments", ""},
		{"x0:f64,x1:f64,y0:f64", "x0 + 0.1*(y0 - x0); 0.9*(x1 + 0.1*(y0 - x0)*(y0 - x0))", "reassoc", "lift:polynomial", ""},
		{"x0:u32,y0:u32", "x0 ^ (x0 << 13) ^ (x0 >> 17) ^ y0", "none", "lift:bit matrix", ""},
		{"x0:i32,y0:i32", "(x0 >> 1) ^ y0", "none", "lift:bit matrix", ""},
		{"x0:u32,x1:u32,y0:u32", "x0 ^ y0; x1 | (x0 ^ y0)", "none", "lift:bit planes", ""},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0; x1 + x0*x0", "none", "lift:polynomial", "x0 + y0; y1 + x1; y1*(x0 + x0) + y2 + x2; y1*(x0*x0) + y2*x0 + x3 + y3"},
		{"x0:f64,x1:f64,y0:f64,k0:f64", "x0 + k0*(y0 - x0); (1 - k0)*(x1 + k0*(y0 - x0)*(y0 - x0))", "reassoc", "lift:polynomial", ""},
		{"x0:u16,x1:u16,x2:u16,y0:u16,y1:u16,y2:bool", "x0*3 + y0; select(y2, x1, y1); x2 - x0*x1", "none", "lift:polynomial", ""},
		{"x0:i64,x1:i64,x2:i64,y0:i64", "x0 + y0; x1 + x0*x0; x2 + x0*x0*x0 - x1", "none", "lift:polynomial", ""},
		{"x0:u64,x1:u64,y0:u64", "(x0 ^ y0) & ~x1; (x1 ^ y0) & ~((x0 ^ y0) & ~x1)", "none", "lift:bit planes", ""},
		{"x0:i8,x1:i8,y0:i8,y1:i8", "(x0 & y0) | (~x0 & x1); x1 ^ (x0 & y1)", "none", "lift:bit planes", ""},
		{"x0:u8,x1:u8,y0:u8", "x0 ^ y0; (x1 & x0) | y0", "none", "lift:bit planes", ""},
		{"x0:u16,x1:u16,y0:u16,y1:u16,y2:bool", "select(y2, x1 & y0, x0); (x0 & x1) | y1", "none", "lift:bit planes", ""},
		{"x0:f32,y0:f32", "-max(y0, x0)", "none", "lift:clamp", ""},
		{"x0:f64,y0:f64,y1:f64", "min(max(-x0, y0), y1)", "none", "lift:clamp", ""},
		{"x0:i32,x1:i32,x2:bool,y0:i32,y1:bool", "min(x0, y0); max(x1, y0); x2 || (y1 && x0 <= y0) || y0 >= x1", "none", "lift:watch", ""},
		{"x0:i32,x1:i32,x2:bool,y0:i32", "y0; y0 - x0; x2 && y0 - x0 == x1", "none", "lift:last two elements and table", ""},
		{"x0:i32,y0:u8", "select(y0 == 10, 0, select(y0 == 9, (x0/8 + 1)*8, x0 + 1))", "none", "lift:aligned", ""},
		{"x0:u64,y0:u64,y1:bool", "select(y1, ((x0 + 7) & ~7) + y0, x0 + y0)", "none", "lift:aligned", ""},
		{"x0:i32,y0:i32,k0:i32,y1:bool", "select(y1, x0 - x0 % k0 + k0, x0 + y0)", "nsw", "lift:aligned", ""},
		{"x0:i32,x1:bool,y0:bool,y1:i32", "select(x1, x0, (x0 | 3) + y1); x1 || y0", "none", "acting:lift:table of aligned", ""},
		{"x0:u32,y0:u32,y1:u32", "(x0 >> y0) & y1", "none", "lift:cut below", "saturating_add(x0, y0); (x1 >> y0) & y1"},
		{"x0:i16,y0:i16,y1:i16", "((x0 << 1) | y0) & y1", "none", "lift:cut", ""},
		{"x0:u64,y0:bool,y1:u64", "select(y0, (x0 >> 3) & y1, x0 | y1)", "none", "lift:cut below", ""},
		{"x0:u32,y0:u32,k0:u32", "u32((u64(y0)*u64(k0) + u64(x0)) >> 32)", "none", "lift:carry", "saturating_add(y0, select(y1 < x0, 1, 0)); select(!(y1 < x0) && y1 < saturating_add(x0, 1), x1, tmax)"},
		{"x0:i64", "x0 >> 7", "none", "lift:shift", "saturating_add(x0, y0)"},
		{"x0:i32,y0:i32", "x0 >> y0", "none", "lift:shift", "saturating_add(x0, y0)"},
		{"x0:u64", "x0/10", "nuw", "lift:quotient", "select(x0 <= tmax/y0, x0*y0, 0)"},
		{"x0:u64,y0:u64", "x0/y0", "none", "lift:quotient", "select(x0 <= tmax/y0, x0*y0, 0)"},
		{"x0:u8,y0:u8,y1:bool", "select(y1, x0/y0, x0 >> 3)", "none", "lift:quotient", ""},
		{"x0:u32,y0:u32", "(x0 >> 1) + y0", "nuw", "lift:floor", ""},
		{"x0:f64,x1:f64,y0:f64", "max(y0, max(x0*y0, x1*y0)); min(y0, min(x0*y0, x1*y0))", "reassoc,nnan", "lift:interval", ""},
		{"x0:i64,x1:i64,y0:i64", "min(x0*y0, x1*y0); max(x0*y0, x1*y0)", "nsw", "lift:interval", "x0*y0"},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "max(x0*y0, x1*y0) + y1; min(x0*y0, x1*y0) + y1", "reassoc,nnan,nsz", "lift:interval", "x0*y0; x1*y0 + y1"},
		{"x0:f64,x1:f64,y0:f64,k0:f64,k1:f64", "x0 + x1/(x1 + k0)*(y0 - x0); x1*k0/(x1 + k0) + k1", "reassoc,nnan,ninf", "lift:projective", ""},
		{"x0:f64,x1:f64,y0:f64,y1:f64,y2:f64,y3:f64", "y2/(y1 - y0*x0); (y3 - y0*x1)/(y1 - y0*x0)", "reassoc,nnan,ninf", "lift:projective", ""},
		{"x0:f64,x1:f64,y0:f64,k0:f64", "max(x0 - k0, y0); x1*exp(x0 - k0 - max(x0 - k0, y0)) + exp(y0 - max(x0 - k0, y0))", "reassoc,nnan,nsz,afn", "lift:softmax", "x0 + y0; max(x1 + y0, y1); x2*exp(x1 + y0 - max(x1 + y0, y1)) + y2*exp(y1 - max(x1 + y0, y1))"},
		{"x0:i64,x1:i64,y0:i64,y1:i64", "max(x0, y0); select(x0 > y0, x1 + 1, select(x0 == y0, max(x1, y1) + 1, y1 + 1))", "nsw", "lift:ranked", ""},
		{"x0:i64,x1:i64,y0:i64,y1:i64", "min(x0, y0); select(y0 < x0, y1, select(y0 == x0, 2*x1 + y1, x1 + 1))", "none", "lift:record", ""},
		{"x0:f64,x1:i32,y0:f64", "max(x0, y0); select(y0 > x0, 0, x1 + 1)", "nnan", "lift:record", ""},
		{"x0:u64,x1:i64,y0:i64", "select(x0 == 0 || x1 != y0, x0 + 1, x0); y0", "nuw", "lift:last element and clamp", ""},
		{"x0:f64,y0:f64,y1:bool,k0:f64", "select(y1, max(min(x0 + y0, k0), -k0), max(min(x0*0.95, k0), -k0))", "reassoc,nnan", "lift:clamp", ""},
		{"x0:bool,x1:i64,x2:f64,y0:f64", "x0 || y0 < 0.0; x1 + select(x0 || y0 < 0.0, 0, 1); select(x0 || y0 < 0.0, x2, y0)", "none", "lift:table of product", ""},
	} {
		if testing.Short() && i%5 != 0 {
			continue
		}
		a := matchAsLongAsItTakes(t, test.types, test.exprs, test.assume)
		if acts := strings.HasPrefix(test.via, "acting:"); a.Status == Lifted == acts || a.Via() != test.via {
			t.Errorf("%s: %s %s %s", test.exprs, a.Status, a.Via(), a.Reason)
			continue
		}
		if got := strings.Join(texts(a.Operator.Exprs), "; "); test.compose != "" && got != test.compose {
			t.Errorf("%s: composes by %s, want %s", test.exprs, got, test.compose)
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s: %v", test.exprs, err)
		}
	}
}

// Steps whose composition leaves every family, or holds only of unbounded integers.
func TestNotLifted(t *testing.T) {
	for _, test := range []struct{ types, exprs, assume string }{
		{"x0:i32,y0:i32", "x0*x0 + y0", "all"},
		{"x0:i32,y0:i32", "max(x0 + y0, 0)", "none"},
		{"x0:i32,y0:i32", "abs(x0 - y0)", "all"},
		{"x0:f64,y0:f64,k0:f64", "x0*k0 + y0", "nnan,nsz"},
		{"x0:i32,x1:bool,y0:i32", "x0 + y0; x1 && (x0 + y0 >= 0)", "none"},
		{"x0:i32,x1:bool,y0:i32", "x0 + y0; x1 != (x0 + y0 >= 0)", "all"},
		{"x0:i32,x1:bool,y0:i32", "max(x0, y0); x1 != (y0 > x0)", "all"},
		{"x0:i32,x1:bool,y0:i32", "max(x0, y0); x1 || y0 == x0 + 1", "all"},
		{"x0:u8,y0:u8", "x0/3*3 + y0", "all"},
		{"x0:u8,x1:u8,y0:u8", "(x0 & x1) ^ (y0 << 1); (x0 & x1) + x0", "all"},
		{"x0:i32,x1:i32,y0:i32", "x1 + y0; x1 + x0*x0", "all"},
		{"x0:u64,x1:u64,y0:u64", "y0; bitreverse(x1)", "all"}, // 65 parameters
		{"x0:f64,x1:f64,y0:f64", "x0*x1; x1 + y0", "none"},
		{"x0:u8,y0:u8,y1:bool", "select(y1, x0 & ~7, x0 & ~3) + y0", "all"},
		{"x0:i32,x1:bool,y0:i32,y1:i32", "x0 + y0; (select(x1, x0 + y0, x0 - y1) >= 0) && (x1 || y0 > 3)", "all"},
		{"x0:i32,y0:i32", "select(x0 < y0, x0 + 1, x0)", "all"},
		{"x0:f64,y0:f64", "y0 + 1/x0", "nnan,nsz"},
		{"x0:f64,y0:f64", "y0/x0", "default"}, // 0 makes it infinite, and the next step 0 again
		{"x0:i8,y0:i8", "i8(max(min(2*i16(x0) + i16(y0), 127), -128))", "none"},
		{"x0:i8,y0:i8", "saturating_add(saturating_add(x0, x0), y0)", "none"},
		{"x0:i32,y0:i32", "select(x0 < y0, x0 + 1, x0)", "none"},
		{"x0:i32,y0:bool", "select(x0 < 5, x0 + 1, select(x0 > 9, x0 - 1, x0))", "none"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "select(x2 < y0, x0 + 1, 0); max(select(x2 < y0, x0 + 1, 0), x1); max(x2, y0)", "all"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "select(x2 < y0, x0*x0, 0); max(select(x2 < y0, x0 + 1, 0), x1); y0", "all"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "select(x2 < y0, x0 + 1, 0); max(select(x2 < y0, x0 + 1, 0), x1); y0", "none"},
		{"x0:i32,x1:i32,y0:i32", "min(x0, y0); max(x1, y0 - x0)", "none"},
		{"x0:i32,x1:i32,y0:i32", "min(x0, y0); max(x1, y0 + x0)", "all"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; max(x1, x0 + y0); min(x2, x1 - x0)", "all"},
		{"x0:i32,x1:i32,y0:i32,k0:i32", "min(x0 + y0, k0); x1 + max(x0 + y0 - k0, 1)", "all"},
		{"x0:i32,y0:i32,k0:i32", "x0 + max(min(y0 - x0, k0), -k0)", "all"},
		{"x0:i64,x1:i32,y0:i64", "x0 - y0; max(x1, i32(y0 - x0))", "all"},
		{"x0:u32,y0:u32", "((x0 << 5) + x0) ^ y0", "all"},
		{"x0:i64,y0:i64", "(x0*31 + y0) % 1000000007", "none"},
		{"x0:i64,y0:i64", "(x0*31 + y0) % y0", "all"},
		{"x0:u16,y0:u16", "u16((u32(x0)*3 - u32(y0)) % 251)", "none"},
		{"x0:u32,y0:u32", "u32((u64(x0)*6364136223846793005 + u64(y0)) % 1000000007)", "none"},
		{"x0:u32,y0:u32", "u32((u64(x0) + u64(y0)) % 5000000000)", "all"},
		{"x0:u8,y0:u32", "u8((u32(x0)*3 + y0) % 251)", "none"},
		{"x0:i64,y0:i64,y1:bool", "select(y1, (x0 + y0) % 7, (x0 + y0) % 11)", "all"},
		{"x0:i64,y0:i64,y1:bool", "select(y1, (x0 + y0) % 7, x0*x0)", "all"},
		{"x0:u32,y0:u32", "x0 ^ (x0 << 13) ^ (x0 >> 17) ^ (y0 & x0 >> 1 & x0)", "all"},
		{"x0:i32,y0:i32", "(x0 >> 1) + y0", "all"},
		{"x0:u32,y0:u32", "(x0 << y0) ^ 1", "all"},
		{"x0:i32,x1:i32,x2:i32,y0:i32,r:i32", "max(x0 + y0, 0); max(x1, x0 + y0); select(x0 + y0 > x1 + 1, r, x2)", "all"},
		{"x0:i32,x1:i32,x2:i32,y0:i32,r:i32", "max(x0 + y0, 0); max(x1, x0 + y0); select(x0 + y0 > x1, r, x2)", "none"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "y0; x0; x2*x2 + abs(y0 - 2*x0 + x1)", "all"},
		{"x0:u32,y0:u32", "max(y0 - x0, 3)", "all"},
		{"x0:u32,y0:u32,k0:u32", "min(x0*2 + y0, k0)", "nsw"},
		{"x0:u32,y0:u32,k0:u32", "max(x0 - y0, k0)", "all"}, // -y0 is no natural number
		{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1*x1)", "all"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0 + 1, y1, x1 + 1)", "none"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1 + x0)", "all"},
		{"x0:f64,y0:f64", "y0 + 1/(x0*x0)", "all"},
		{"x0:i32,y0:bool", "select(x0 == 0, select(y0, 1, 0), x0 + 1)", "all"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "max(0, x0 + y0); select(x0 + y0 < 5, r, x1)", "all"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "max(0, x0 + y0); select(x0 + y0 < 0, r, x1)", "none"},
		{"x0:i32,x1:i32,y0:i32,y1:bool", "select(y1, y0, x0*x0 + x1); select(y1, 0, x1*y0 + x0)", "all"},
		{"x0:u32,y0:u32", "(x0 + y0)/10", "none"}, // sums wrap
		{"x0:i32,y0:i32", "(x0 + y0) >> 1", "none"},
		{"x0:i32,y0:i32", "x0/-2", "none"},
		{"x0:u64,y0:u64,y1:bool", "select(y1, (x0 + y0)/3*3, (x0 + 1)/5*5)", "all"},
		{"x0:u8,y0:u8", "(x0/10 + y0)*10 + x0", "all"},
		{"x0:i64,x1:i64,y0:i64", "max(x0*y0, x1*y0 + 1); min(x0*y0, x1*y0)", "all"},
		{"x0:i64,x1:i64,y0:i64,y1:i64", "max(x0, y0); select(x0 > y0, x1 + 1, select(x0 == y0, max(x1, y1)*x1, y1 + 1))", "all"},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "x0/(x1 + y0); x1/(x0 + y1)", "all"},
		{"x0:f64,x1:f64,y0:f64", "max(x0 - 1.0, y0); x1*exp(x0 - max(x0 - 1.0, y0)) + exp(y0 - x0)", "all"},
	} {
		if a := match(t, test.types, test.exprs, test.assume, 0); a.Status == Lifted {
			t.Errorf("%s under %s: lifted by %s", test.exprs, test.assume, a.Via())
		}
	}
}

// matchGiven is match under what is given, if anything is.
func matchGiven(t *testing.T, types, exprs, given string, allowed ir.Assume) *Answer {
	t.Helper()
	u := parse(t, types, exprs)
	if given != "-" && given != "" {
		var err error
		if u.Given, err = program.ParseGiven(u, given); err != nil {
			t.Fatal(err)
		}
	}
	a, err := Match(context.Background(), u, Options{Name: "f", Allowed: allowed})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Of two lifts the one that assumes less is answered.
func TestLiftAssumesLittle(t *testing.T) {
	a := match(t, "x0:i32,x1:i32,y0:i32", "y0; x1 + max(y0 - x0, 0)", "all", 0)
	if a.Status != Lifted || a.Assumes != 0 {
		t.Errorf("%s by %s, assumes %s", a.Status, a.Via(), a.Assumes)
	}
}

// TestLiftGiven gives conditions on the state, inputs and constants: each serves the step alone, is
// listed, and a certificate does not hold without it.
func TestLiftGiven(t *testing.T) {
	for _, test := range []struct{ types, exprs, given, via string }{
		{"x0:i32,y0:i32,k0:i32,k1:i32", "select(x0 + y0 > k1, k1, select(x0 + y0 < k0, k0, x0 + y0))", "k0 <= k1", "lift:clamp"},
		{"x0:i32,y0:bool,y1:bool", "select(y0, x0 + 1, select(y1 && x0 > 0, x0 - 1, x0))", "x0 >= 0", "lift:clamp"},
		{"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); select(y0 && x0 >= x1, x0 + 1, x1)", "x1 >= 0", "lift:max-plus"},
		{"x0:i32,y0:i32,y1:i32", "select(x0 < y0, y0, select(x0 > y1, y1, x0))", "y0 <= y1", "lift:clamp"},
		{"x0:i32,y0:bool", "select(y0, select(x0 == 4, 0, x0 + 1), x0)", "x0 >= 0 && x0 <= 4", "lift:cyclic"},
		{"x0:u32,y0:u32,k0:u32", "(y0*k0 + x0)/10", "x0 < 10 && y0 < 10 && k0 < 10", "lift:carry"},
		{"x0:u64,y0:u64,k0:u64", "(y0*k0 + x0) >> 32", "x0 <= 4294967295 && y0 <= 4294967295 && k0 <= 4294967295", "lift:carry"},
		{"x0:u32,y0:u32", "(x0*10 + y0) % 97", "x0 < 97 && y0 < 10", "lift:residues"},
		{"x0:i64,y0:i64,y1:bool", "select(y1, (x0*31 + y0) % 1000000007, x0)", "0 <= x0 && x0 < 1000000007 && 0 <= y0 && y0 < 256", "lift:residues"},
		{"x0:u32,x1:u32,y0:u32", "(x0 + y0) % 65521; (x1 + (x0 + y0) % 65521) % 65521", "x0 < 65521 && x1 < 65521 && y0 < 256", "lift:residues"},
		{"x0:bool,x1:u8,y0:bool", "select(y0 != x0 && x1 >= 2, y0, x0); select(y0 == x0 || x1 >= 2, 0, x1 + 1)", "x1 <= 2", "lift:cases"},
		{"x0:u8,x1:i32,y0:bool", "select(y0, select(x0 == 3, 3, x0 + 1), select(x0 == 0, 0, x0 - 1)); x1 + select((x0 >= 2) != y0, 1, 0)", "x0 <= 3", "lift:cases of affine"},
	} {
		if test.via == "lift:clamp" {
			if a := match(t, test.types, test.exprs, "all", 0); a.Status != Refused {
				t.Errorf("%s: %s by %s without what is given", test.exprs, a.Status, a.Via())
			}
		}
		a := matchGiven(t, test.types, test.exprs, test.given, ir.AllAssumptions)
		if a.Status != Lifted || a.Via() != test.via {
			t.Errorf("%s while %s: %s by %s", test.exprs, test.given, a.Status, a.Via())
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s: %v", test.exprs, err)
		}
		if err := claims.Check(line, suite.More(300, 2000), 7); err != nil {
			t.Error(err)
		}
		if len(a.Given) > 0 {
			without := regexp.MustCompile(`"given":\[[^]]+\]`).ReplaceAll(line, []byte(`"given":[]`))
			rejected(t, test.exprs+" without what is given", without, "update = apply(x, inject)")
		}
	}
}

// A certificate does not serve another apply, composition, inject or identity.
func TestVerifyLiftRejects(t *testing.T) {
	a := match(t, "x0:i32,y0:i32,k0:i32", "x0*k0 + y0", "none", 0)
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][3]string{
		{`"apply":["x0*p0 + p1"]`, `"apply":["x0*p0 - p1"]`, "update = apply(x, inject): component 0"},
		{`"exprs":["x0*y0","x1*y0 + y1"]`, `"exprs":["x0*y0","x1*y1 + y0"]`, "apply(apply(x, p), q) = apply(x, p ∘ q): component 0"},
		{`"inject":["k0","y0"]`, `"inject":["y0","k0"]`, "update = apply(x, inject): component 0"},
		{`"identity":["1","0"]`, `"identity":["0","0"]`, "apply(x, identity) = x: component 0"},
		{`"identity_side":"two"`, `"identity_side":"left"`, "identity_side: left, but by the proofs it is two"},
		{`"commutative":false`, `"commutative":true`, "commutative: true, but by the proofs it is false"},
		{`"apply":["x0*p0 + p1"]`, `"apply":["x0*p0 + y0"]`, `"y0" is not declared`},
	} {
		changed := strings.Replace(string(line), edit[0], edit[1], 1)
		if changed == string(line) {
			t.Fatalf("%s is not in %s", edit[0], line)
		}
		rejected(t, edit[1], []byte(changed), edit[2])
		if claims.Check([]byte(changed), 100, 1) == nil {
			t.Errorf("evaluation does not refute %s", edit[1])
		}
	}
}

// Parameters that are run in i64 do not start from what changes no state only in i32: of max(x0 + 1,
// x0 + p0 + 2 - min(x0 + 1, 10)) - 1 that is tmax, as it wraps.
func TestIdentityOfWiderParameters(t *testing.T) {
	for exprs, want := range map[string]proof.Side{
		"select(y0, max(x0 + 1, 10), 0)":  proof.NoSide,
		"select(y0, max(x0 + y1, 0), x0)": proof.Two, // with a flag for "no bound"
	} {
		a := match(t, "x0:i32,y0:bool,y1:i32", exprs, "nsw", 0)
		if a.Status != Lifted || !a.Assumes.Has(ir.NSW) || a.Operator.Side != want {
			t.Errorf("%s: %s, identity %s", exprs, a.Status, texts(a.Operator.Identity))
		}
	}
}

// The share of updates that need a lift and are answered; the rest are listed gaps.
func TestLiftCorpora(t *testing.T) {
	for _, corpus := range []struct {
		file string
		want int
	}{{"updates.tsv", 45}, {"unseen_lift.tsv", 450}, {"unseen_chains.tsv", 72}} {
		answered := 0
		run := matchCorpus(t, corpus.file, ir.AllAssumptions, 0)
		for i, l := range run.lines {
			if l.Class != "lift" && l.Class != "not" {
				continue
			}
			a := run.answers[i]
			if l.Pre != "" {
				a = matchGiven(t, l.Types, l.Exprs, l.Pre, ir.AllAssumptions)
			}
			if a.Status == Refused {
				continue
			}
			if l.Class == "not" && a.Status != Staged {
				t.Errorf("%s: %s, which has no finite lift", l.Name, a.Via())
			}
			answered++
			if answered%suite.Sample(suite.More(12, 4), 1) != 0 || testing.Short() && answered%8 != 0 {
				continue
			}
			line, err := a.JSON(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := verified(line); err != nil {
				t.Errorf("%s: %v", l.Name, err)
			}
		}
		if want := corpus.want / suite.Sample(cmp.Or(sampleOf[corpus.file], 1), 1); answered < want {
			t.Errorf("%s: %d lifts are answered, want %d", corpus.file, answered, want)
		}
	}
}

// What a slice computes is what the serial loop does, at every way to cut it.
func TestLiftedSlices(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for _, test := range []struct{ types, exprs, assume string }{
		{"x0:i32,y0:i32,k0:i32", "x0*k0 + y0", "none"},
		{"x0:i32,x1:i32,y0:i32", "max(x0, x1 + y0); max(0, x1 + y0)", "nsw"},
		{"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); max(x1, select(y0, x0 + 1, 0))", "nsw"},
		{"x0:i32,x1:bool,x2:bool,y0:i32", "x0 + select(x2 && (y0 != 0), 1, 0); y0 == 1; (y0 == 0) && (x1 || x2)", "none"},
		{"x0:i32,x1:bool,y0:i32", "y0; x1 && (x0 <= y0)", "none"},
		{"x0:i32,y0:i32,y1:bool", "select(y1 || (y0 == 2), y0, max(x0, y0))", "none"},
		{"x0:i32,x1:bool,y0:i32", "x0 + y0; x1 && (x0 + y0 >= -3) && (x0 < 9)", "nsw"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "max(0, x0 + y0); select(x0 + y0 < 0, y1, x1)", "nsw"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "select(x0 + y0 > 0, x0 + y0, 0); select(x0 + y0 > 0, x1, y1)", "nsw"},
		{"x0:i32,y0:bool,y1:i32", "select(x0 == 0, select(y0, 1, 0), select(x0 == 1, y1, select(y0, x0, 0)))", "none"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "select(x2 < y0, x0 + 1, 0); max(select(x2 < y0, x0 + 1, 0), x1); y0", "nsw"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "y0; x0; x2 + select(x0 > x1 && x0 > y0, 1, 0)", "none"},
		{"x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "y0 - y1; x0; select(y1 > 1, x2 - x1, 3*x2) + abs(y0 - x0 + x1)", "none"},
		{"x0:i32,x1:i32,x2:i32,y0:i32,y1:i32,y2:i32", "min(x1, x2) + y0; min(x0, x2) + y1; min(x0, x1) + y2", "nsw"},
		{"x0:i32,y0:i32,y1:i32", "max(x0*y0, y1)", "nsw"},
		{"x0:i32,x1:i32,y0:i32", "min(x0 + y0, 3); x1 + max(x0 + y0 - 3, 0)", "nsw"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "select(y0 == 0, x0, y0); select(y0 != 0, x0, x1); x2 + select(y0 != 0 && y0 < x1, 1, 0)", "none"},
		{"x0:i32,x1:i32,x2:i32,x3:i32,y0:i32,y1:i32", "y0; select(y0 == x0, x1 + 1, 1); max(x2, select(y0 == x0, x1 + 1, 1)); select(select(y0 == x0, x1 + 1, 1) > x2, y1, x3)", "nsw"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; min(x1, x0); max(x2, x0 + y0 - min(x1, x0))", "nsw"},
		{"x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "select(x2 >= y0 && y1 != x1, x0 + y1, y0); y1; y0", "none"},
		{"x0:i32,x1:i32,y0:i32", "min(x0, y0); max(x1, y0 - x0)", "nsw"},
		{"x0:i32,y0:i32,k0:i32", "max(min(x0*2 + y0, k0), -3)", "nsw"},
		{"x0:u8,y0:u8,y1:bool", "select(y1, saturating_add(x0, y0), saturating_sub(x0, 3))", "none"},
		{"x0:i16,y0:i16", "i16(max(min(i32(x0) + i32(y0), 3), i32(-2)))", "none"},
		{"x0:i32,y0:bool,y1:bool,k0:i32", "select(y1, k0, select(y0 && x0 > 0, x0 - 1, x0))", "none"},
		{"x0:i32,y0:i32,y1:bool", "-select(y1, min(x0 - y0, 1), max(2*x0, y0))", "nsw"},
		{"x0:u8,y0:u8", "((x0 << 3) | y0) ^ 7", "none"},
		{"x0:i32,x1:bool,y0:i32,y1:bool", "x0 + y0; x1 || select(y1, x0 + y0 < 0, x0 > 5 || y1)", "nsw"},
		{"x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "max(x0 + y0, 0); max(x1, max(x0 + y0, 0)); select(max(x0 + y0, 0) > x1, y1, x2)", "nsw"},
		{"x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "max(x0 + y0, 0); max(x1, x0 + y0); select(x0 + y0 >= x1, y1, x2)", "nsw"},
		{"x0:i32,x1:i32,x2:i32,y0:bool,y1:i32", "select(y0, x0 - 1, 0); min(x1, select(y0, x0 - 1, 0)); select(select(y0, x0 - 1, 0) < x1, y1, x2)", "nsw"},
		{"x0:u8,x1:u8,y0:u8,y1:u8", "(x0 & y0) ^ x1; (x0 | y1) ^ x1", "none"},
		{"x0:bool,x1:bool,x2:bool,y0:bool,y1:bool", "x1 || (x2 && y0); x2 || y1; x0 && y0", "none"},
		{"x0:i32,y0:i32,y1:bool", "select(y1, (x0*5 - y0) % 12, x0)", "nsw"},
		{"x0:u8,y0:u8,y1:bool", "select(y1, u8((u32(x0)*300 + u32(y0)) % 251), x0)", "none"},
		{"x0:u16,y0:u16,y1:bool", "select(y1, ((x0 << 5) | (x0 >> 11)) ^ y0, x0)", "none"},
		{"x0:u8,y0:u8,y1:bool", "select(y1, x0 ^ (x0 << 1) ^ (x0 << 3) ^ y0, x0)", "none"},
		{"x0:i32,x1:i32,y0:i32,y1:i32,y2:bool", "select(y2 && y0 <= x0, y0, x0); select(y2 && y0 <= x0, y1, x1 + 1)", "none"},
		{"x0:u8,y0:u8,y1:bool", "select(y1, (x0 | 7) + y0, x0 + y0)", "none"},
		{"x0:i8,y0:i8,y1:bool", "select(y1, x0 >> 1, (x0 >> 3))", "none"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, select(y0 == x0, 2*x1 + y1, x1 + 1))", "none"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "max(x0, y0); select(x0 > y0, x1 + 1, select(x0 == y0, max(x1, y1) + 1, y1 + 1))", "nsw"},
		{"x0:i64,x1:i64,y0:i64", "max(x0*y0, x1*y0); min(x0*y0, x1*y0)", "nsw"},
		{"x0:bool,x1:i32,x2:u8,y0:bool,y1:u8", "x0 || y0; x1 + select(x0 || y0, 0, 1); select(x0 || y0, x2, y1)", "none"},
	} {
		a := matchAsLongAsItTakes(t, test.types, test.exprs, test.assume)
		if a.Status != Lifted {
			t.Fatalf("%s: %s %s", test.exprs, a.Status, a.Reason)
		}
		for seed := range suite.More(8, 50) {
			compareSlices(t, a, test.exprs, rand.New(rand.NewPCG(uint64(seed), 1)))
		}
	}
}

// compareSlices runs the serial loop, and a random tree of compositions, on random inputs.
func compareSlices(t *testing.T, a *Answer, what string, rng *rand.Rand) {
	t.Helper()
	draw := func(e ir.Expr) uint64 {
		switch {
		case e.Type() == ir.Bool:
			return rng.Uint64() & 1
		case e.Type().IsUnsigned():
			return e.Type().Wrap(rng.Uint64())
		}
		return uint64(int64(rng.IntN(9) - 4))
	}
	values := map[ir.Expr]uint64{}
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return values[v] }}
	start := make([]uint64, len(a.Types))
	for i, typ := range a.Types {
		start[i] = draw(a.Pool().X(i, typ))
	}
	set := func(vars []ir.Expr, to []uint64) {
		for i, v := range vars {
			values[v] = to[i]
		}
	}
	states := make([]ir.Expr, len(a.Types))
	for i, typ := range a.Types {
		states[i] = a.Pool().X(i, typ)
	}
	x, y, _ := a.Operator.Operands()
	for _, l := range a.Leaves {
		if l.Var.IsInvariant() {
			values[l.Var] = draw(l.Var)
		}
	}
	serial := start
	var params [][]uint64
	for range 12 {
		for _, l := range a.Leaves {
			if !l.Var.IsInvariant() {
				values[l.Var] = draw(l.Var)
			}
		}
		params = append(params, ir.EvalAll(a.Inject, env))
		set(states, serial)
		serial = ir.EvalAll(a.Update, env)
	}
	for len(params) > 1 {
		i := rng.IntN(len(params) - 1)
		set(x, params[i])
		set(y, params[i+1])
		params[i] = ir.EvalAll(a.Operator.Exprs, env)
		params = slices.Delete(params, i+1, i+2)
	}
	set(states, start)
	set(a.Lift.Params, params[0])
	if got := ir.EvalAll(a.Lift.Apply, env); !slices.Equal(got, serial) {
		t.Fatalf("%s from %v: slices give %v, the loop %v", what, start, got, serial)
	}
}

// A lift by cases may have more cells than there are numbers of components. It is no lift then, and no panic.
func TestLiftOfManyCells(t *testing.T) {
	u := parse(t, "x0:bool,x1:bool,x2:i64,x3:bool,k0:bool,k1:bool,y0:bool,y1:bool",
		"select(x0, false, x0); select(x0, x1, select(x1, false, x1)); "+
			"select(x0, x2, select(x1, x2, select(k0, select(k1, select(y0, select(y1, (x2 - i64(1)), x2), x2), x2), select(y0, select(y1, (x2 - i64(1)), x2), x2)))); "+
			"select(x0, x3, select(x1, x3, select(k0, (k1 && (y0 && x3)), (y0 && x3))))")
	a, err := Match(t.Context(), u, Options{Allowed: ir.AllAssumptions, Study: &study.Setup{Families: map[string]bool{"affine": true}}})
	if err != nil {
		t.Fatal(err)
	}
	if a.Status == Refused {
		t.Errorf("it is refused: %s", a.Reason)
	}
}
