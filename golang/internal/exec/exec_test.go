package exec_test

import (
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/golang/internal/exec"
	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/golang/internal/ssatest"
	"github.com/rfactor-go/rfactor/ir"
)

// readLoop reads the innermost loop of the function f.
func readLoop(t *testing.T, code string) (*read.Loop, *ssatest.Package) {
	t.Helper()
	p := ssatest.Build(t, code)
	for _, l := range loops.Of(p.Func("f")) {
		if !l.Innermost {
			continue
		}
		got := read.Of(l, p.Sizes, read.NewPurity(nil, p.Sizes), false)
		if got.Update == nil {
			t.Fatalf("is not read: %v", got.Obstacles)
		}
		return got, p
	}
	t.Fatal("f has no loop")
	return nil, nil
}

// Steps are executed as the compiler would, and agree with what was read.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, code string }{
		{"sum", "func f(a []int) (s int) { for _, v := range a { s += v }; return s }"},
		{"narrow integers wrap", "func f(a []int8) (s int8) { for _, v := range a { s = s*3 - v }; return s }"},
		{"shifts by the width", "func f(a []uint8, k uint) (s uint8) { for _, v := range a { s = s<<k ^ v>>k }; return s }"},
		{"division rounds to zero", "func f(a []int, k int) (s int) { for _, v := range a { s += v/k + v%k }; return s }"},
		{"floats", "func f(a []float32) (s float32) { for _, v := range a { s = max(s, v) }; return s }"},
		{"complex", "func f(a []complex128) (s complex128) { for _, v := range a { s += v }; return s }"},
		{"conversion", "func f(a []int64) (s uint16) { for _, v := range a { s ^= uint16(v) }; return s }"},
		{"call", "func g(x, y int) int { if x < y { return y }; return x }\nfunc f(a []int) (s int) { for _, v := range a { s = g(s, v) }; return s }"},
		{"bytes of a string", "func f(a string) (s uint32) { for i := 0; i < len(a); i++ { s = s*31 + uint32(a[i]) }; return s }"},
		{"struct", "type p struct{ x, y int }\nfunc f(a []p) (s int) { for _, v := range a { s += v.x*v.y }; return s }"},
		{"struct of numbers", "type p struct{ x int8; y float32 }\nfunc f(a []p) (s p) { for _, v := range a { s = p{s.x + v.x, max(s.y, v.y)} }; return s }"},
		{"call gives a struct", "type q struct{ n uint8 }\ntype p struct{ x int; y q }\nfunc (a p) plus(b p) p { if b.x < a.x { return a }; return p{a.x + b.x, q{a.y.n ^ b.y.n} } }\nfunc f(a []p) (s p) { for _, v := range a { s = s.plus(v) }; return s }"},
		{"struct in memory", "type p struct{ x, y int }\nfunc f(a []p) (s int) { var c p; for _, v := range a { c = p{c.x + v.y, max(c.y, v.x)} }; c.x++; return c.x }"},
		{"struct chosen by the state", "type p struct{ n uint64 }\nfunc f(a, b []p) (s p) { for i := range a { t := b[i]; if s.n&1 == 0 { t = a[i] }; s = p{s.n + t.n} }; return s }"},
		{"ends by the state", "func f(a []int) (s int) { for _, v := range a { if s > 9 { break }; s += v }; return s }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, p := readLoop(t, c.code)
			if res := Check(l, p.Sizes, nil, 1, 50); res.Err != nil || res.Steps != 50 || res.Reason != "" {
				t.Errorf("%+v, want 50 steps that agree", res)
			}
		})
	}
}

// A wrong update, or a wrong condition to go on, is told from the step.
func TestCheckTellsDifferences(t *testing.T) {
	const sum = "func f(a []int8) (s int8) { for _, v := range a { if v > 0 { s += v } }; return s }"
	for _, c := range []struct {
		name  string
		spoil func(l *read.Loop)
		want  string
	}{
		{"keeps the state", func(l *read.Loop) { l.Update.Values[0] = l.Update.Pool.X(0, ir.I8) }, "a step gives"},
		{"one more", func(l *read.Loop) { l.Update.Values[0] = ir.AddOf(l.Update.Values[0], l.Update.Pool.Int(ir.I8, 1)) }, "a step gives"},
		{"saturates", func(l *read.Loop) {
			v := l.Update.Values[0]
			l.Update.Values[0] = ir.SelectOf(v.Arg(0), ir.Make(ir.SatAdd, v.Arg(1).Arg(0), v.Arg(1).Arg(1)), v.Arg(2))
		}, "a step gives"},
		{"never ends", func(l *read.Loop) { l.Stay = ir.NotOf(l.Stay) }, "the loop goes on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, p := readLoop(t, sum)
			c.spoil(l)
			if res := Check(l, p.Sizes, nil, 1, 400); res.Err == nil || !strings.Contains(res.Err.Error(), c.want) {
				t.Errorf("%+v, want an error with %q", res, c.want)
			}
		})
	}
}

// The same seed draws the same steps.
func TestCheckIsRepeatable(t *testing.T) {
	l, p := readLoop(t, "func f(a []int, k int) (s int) { for _, v := range a { if v == k { break }; s += v/k }; return s }")
	if a, b := Check(l, p.Sizes, nil, 7, 20), Check(l, p.Sizes, nil, 7, 20); a != b {
		t.Errorf("%+v, and then %+v", a, b)
	}
}

// Why no step ran is said.
func TestCheckReasons(t *testing.T) {
	l, p := readLoop(t, "func f(a []int) (s int) { for _, v := range a { s += v / (v - v) }; return s }")
	if res := Check(l, p.Sizes, nil, 1, 20); res.Steps != 0 || !strings.HasPrefix(res.Reason, "panic: ") {
		t.Errorf("%+v, want a panic in every step", res)
	}
}
