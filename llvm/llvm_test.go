package llvm

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// loopOf is a loop over an array of i32 with a body, which computes %next of %s and %a.
func loopOf(t testing.TB, typ, body, more string) *Loop {
	t.Helper()
	l, _ := loopAndModule(t, typ, body, more)
	return l
}

func loopAndModule(t testing.TB, typ, body, more string) (*Loop, *Module) {
	t.Helper()
	text := `define ` + typ + ` @f(ptr %p, i64 %n, ` + typ + ` %k, ptr %q) ` + more + ` {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %end ]
  %s = phi ` + typ + ` [ ` + zeroOf(typ) + `, %entry ], [ %next, %end ]
  %at = getelementptr inbounds ` + typ + `, ptr %p, i64 %i
  %a = load ` + typ + `, ptr %at, align 4
` + body + `
  br label %end

end:
  %j = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %j, %n
  br i1 %done, label %exit, label %loop

exit:
  ret ` + typ + ` %next
}

!9 = !{i32 0, i32 10}
`
	m, err := Parse("f.ll", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	loops := m.Loops()
	if len(loops) != 1 {
		t.Fatalf("%d loops", len(loops))
	}
	return loops[0], m
}

func zeroOf(typ string) string {
	if typ == "float" || typ == "double" {
		return "0.0"
	}
	return "0"
}

// TestGranted says which flags of instructions become assumptions: those whose breach shows.
func TestGranted(t *testing.T) {
	for _, test := range []struct {
		name, typ, body, more string
		want                  string
	}{
		{"an overflow stays in the state", "i32", "%next = add nsw i32 %s, %a", "", "nsw"},
		{"one operation has no flag", "i32", "%b = mul i32 %a, 3\n%next = add nsw i32 %s, %b", "", "none"},
		{"an arm of a select may hide it", "i32", "%c = icmp sgt i32 %a, 0\n%t = add nsw i32 %s, %a\n%next = select i1 %c, i32 %t, i32 %s", "", "none"},
		{"a condition of a select does not", "i32", "%t = add nsw i32 %s, %a\n%c = icmp sgt i32 %t, 0\n%next = select i1 %c, i32 %t, i32 0", "", "nsw"},
		{"a later step may forget it", "i32", "%c = icmp eq i32 %a, 0\n%b = select i1 %c, i32 0, i32 %s\n%next = add nsw i32 %b, %a", "", "none"},
		{"a branch on it ends the program", "i32", "%b = add nsw i32 %a, 1\n%c = icmp sgt i32 %b, 0\nbr i1 %c, label %x, label %y\nx:\nbr label %y\ny:\n%next = phi i32 [ %a, %loop ], [ %s, %x ]", "", "nsw"},
		{"what runs in some steps only promises nothing", "i32", "%c = icmp sgt i32 %a, 0\nbr i1 %c, label %x, label %y\nx:\n%t = add nsw i32 %s, %a\nbr label %y\ny:\n%next = phi i32 [ %s, %loop ], [ %t, %x ]", "", "none"},
		{"an absolute value of the least number", "i32", "%b = call i32 @llvm.abs.i32(i32 %a, i1 true)\n%next = add nsw i32 %s, %b", "", "nsw"},
		{"one that is defined", "i32", "%b = call i32 @llvm.abs.i32(i32 %a, i1 false)\n%next = add nsw i32 %s, %b", "", "none"},
		{"all flags of floats", "float", "%next = fadd fast float %s, %a", "", "reassoc,nnan,ninf,nsz"},
		{"flags of two operations are intersected", "float", "%b = fmul reassoc nsz float %a, %k\n%next = fadd reassoc nnan float %s, %b", "", "reassoc"},
		{"NaN shows in a comparison", "float", "%c = fcmp nnan ogt float %a, %s\n%next = select i1 %c, float %a, float %s", "", "nnan"},
		{"attributes of functions promise", "float", "%c = fcmp ogt float %a, %s\n%next = select i1 %c, float %a, float %s", `"no-nans-fp-math"="true" "no-signed-zeros-fp-math"="true"`, "nnan,nsz"},
		{"and their denial does not", "float", "%c = fcmp ogt float %a, %s\n%next = select i1 %c, float %a, float %s", `"no-nans-fp-math"="false"`, "none"},
	} {
		body := strings.ReplaceAll(test.body, "br label %y\ny:\n", "br label %y\n\ny:\n")
		if strings.Contains(body, "\ny:") {
			body = strings.ReplaceAll(body, "%end", "%y")
		}
		l := loopOf(t, test.typ, body, test.more)
		if len(l.Obstacles) > 0 {
			t.Errorf("%s: %s %s", test.name, l.Obstacles[0].Kind, l.Obstacles[0].Detail)
		} else if got := l.Allowed.String(); got != test.want && !(l.WithoutSign && test.want == "nsw") {
			t.Errorf("%s: granted %s, not %s", test.name, got, test.want)
		}
	}
}

// A loop that begins anew at NaN asks for it, unless the comparison itself has nnan.
func TestQuestionOfNaN(t *testing.T) {
	const fast = "nnan nsz reassoc"
	for _, test := range []struct {
		flags string
		want  rfactor.Status
		names ir.Assume
	}{{"", rfactor.Lifted, ir.Reassoc | ir.NSZ}, {fast, rfactor.Associative, ir.Reassoc | ir.NSZ | ir.NNaN}} {
		l := loopOf(t, "float", "%t = fadd "+fast+" float %s, %a\n%c = fcmp "+test.flags+" uno float %t, 0.0\n%next = select "+fast+" i1 %c, float 0.0, float %t", "")
		a, err := l.Match(t.Context(), rfactor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if l.Allowed != ir.Reassoc|ir.NSZ|ir.NNaN || l.Named != test.names || a.Status == rfactor.Associative != (test.want == rfactor.Associative) {
			t.Errorf("with %q: allowed %s, named %s: %s %s", test.flags, l.Allowed, l.Named, a.Status, a.Reason)
		}
	}
}

// TestObstacles has a loop for each kind of obstacle, and for what looks like one.
func TestObstacles(t *testing.T) {
	seen := map[string]bool{}
	for _, test := range []struct{ kind, typ, body string }{
		{"store", "i32", "store i32 %a, ptr %q\n%next = add i32 %s, %a"},
		{"ordered effect", "i32", "%b = load volatile i32, ptr %q\n%next = add i32 %s, %b"},
		{"ordered effect", "i32", "%b = atomicrmw add ptr %q, i32 1 seq_cst\n%next = add i32 %s, %b"},
		{"unknown call", "i32", "call void @g()\n%next = add i32 %s, %a"},
		{"unknown call", "i32", "%b = call i32 asm sideeffect \"nop\", \"=r\"() nounwind willreturn memory(none)\n%next = add i32 %s, %b"},
		{"call on the state", "i32", "%next = call i32 @g(i32 %s) nounwind willreturn memory(none)"},
		{"load at an address of the state", "i32", "%w = zext i32 %s to i64\n%x = getelementptr i32, ptr %q, i64 %w\n%next = load i32, ptr %x"},
		{"end that depends on the state", "i32", "%next = add i32 %s, %a\n%c = icmp sgt i32 %s, 9\nbr i1 %c, label %exit, label %more\n\nmore:"},
		{"undef or poison", "i32", "%c = icmp sgt i32 %a, 0\n%next = select i1 %c, i32 undef, i32 %s"},
		{"undef or poison", "i32", "%next = add i32 %s, poison"},
		{"freeze", "i32", "%b = freeze i32 %a\n%next = add i32 %s, %b"},
		{"division that may be by zero", "i32", "%next = sdiv i32 %s, %a"},
		{"shift that may be past the width", "i32", "%next = shl i32 %s, %a"},
		{"maximum that may meet NaN", "float", "%next = call float @llvm.maxnum.f32(float %s, float %a)"},
		{"float to integer of the state", "float", "%b = fptosi float %s to i32\n%c = sitofp i32 %b to float\n%next = fadd float %c, %a"},
		{"unread instruction", "i32", "%b = call i32 @llvm.bswap.i32(i32 %s)\n%next = add i32 %b, %a"},
		{"", "i32", "%b = and i32 %a, 31\n%next = shl i32 %s, %b"},
		{"", "i32", "%b = sdiv i32 100, %a\n%next = add i32 %s, %b"},
		{"", "i32", "%b = sdiv i32 %a, 3\n%next = add i32 %s, %b"},
		{"", "float", "%next = call nnan nsz float @llvm.maxnum.f32(float %s, float %a)"},
		{"", "float", "%next = call float @llvm.maximum.f32(float %s, float %a)"},
		{"", "i32", "%b = call i32 @g(i32 %a) nounwind willreturn memory(none)\n%next = add i32 %s, %b"},
	} {
		body := test.body
		l := loopOf(t, test.typ, strings.ReplaceAll(body, "\n\nmore:", "\n\nmore:"), "")
		switch {
		case test.kind == "" && len(l.Obstacles) > 0:
			t.Errorf("%s: %s %s", test.body, l.Obstacles[0].Kind, l.Obstacles[0].Detail)
		case test.kind != "" && len(l.Obstacles) == 0:
			t.Errorf("%s is read: %s", test.body, ir.Strings(l.Update.Values))
		case test.kind != "" && l.Obstacles[0].Kind != test.kind:
			t.Errorf("%s: %s, not %s", test.body, l.Obstacles[0].Kind, test.kind)
		case test.kind != "" && (l.Obstacles[0].At.File != "f.ll" || l.Obstacles[0].At.Line < 5):
			t.Errorf("%s: at %v", test.body, l.Obstacles[0].At)
		}
		if len(l.Obstacles) > 0 && !slices.Contains(Kinds(), l.Obstacles[0].Kind) {
			t.Errorf("%s is no kind", l.Obstacles[0].Kind)
		}
		seen[test.kind] = true
	}
	for _, kind := range []string{"type of the state", "nested loop", "no state", "memory that is not a field", "too many components"} { // other tests, or samples, have them
		seen[kind] = true
	}
	for _, kind := range Kinds() {
		if !seen[kind] {
			t.Errorf("no loop has the obstacle %s", kind)
		}
	}
}

// TestComparisons reads every predicate of floats, and evaluates it at numbers, zeros, infinities and NaN.
func TestComparisons(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -2, math.Inf(1), math.Inf(-1), math.NaN()}
	for pred, want := range map[string]func(a, b float64) bool{
		"oeq": func(a, b float64) bool { return a == b }, "one": func(a, b float64) bool { return a < b || a > b },
		"olt": func(a, b float64) bool { return a < b }, "ole": func(a, b float64) bool { return a <= b },
		"ogt": func(a, b float64) bool { return a > b }, "oge": func(a, b float64) bool { return a >= b },
		"ueq": func(a, b float64) bool { return !(a < b || a > b) }, "une": func(a, b float64) bool { return a != b },
		"ult": func(a, b float64) bool { return !(a >= b) }, "ule": func(a, b float64) bool { return !(a > b) },
		"ugt": func(a, b float64) bool { return !(a <= b) }, "uge": func(a, b float64) bool { return !(a < b) },
		"uno": func(a, b float64) bool { return a != a || b != b }, "ord": func(a, b float64) bool { return a == a && b == b },
	} {
		l := loopOf(t, "float", "%c = fcmp "+pred+" float %s, %a\n%next = select i1 %c, float 1.0, float 2.0", "")
		nan := loopOf(t, "float", "%c = fcmp "+pred+" float %s, 0x7FF8000000000000\n%next = select i1 %c, float 1.0, float 2.0", "")
		for _, a := range values {
			for _, b := range values {
				env := &ir.Env{Var: func(v ir.Expr) uint64 {
					if v.Kind() == ir.State {
						return ir.FloatBits(ir.F32, a)
					}
					return ir.FloatBits(ir.F32, b)
				}}
				of := func(l *Loop) bool { return ir.Float(ir.F32, ir.Eval(l.Update.Values[0], env)) == 1 }
				if of(l) != want(a, b) {
					t.Errorf("%s of %v and %v is %v", pred, a, b, of(l))
				}
				if of(nan) != want(a, math.NaN()) {
					t.Errorf("%s of %v and NaN is %v", pred, a, of(nan))
				}
			}
		}
	}
}

// TestErrors compares messages about what is no IR.
func TestErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"int main() {}", `f.ll:1:1: expected a definition, a declaration or metadata, not "int"`},
		{"define i32 @f() {\n  ret i32 0\n", "f.ll:1:1: the body of @f is not closed"},
		{"define i32 @f() {\n  %a = add i32 1\n}", "f.ll:2:17: expected \",\", not the end of the line\n      %a = add i32 1\n                    ^"},
		{"define i32 @f() {\n  %a = add i33x 1, 2\n}", `expected a type, not "i33x"`},
		{"define i32 @f() {\n  %a = add i32 x, 2\n}", `expected a value, not "x"`},
		{"define i32 @f() {\n  %a = fadd float 1.z, 2.0\n}", `"1.z" is no number of type float`},
		{"define i32 @f() {\nx:\n  br label %x\nx:\n  ret i32 0\n}", "f.ll:4:1: a second block %x"},
		{"define i32 @f() {\n  %a = add i32 1, 2\n  %a = add i32 1, 2\n  ret i32 0\n}", "f.ll:3:3: a second value %a"},
		{"define i32 @f() {\n  %a = add i32 1, 2\n}", "does not end in a branch or a return"},
		{"define i32 @f() {\n}", "@f has no blocks"},
	} {
		_, err := Parse("f.ll", test.text)
		var e *ir.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, not %s", test.text, err, test.want)
		}
	}
}

