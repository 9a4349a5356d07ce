package read

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/ssatest"
	"github.com/rfactor-go/rfactor/ir"
)

// readLoop reads the innermost loop of the function f.
func readLoop(t *testing.T, code string) *Loop {
	t.Helper()
	pkg := ssatest.Build(t, code)
	for _, l := range loops.Of(pkg.Func("f")) {
		if l.Innermost {
			return Of(l, pkg.Sizes, NewPurity(nil, pkg.Sizes), false)
		}
	}
	t.Fatal("f has no loop")
	return nil
}

// A loop is read as an update of its phis, in which branches are selects.
func TestUpdates(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"sum", "func f(a []int) (s int) { for _, v := range a { s += v }; return s }", "x0 + y0"},
		{"branch", "func f(a []int) (s int) { for _, v := range a { if v > s { s = v } }; return s }", "select(y0 > x0, y0, x0)"},
		{"continue", "func f(a []int) (s int) { for _, v := range a { if v < 0 { continue }; s += v }; return s }", "select(y0 < 0, x0, x0 + y0)"},
		{"invariant", "func f(a []int, k int) (s int) { for _, v := range a { s = s*k + v }; return s }", "x0*k0 + y1"},
		{"two components", "func f(a []int) (s, n int) { for _, v := range a { if v > 0 { s += v; n++ } }; return }", "select(y0 > 0, x0 + y0, x0); select(y0 > 0, x1 + 1, x1)"},
		{"narrow arithmetic wraps", "func f(a []uint8) (s uint8) { for _, v := range a { s = s<<1 ^ v }; return s }", "(x0 << 1) ^ y0"},
		{"function without effects", "func g(x int) int { return x*x }\nfunc f(a []int) (s int) { for _, v := range a { s += g(v) }; return s }", "x0 + y1"},
		{"builtin", "func f(a []int) (s int) { for _, v := range a { s = max(s, v) }; return s }", "max(x0, y0)"},
		{"variable in memory", "func f(a []int, p *int) (s int) { for _, v := range a { *p = s; s += v + *p }; return s }", "x0 + (y0 + x0); x0"},
		{"conjunction", "func f(a []int) bool { ok := true; for _, v := range a { ok = ok && v > 0 }; return ok }", "x0 && y0 > 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := readLoop(t, c.code)
			if l.Update == nil {
				t.Fatalf("is not read: %v", l.Obstacles)
			}
			if diff := cmp.Diff(c.want, ir.Strings(l.Update.Values)); diff != "" {
				t.Errorf("update (-want +got):\n%s", diff)
			}
		})
	}
}

// Of what cannot be read there is the kind of obstacle, and no update.
func TestObstacles(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		code string
	}{
		{Scalar, "func f(a []int) (s int) { p := &a[0]; for _, v := range a { *p = s; s += v }; return s }"},
		{UnknownCall, "var g func(int) int\nfunc f(a []int) (s int) { for _, v := range a { s += g(v) }; return s }"},
		{MapOrder, "func f(a map[int]int) (s int) { for _, v := range a { if s > 99 { break }; s += v }; return s }"},
		{Channel, "func f(a chan int) (s int) { for v := range a { s += v }; return s }"},
		{Goroutine, "func g() {}\nfunc f(a []int) (s int) { for _, v := range a { go g(); s += v }; return s }"},
		{StateType, "func f(a []string) (s string) { for _, v := range a { s += v }; return s }"},
		{StateAddress, "func f(a []int) (s int) { for range a { s = a[s] }; return s }"},
		{StateToInt, "func f(a []float64) (s float64) { for _, v := range a { s += float64(int(s)) + v }; return s }"},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			l := readLoop(t, c.code)
			if !slices.ContainsFunc(l.Obstacles, func(o Obstacle) bool { return o.Kind == c.kind }) {
				t.Errorf("obstacles %v, want %q", l.Obstacles, c.kind)
			}
			if l.Update != nil && len(l.Obstacles) > 0 {
				t.Errorf("has the update %s and obstacles", ir.Strings(l.Update.Values))
			}
		})
	}
}

