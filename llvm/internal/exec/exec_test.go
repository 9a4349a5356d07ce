package exec_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/llvm/internal/exec"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// TestRun executes instructions at the ends of their ranges.
func TestRun(t *testing.T) {
	for _, test := range []struct{ ret, body, want string }{
		{"i8", "%r = add i8 127, 1", "80"},
		{"i8", "%r = add nsw i8 127, 1", "poison"},
		{"i8", "%r = add nuw i8 127, 1", "80"},
		{"i8", "%r = add nuw i8 -1, 1", "poison"},
		{"i64", "%r = add nsw i64 9223372036854775807, 1", "poison"},
		{"i64", "%r = sub nsw i64 -1, -9223372036854775808", "7fffffffffffffff"},
		{"i64", "%r = sub nsw i64 0, -9223372036854775808", "poison"},
		{"i8", "%r = sub nuw i8 1, 2", "poison"},
		{"i64", "%r = mul nsw i64 4294967296, 2147483648", "poison"},
		{"i64", "%r = mul nsw i64 -4294967296, 2147483648", "8000000000000000"},
		{"i8", "%r = mul nuw i8 16, 16", "poison"},
		{"i8", "%r = shl i8 1, 8", "poison"},
		{"i8", "%r = shl nsw i8 64, 1", "poison"},
		{"i8", "%r = shl nuw i8 -128, 1", "poison"},
		{"i8", "%r = ashr i8 -128, 7", "ff"},
		{"i8", "%r = lshr exact i8 3, 1", "poison"},
		{"i8", "%r = udiv i8 -1, 2", "7f"},
		{"i8", "%r = sdiv i8 -7, 2", "fd"},
		{"i8", "%r = srem i8 -7, 2", "ff"},
		{"i8", "%r = udiv i8 1, 0", "undefined"},
		{"i8", "%r = sdiv i8 -128, -1", "undefined"},
		{"i8", "%a = shl i8 1, 9\n%r = udiv i8 1, %a", "undefined"},
		{"i8", "%r = or disjoint i8 3, 1", "poison"},
		{"i8", "%r = trunc nuw i16 256 to i8", "poison"},
		{"i16", "%r = zext nneg i8 -1 to i16", "poison"},
		{"i16", "%r = sext i8 -1 to i16", "ffff"},
		{"i8", "%a = add nsw i8 127, 1\n%r = select i1 true, i8 5, i8 %a", "5"},
		{"i8", "%a = add nsw i8 127, 1\n%c = icmp eq i8 %a, 0\n%r = select i1 %c, i8 5, i8 5", "poison"},
		{"i8", "%a = add nsw i8 127, 1\n%b = freeze i8 %a\n%r = and i8 %b, 0", "0"},
		{"i8", "%a = add nsw i8 127, 1\n%c = icmp eq i8 %a, 0\nbr i1 %c, label %x, label %x\n\nx:\n%r = add i8 1, 1", "undefined"},
		{"i8", "%r = call i8 @llvm.abs.i8(i8 -128, i1 true)", "poison"},
		{"i8", "%r = call i8 @llvm.abs.i8(i8 -128, i1 false)", "80"},
		{"i8", "%r = call i8 @llvm.ctlz.i8(i8 0, i1 false)", "8"},
		{"i8", "%r = call i8 @llvm.cttz.i8(i8 0, i1 true)", "poison"},
		{"i8", "%r = call i8 @llvm.sadd.sat.i8(i8 -100, i8 -100)", "80"},
		{"i64", "%r = call i64 @llvm.ssub.sat.i64(i64 5, i64 -9223372036854775808)", "7fffffffffffffff"},
		{"i8", "%r = call i8 @llvm.usub.sat.i8(i8 5, i8 6)", "0"},
		{"i8", "%r = call i8 @llvm.fshl.i8(i8 -127, i8 -127, i8 9)", "3"},
		{"i8", "%r = call i8 @llvm.fshr.i8(i8 1, i8 2, i8 8)", "2"},
		{"i8", "%c = icmp slt i8 1, 0\ncall void @llvm.assume(i1 %c)\n%r = add i8 0, 0", "undefined"},
		{"float", "%r = fadd float 1.0, 0x3E60000000000000", "3f800000"},
		{"double", "%r = fdiv ninf double 1.0, 0.0", "poison"},
		{"double", "%r = fsub nnan double 0x7FF0000000000000, 0x7FF0000000000000", "poison"},
		{"float", "%r = call float @llvm.maximum.f32(float 0x7FF0000000000000, float 0x7FF8000000000000)", "7fc00000"},
		{"float", "%r = call float @llvm.maxnum.f32(float 1.0, float 0x7FF8000000000000)", "3f800000"},
		{"float", "%r = call float @llvm.minimum.f32(float 0.0, float -0.0)", "80000000"},
		{"i8", "%r = fptosi float 128.5 to i8", "poison"},
		{"i8", "%r = fptosi float -128.5 to i8", "80"},
		{"float", "%r = sitofp i64 9007199791611905 to float", "5a000001"},
		{"i8", "%r = add i8 undef, 1", "not executed: a value undef"},
		{"i8", "%p = getelementptr i8, ptr %m, i64 3\n%r = load i8, ptr %p", "7"},
		{"i8", "%p = getelementptr i8, ptr %m, i64 4\n%r = load i8, ptr %p", "undefined"},
		{"i16", "%p = getelementptr { i8, i16 }, ptr %m, i64 0, i32 1\n%r = load i16, ptr %p", "706"},
		{"i8", "%r = call i8 @g()", "not executed: a call of @g"},
	} {
		m, err := syntax.Parse("f.ll", "define "+test.ret+" @f(ptr %m) {\nentry:\n"+test.body+"\nret "+test.ret+" %r\n}\n")
		if err != nil {
			t.Fatalf("%s: %v", test.body, err)
		}
		v, err := Run(m.Funcs[0], []Value{{Bits: Base}}, Memory{4, 5, 6, 7}, nil)
		got := fmt.Sprintf("%x", v.Bits)
		switch {
		case errors.Is(err, ErrUndefined):
			got = "undefined"
		case err != nil:
			got = err.Error()
		case v.Poison:
			got = "poison"
		}
		if got != test.want {
			t.Errorf("%s is %s, not %s", strings.ReplaceAll(test.body, "\n", "; "), got, test.want)
		}
	}
}

// TestEnter changes what a loop carries, as those do who compare loops.
func TestEnter(t *testing.T) {
	m, err := syntax.Parse("f.ll", `define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %i, %loop ]
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, %n
  br i1 %c, label %exit, label %loop
exit:
  ret i32 %s
}
`)
	if err != nil {
		t.Fatal(err)
	}
	of := func(enter func(*Frame, *syntax.Block)) uint64 {
		v, err := Run(m.Funcs[0], []Value{{Bits: 9}}, nil, enter)
		if err != nil {
			t.Fatal(err)
		}
		return v.Bits
	}
	if got := of(nil); got != 7 { // phis of a block take their values at once
		t.Errorf("it is %d, not 7", got)
	}
	if got := of(func(fr *Frame, b *syntax.Block) {
		if v := fr.Values["%i"]; b.Name == "%loop" && v.Bits == 3 {
			fr.Values["%i"] = Value{Bits: 8}
		}
	}); got != 2 {
		t.Errorf("it is %d, not 2", got)
	}
	if _, err := Run(m.Funcs[0], []Value{{Bits: 0}}, nil, nil); err == nil {
		t.Error("four billion steps end")
	}
}