// TestSource finds the lines of a program that was compiled with -g.
func TestSource(t *testing.T) {
	m, err := Parse("f.ll", `define i32 @f(ptr %p, i64 %n) !dbg !3 {
entry:
  br label %loop, !dbg !5
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i, !dbg !6
  %a = load i32, ptr %at, align 4, !dbg !6, !range !8, !noundef !9
  %t = add i32 %s, %a, !dbg !6
  %j = add i64 %i, 1, !dbg !5
  %c = icmp eq i64 %j, %n, !dbg !5
  br i1 %c, label %exit, label %loop, !dbg !5
exit:
  ret i32 %t, !dbg !7
}
!1 = !DIFile(filename: "sum.c", directory: "/src")
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 2)
!4 = distinct !DILexicalBlock(scope: !3, file: !1, line: 4, column: 3)
!5 = !DILocation(line: 4, column: 3, scope: !4)
!6 = !DILocation(line: 5, column: 10, scope: !4)
!7 = !DILocation(line: 6, column: 3, scope: !3)
!8 = !{i32 -2, i32 9}
!9 = !{}
`)
	if err != nil {
		t.Fatal(err)
	}
	l := m.Loops()[0]
	if want := (Place{"sum.c", 4, 3}); l.Source != want {
		t.Errorf("the loop is at %v, not %v", l.Source, want)
	}
	if want := (Place{"sum.c", 5, 10}); len(l.Inputs) != 1 || l.Inputs[0].Source != want {
		t.Errorf("inputs are %v", l.Inputs)
	}
	if got := ir.Strings(l.Update.Given); got != "-2 <= y0; y0 < 9" {
		t.Errorf("given is %s", got)
	}
}