// A function is pure unless it, or what it calls, writes what others see.
func TestPurity(t *testing.T) {
	pkg := ssatest.Build(t, `
var global int
func square(x int) int { return x*x }
func local(x int) int { var a [4]int; a[x&3] = x; return a[0] }
func load(p *int) int { return *p }
func write(p *int) { *p = 1 }
func count() int { global++; return global }
func caller(x int) int { return square(x) + count() }
func unknown(f func()) { f() }
func endless(x int) int { for x != 1 { x *= 3 }; return x }
`)
	purity := NewPurity(nil, pkg.Sizes)
	for name, want := range map[string]struct{ pure, ends bool }{
		"square": {true, true}, "local": {true, true}, "load": {true, true}, "write": {}, "count": {},
		"caller": {}, "unknown": {}, "endless": {true, false},
	} {
		f := pkg.Func(name)
		if got := purity.Has(f); got != want.pure {
			t.Errorf("%s is pure: %v, want %v", name, got, want.pure)
		}
		if got := purity.Ends(f); want.pure && got != want.ends {
			t.Errorf("%s ends: %v, want %v", name, got, want.ends)
		}
	}
}

// A body that is written down and read again computes the same; nodes that are no expressions are no body.
func TestPortable(t *testing.T) {
	pkg := ssatest.Build(t, "func clamp(x, low, high int) int { if x < low { return low }; if high < x { return high }; return x }")
	body := NewPurity(nil, pkg.Sizes).Body(pkg.Func("clamp"))
	if body == nil {
		t.Fatal("clamp has no body in the notation")
	}
	p := body.Portable()
	again := p.Body()
	if again == nil {
		t.Fatal("the body is not read again")
	}
	if diff := cmp.Diff(p, again.Portable()); diff != "" {
		t.Errorf("written again (-first +second):\n%s", diff)
	}
	for name, spoil := range map[string]func(n *Node){
		"type of the node":     func(n *Node) { n.Type = ir.F32 },
		"operand behind it":    func(n *Node) { n.Args = []int{len(p.Nodes), 0} },
		"operands too few":     func(n *Node) { n.Args = nil },
		"operator that is not": func(n *Node) { n.Op = 255 },
	} {
		bad := &Portable{Nodes: slices.Clone(p.Nodes), Params: p.Params, Results: p.Results}
		spoil(&bad.Nodes[len(bad.Nodes)-1])
		if bad.Body() != nil {
			t.Errorf("%s: is a body", name)
		}
	}
}

// A value has several words where it is, or holds, a string, a slice or an interface.
func TestHasWords(t *testing.T) {
	pkg := ssatest.Build(t, `
type (
	number  int
	text    string
	list    []int
	any1    interface{ M() }
	pointer *[]int
	table   map[string]string
	array   [3]int
	texts   [3]string
	pair    struct{ a, b int }
	named   struct{ a int; b struct{ c string } }
)`)
	for name, want := range map[string]bool{"number": false, "text": true, "list": true, "any1": true, "pointer": false, "table": false,
		"array": false, "texts": true, "pair": false, "named": true} {
		if got := HasWords(pkg.Type(name).Type()); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// The zero Facts know nothing, and then what was added.
func TestFacts(t *testing.T) {
	var fs Facts
	if got := fs.Of("p.f"); got.Pure || got.Ends || got.Body != nil {
		t.Errorf("%+v is known of a function that nobody added", got)
	}
	fs.Add("p.f", Fact{Pure: true, Panics: []string{"index"}})
	if got := fs.Of("p.f"); !got.Pure || !slices.Equal(got.Panics, []string{"index"}) {
		t.Errorf("%+v is known of a function that was added", got)
	}
}
