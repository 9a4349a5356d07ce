package llvm

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/exec"
	"github.com/rfactor-go/rfactor/rfactor"
)

// adversarial are bodies of loops that invite a wrong answer, with what is said of them: the assumptions of the answer, "refused",
// or the obstacle.
var adversarial = []struct{ name, typ, body, want string }{
	// An overflow that nobody sees, or that comes back.
	{"nsw of one of two operations", "i32", "%b = mul i32 %a, %k\n%next = add nsw i32 %s, %b", "none"},
	{"nsw of a sum that a mask hides", "i32", "%t = add nsw i32 %s, %a\n%next = and i32 %t, 255", "none"},
	{"nsw of a sum in an arm", "i32", "%t = add nsw i32 %s, %a\n%c = icmp sgt i32 %a, 0\n%next = select i1 %c, i32 %t, i32 %s", "none"},
	{"nsw of a maximum after a sum", "i32", "%t = add nsw i32 %s, %a\n%next = call i32 @llvm.smax.i32(i32 %t, i32 0)", "nsw"},
	{"the same without nsw", "i32", "%t = add i32 %s, %a\n%next = call i32 @llvm.smax.i32(i32 %t, i32 0)", "refused"},
	{"the same with nuw", "i32", "%t = add nuw i32 %s, %a\n%next = call i32 @llvm.umin.i32(i32 %t, i32 1000)", "nuw"},
	{"a maximum after a sum that an arm may drop", "i32", "%t = add nsw i32 %s, %a\n%m = call i32 @llvm.smax.i32(i32 %t, i32 0)\n%c = icmp sgt i32 %a, 0\n%next = select i1 %c, i32 %m, i32 %s", "refused"},
	{"nsw of a sum of the input", "i32", "%b = add nsw i32 %a, 1\n%c = icmp sgt i32 %b, %a\n%d = zext i1 %c to i32\n%next = add i32 %s, %d", "none"},
	{"nsw in a block that some steps run", "i32", "%c = icmp sgt i32 %a, 0\nbr i1 %c, label %x, label %y\n\nx:\n%t = add nsw i32 %s, %a\n%m = call i32 @llvm.smax.i32(i32 %t, i32 0)\nbr label %y\n\ny:\n%next = phi i32 [ %s, %loop ], [ %m, %x ]", "refused"},
	{"nsw whose overflow a later step forgets", "i32", "%c = icmp eq i32 %a, 0\n%b = select i1 %c, i32 0, i32 %s\n%t = add nsw i32 %b, %a\n%next = call i32 @llvm.smax.i32(i32 %t, i32 0)", "refused"},
	{"a difference with nuw", "i32", "%next = sub nuw i32 %s, %a", "none"},
	{"a product with nsw", "i32", "%next = mul nsw i32 %s, %a", "none"},
	{"shl nsw", "i32", "%t = shl nsw i32 %s, 1\n%next = add nsw i32 %t, %a", "none"},
	{"shl nuw nsw of a maximum", "i32", "%t = shl nuw nsw i32 %s, 1\n%next = call i32 @llvm.smax.i32(i32 %t, i32 %a)", "nsw"},

	// Shifts, divisions and intrinsics that are poison or undefined somewhere.
	{"shl by the input", "i32", "%next = shl i32 %s, %a", "shift that may be past the width"},
	{"shl by the input and a sum", "i32", "%t = shl i32 1, %a\n%next = add i32 %s, %t", "none"},
	{"shl by a count that a mask bounds", "i32", "%b = and i32 %a, 31\n%t = shl i32 1, %b\n%next = or i32 %s, %t", "none"},
	{"shl by a count that a mask bounds too late", "i32", "%b = and i32 %a, 63\n%t = shl i32 %s, %b\n%next = or i32 %t, 1", "shift that may be past the width"},
	{"shl by the width", "i32", "%next = shl i32 %s, 32", "shift that may be past the width"},
	{"lshr by a literal", "i32", "%next = lshr i32 %s, 1", "none"},
	{"ashr exact", "i32", "%t = ashr exact i32 %s, 1\n%next = add i32 %t, %a", "refused"},
	{"a division of the state by the input", "i32", "%next = sdiv i32 %s, %a", "division that may be by zero"},
	{"a division of the state by an input that is not zero", "i32", "%b = or i32 %a, 1\n%next = udiv i32 %s, %b", "division that may be by zero"},
	{"a division of the input by the state", "i32", "%next = udiv i32 %a, %s", "division that may be by zero"},
	{"a division by minus one", "i32", "%t = sdiv i32 %s, -1\n%next = add i32 %t, %a", "division that may be by zero"},
	{"a division of inputs", "i32", "%b = sdiv i32 100, %a\n%next = add i32 %s, %b", "none"},
	{"a remainder of the state by a literal", "i32", "%t = add i32 %s, %a\n%next = urem i32 %t, 7", "none"},
	{"a signed remainder of the state", "i32", "%t = add i32 %s, %a\n%next = srem i32 %t, 7", "refused"},
	{"udiv exact by two", "i32", "%t = udiv exact i32 %s, 2\n%next = add i32 %t, %a", "refused"},
	{"abs true of the input", "i32", "%b = call i32 @llvm.abs.i32(i32 %a, i1 true)\n%next = call i32 @llvm.smax.i32(i32 %s, i32 %b)", "none"},
	{"abs false of the input", "i32", "%b = call i32 @llvm.abs.i32(i32 %a, i1 false)\n%next = call i32 @llvm.smax.i32(i32 %s, i32 %b)", "none"},
	{"abs false of the state", "i32", "%t = add i32 %s, %a\n%next = call i32 @llvm.abs.i32(i32 %t, i1 false)", "refused"},
	{"abs true of the state", "i32", "%t = call i32 @llvm.abs.i32(i32 %s, i1 true)\n%next = call i32 @llvm.smax.i32(i32 %t, i32 %a)", "nsw"},
	{"ctlz true of the input", "i32", "%b = call i32 @llvm.ctlz.i32(i32 %a, i1 true)\n%next = add i32 %s, %b", "none"},
	{"cttz true of the state", "i32", "%b = call i32 @llvm.cttz.i32(i32 %s, i1 true)\n%next = add i32 %a, %b", "refused"},
	{"a rotation by the input", "i32", "%next = call i32 @llvm.fshl.i32(i32 %s, i32 %s, i32 %a)", "shift that may be past the width"},
	{"a rotation by more than the width", "i32", "%t = call i32 @llvm.fshl.i32(i32 %s, i32 %s, i32 37)\n%next = xor i32 %t, %a", "none"},
	{"a funnel by zero", "i32", "%t = call i32 @llvm.fshr.i32(i32 %a, i32 %s, i32 32)\n%next = xor i32 %t, %a", "none"},

	// Saturation.
	{"a saturating sum of unsigned numbers", "i8", "%next = call i8 @llvm.uadd.sat.i8(i8 %s, i8 %a)", "none"},
	{"a saturating sum of signed numbers", "i8", "%next = call i8 @llvm.sadd.sat.i8(i8 %s, i8 %a)", "none"},
	{"a saturating difference", "i8", "%next = call i8 @llvm.usub.sat.i8(i8 %s, i8 %a)", "none"},
	{"saturation by a comparison after it overflowed", "i8", "%t = add i8 %s, %a\n%c = icmp ult i8 %t, %s\n%next = select i1 %c, i8 -1, i8 %t", "none"},
	{"saturation by a comparison with the wrong operand", "i8", "%t = add i8 %s, %a\n%c = icmp ugt i8 %t, %k\n%next = select i1 %c, i8 %k, i8 %t", "refused"},

	// Values that are none.
	{"undef in an arm", "i32", "%c = icmp sgt i32 %a, 0\n%next = select i1 %c, i32 %a, i32 undef", "undef or poison"},
	{"poison in an arm", "i32", "%c = icmp sgt i32 %a, 0\n%next = select i1 %c, i32 poison, i32 %s", "undef or poison"},
	{"an operand that is undef", "i32", "%next = xor i32 %s, undef", "undef or poison"},
	{"undef of a phi", "i32", "%c = icmp sgt i32 %a, 0\nbr i1 %c, label %x, label %y\n\nx:\nbr label %y\n\ny:\n%next = phi i32 [ undef, %loop ], [ %s, %x ]", "undef or poison"},
	{"freeze of the input", "i32", "%b = freeze i32 %a\n%next = add i32 %s, %b", "freeze"},
	{"freeze of the state", "i32", "%t = add nsw i32 %s, %a\n%next = freeze i32 %t", "freeze"},
	{"freeze of a condition", "i32", "%c = icmp sgt i32 %a, 0\n%d = freeze i1 %c\n%next = select i1 %d, i32 %a, i32 %s", "freeze"},
	{"freeze of undef", "i32", "%b = freeze i32 undef\n%next = add i32 %s, %b", "freeze"},
	{"a condition that is poison", "i32", "%b = add nsw i32 %a, 1\n%c = icmp sgt i32 %b, 0\n%next = select i1 %c, i32 %a, i32 %s", "none"},
	{"a logical and by select", "i32", "%c = icmp sgt i32 %a, 0\n%b = add nsw i32 %a, %a\n%d = icmp sgt i32 %b, 0\n%e = select i1 %c, i1 %d, i1 false\n%f = zext i1 %e to i32\n%next = add i32 %s, %f", "none"},

	// Memory.
	{"a load at the address of the state", "i32", "%w = zext i32 %s to i64\n%x = getelementptr i32, ptr %q, i64 %w\n%next = load i32, ptr %x", "load at an address of the state"},
	{"a load at a masked address of the state", "i32", "%w = and i32 %s, 7\n%x = getelementptr i32, ptr %q, i32 %w\n%y = load i32, ptr %x\n%next = add i32 %y, %a", "load at an address of the state"},
	{"a load of another array", "i32", "%x = getelementptr i32, ptr %q, i64 %i\n%y = load i32, ptr %x\n%next = add i32 %s, %y", "none"},
	{"a load that the state chooses", "i32", "%c = icmp sgt i32 %s, 0\n%x = select i1 %c, ptr %at, ptr %q\n%y = load i32, ptr %x\n%next = add i32 %s, %y", "load at an address of the state"},
	{"a store of the state", "i32", "%next = add i32 %s, %a\nstore i32 %next, ptr %q", "store"},
	{"a store to what may be the array", "i32", "store i32 %a, ptr %q\n%next = add i32 %s, %a", "store"},
	{"a volatile load", "i32", "%b = load volatile i32, ptr %at\n%next = add i32 %s, %b", "ordered effect"},
	{"an atomic load", "i32", "%b = load atomic i32, ptr %at monotonic, align 4\n%next = add i32 %s, %b", "ordered effect"},
	{"an atomic sum", "i32", "%b = atomicrmw add ptr %q, i32 %a seq_cst\n%next = add i32 %s, %b", "ordered effect"},
	{"a fence", "i32", "fence seq_cst\n%next = add i32 %s, %a", "ordered effect"},
	{"memset", "i32", "call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 4, i1 false)\n%next = add i32 %s, %a", "store"},
	{"a call that reads memory", "i32", "%b = call i32 @g(i32 %a) nounwind willreturn memory(read)\n%next = add i32 %s, %b", "none"},
	{"a call that writes memory", "i32", "%b = call i32 @g(i32 %a) nounwind willreturn memory(readwrite)\n%next = add i32 %s, %b", "unknown call"},
	{"a call that reads memory at the state", "i32", "%b = call i32 @g(i32 %s) nounwind willreturn memory(read)\n%next = add i32 %a, %b", "call on the state"},
	{"an intrinsic that stores", "i32", "call void @llvm.masked.store.v1i32.p0(<1 x i32> zeroinitializer, ptr %q, i32 4, <1 x i1> zeroinitializer)\n%next = add i32 %s, %a", "unknown call"},
	{"a trap", "i32", "call void @llvm.trap()\n%next = add i32 %s, %a", "unknown call"},
	{"a counter of cycles", "i32", "%b = call i64 @llvm.readcyclecounter()\n%c = trunc i64 %b to i32\n%next = add i32 %s, %c", "unknown call"},
	{"an intrinsic that attributes call pure", "i32", "%b = call i32 @llvm.x86.sse42.crc32.32.32(i32 %a, i32 %k) nounwind willreturn memory(none)\n%next = add i32 %s, %b", "none"},
	{"a call that may not come back", "i32", "%b = call i32 @g(i32 %a) nounwind memory(none)\n%next = add i32 %s, %b", "unknown call"},
	{"a range that is not checked", "i32", "%b = load i32, ptr %at, !range !9\n%c = icmp slt i32 %b, 5\n%d = select i1 %c, i32 1, i32 %b\n%next = call i32 @llvm.smax.i32(i32 %s, i32 %d)", "none"},
	{"an assumption of the program", "i32", "%c = icmp sgt i32 %a, 0\ncall void @llvm.assume(i1 %c)\n%next = add i32 %s, %a", "none"},
	{"an assumption about the state", "i32", "%c = icmp sgt i32 %s, %a\ncall void @llvm.assume(i1 %c)\n%next = call i32 @llvm.smax.i32(i32 %s, i32 %a)", "none"},

	// Ends.
	{"an end that the state decides", "i32", "%next = add i32 %s, %a\n%c = icmp sgt i32 %next, 99\nbr i1 %c, label %exit, label %more\n\nmore:", "end that depends on the state"},
	{"an end that an input decides", "i32", "%next = add i32 %s, %a\n%c = icmp eq i32 %a, 0\nbr i1 %c, label %exit, label %more\n\nmore:", "none"},

	// Bits and narrow numbers.
	{"a bit that changes", "i1", "%next = xor i1 %s, %a", "none"},
	{"a sum of bits", "i1", "%next = add i1 %s, %a", "none"},
	{"a product of bits", "i1", "%next = mul i1 %s, %a", "none"},
	{"a difference of bits", "i1", "%next = sub i1 %a, %s", "none"},
	{"bits that are compared with a sign", "i1", "%c = icmp slt i1 %s, %a\n%next = select i1 %c, i1 %s, i1 %a", "none"},
	{"bits that are compared without a sign", "i1", "%c = icmp ult i1 %s, %a\n%next = select i1 %c, i1 %a, i1 %s", "none"},
	{"sext of a bit", "i32", "%c = icmp sgt i32 %a, 0\n%b = sext i1 %c to i32\n%next = sub i32 %s, %b", "none"},
	{"a byte in an i32 that wraps", "i32", "%b = and i32 %a, 255\n%t = add i32 %s, %b\n%next = and i32 %t, 255", "none"},
	{"a byte in an i32 that is compared before it wraps", "i32", "%b = and i32 %a, 255\n%t = add i32 %s, %b\n%c = icmp ugt i32 %t, 300\n%u = select i1 %c, i32 0, i32 %t\n%next = and i32 %u, 255", "refused"},
	{"a signed byte in an i32", "i32", "%t = add i32 %s, %a\n%u = shl i32 %t, 24\n%next = ashr i32 %u, 24", "none"},
	{"trunc and zext of a sum", "i32", "%t = add i32 %s, %a\n%u = trunc i32 %t to i8\n%next = zext i8 %u to i32", "none"},
	{"trunc and sext of a sum", "i32", "%t = add i32 %s, %a\n%u = trunc i32 %t to i16\n%next = sext i16 %u to i32", "none"},
	{"a number of 24 bits", "i32", "%t = trunc i32 %s to i24\n%u = zext i24 %t to i32\n%next = add i32 %u, %a", "unread instruction"},
	{"zext nneg", "i32", "%b = zext nneg i32 %a to i64\n%c = sext i32 %a to i64\n%d = icmp eq i64 %b, %c\n%e = zext i1 %d to i32\n%next = add i32 %s, %e", "none"},
	{"or disjoint", "i32", "%t = shl i32 %s, 1\n%b = and i32 %a, 1\n%next = or disjoint i32 %t, %b", "none"},
	{"a comparison without sign of a signed maximum", "i32", "%c = icmp ult i32 %s, %a\n%next = select i1 %c, i32 %a, i32 %s", "none"},
	{"a comparison whose arms are of other signs", "i32", "%c = icmp slt i32 %s, %a\n%t = call i32 @llvm.umax.i32(i32 %s, i32 %a)\n%next = select i1 %c, i32 %t, i32 %s", "refused"},

	// Floats.
	{"a sum", "float", "%next = fadd float %s, %a", "refused"},
	{"a sum with reassoc alone", "float", "%next = fadd reassoc float %s, %a", "reassoc"},
	{"a maximum", "float", "%c = fcmp ogt float %a, %s\n%next = select i1 %c, float %a, float %s", "none"},
	{"a maximum, unordered", "float", "%c = fcmp ugt float %a, %s\n%next = select i1 %c, float %a, float %s", "refused"},
	{"a maximum, the other way round", "float", "%c = fcmp olt float %a, %s\n%next = select i1 %c, float %s, float %a", "refused"},
	{"a maximum with nnan and nsz on the select alone", "float", "%c = fcmp ogt float %a, %s\n%next = select nnan nsz i1 %c, float %a, float %s", "nsz"},
	{"a maximum with nnan on the comparison alone", "float", "%c = fcmp nnan ogt float %a, %s\n%next = select i1 %c, float %a, float %s", "nnan"},
	{"maxnum", "float", "%next = call float @llvm.maxnum.f32(float %s, float %a)", "maximum that may meet NaN"},
	{"maximum", "float", "%next = call float @llvm.maximum.f32(float %s, float %a)", "none"},
	{"a count of NaN", "float", "%c = fcmp uno float %a, 0.0\n%d = select i1 %c, float 1.0, float 0.0\n%next = fadd reassoc nsz float %s, %d", "reassoc"},
	{"contract alone", "float", "%b = fmul contract float %a, %k\n%next = fadd contract float %s, %b", "refused"},
	{"reassoc of the sum but not of the product", "float", "%b = fmul float %s, %k\n%next = fadd reassoc nsz float %b, %a", "refused"},
	{"a float to an integer and back", "float", "%b = fptosi float %s to i32\n%c = sitofp i32 %b to float\n%next = fadd float %c, %a", "float to integer of the state"},
	{"negation", "double", "%next = fneg double %s", "none"},
	{"an absolute maximum", "double", "%b = call double @llvm.fabs.f64(double %a)\n%c = fcmp ogt double %b, %s\n%next = select i1 %c, double %b, double %s", "none"},
}

// TestAdversarial compares what is said of loops that invite a wrong answer, and runs those that are answered on numbers of all kinds.
func TestAdversarial(t *testing.T) {
	answered := 0
	for _, test := range adversarial {
		body := test.body
		if strings.Contains(body, "\n\ny:\n%next = phi") {
			body = strings.ReplaceAll(body, "%end", "%y")
		}
		l, m := loopAndModule(t, test.typ, body, "")
		a, err := l.Match(context.Background(), rfactor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		switch {
		case a == nil:
			got = l.Obstacles[0].Kind
		case a.Status == rfactor.Refused:
			got = "refused"
		default:
			got = a.Assumes.String()
		}
		if got != test.want {
			t.Errorf("%s: %s, not %s", test.name, got, test.want)
		}
		if a == nil || a.Status == rfactor.Refused || a.Status == rfactor.Staged {
			continue
		}
		answered++
		if _, _, err := newCutter(m, l, a).compare(rand.New(rand.NewPCG(1, 2)), suite.More(30, 100), a.Assumes&ir.Reassoc != 0); err != nil && err != errShort && !errors.Is(err, exec.ErrUnknown) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	t.Logf("%d of %d are answered", answered, len(adversarial))
}