// FuzzParse looks for panics of the parser and the reader.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"testdata/loops-14.ll", "testdata/combiners-16.ll", "testdata/lib-22.ll"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.SplitAfter(string(text), "\n}\n") {
			if len(part) < 4000 {
				f.Add(part)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("f.ll", text)
		if err != nil {
			if broken := new(rfactor.InternalError); errors.As(err, &broken) {
				t.Fatal(err)
			}
			return
		}
		for _, l := range m.Loops() {
			checkFinding(t, &l.Finding)
			for _, of := range l.others {
				if f, ok := of(); ok {
					checkFinding(t, &f)
				}
			}
		}
		for _, op := range m.Operators() {
			checkFinding(t, &op.Finding)
		}
	})
}

func checkFinding(t *testing.T, f *Finding) {
	for _, o := range f.Obstacles {
		if strings.HasPrefix(o.Detail, "internal: ") {
			t.Fatal(o.Detail)
		}
	}
	if (f.Update == nil) == (len(f.Obstacles) == 0) {
		t.Fatalf("@%s has an update and obstacles, or neither", f.Func)
	}
	if f.Update != nil {
		if _, err := rfactor.Match(context.Background(), f.Update, rfactor.Options{Allowed: f.Allowed, Effort: 1, Matchers: rfactor.Exact}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAtOnce answers findings of one module at once; the race detector looks on.
func TestAtOnce(t *testing.T) {
	m := parsed(t, "testdata/combiners-16.ll")
	done := make(chan error)
	for range 4 {
		go func() {
			for _, op := range m.Operators() {
				if _, err := op.Check(context.Background(), check.Options{Effort: 100}); err != nil {
					done <- err
					return
				}
			}
			for _, l := range m.Loops() {
				if _, err := l.Match(context.Background(), rfactor.Options{}); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
