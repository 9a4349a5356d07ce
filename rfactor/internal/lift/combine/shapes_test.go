package combine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// forms has an update of the form of each family, and of some ways to join families. The name is that of the shape, without the
// memory that it needs.
var forms = []struct{ name, assume, types, exprs string }{
	{"last element and keep", "none", "x0:f32,x1:f32,y0:f32", "x1; y0"},
	{"affine", "none", "x0:i32,x1:i32,y0:i32", "x0 + 2*x1 + y0; x0*y0"},
	{"bitwise", "none", "x0:u8,y0:u8,y1:u8", "(x0 & y0) ^ y1"},
	{"appended", "none", "x0:u64,y0:u64", "(x0 << 1) | y0"},
	{"prepended", "none", "x0:u64,y0:u64", "(x0 >> 1) | y0"},
	{"cut", "none", "x0:i16,y0:i16,y1:i16", "((x0 << 1) | y0) & y1"},
	{"cut below", "none", "x0:u64,y0:u64,y1:u64", "(x0 & y1) >> y0"},
	{"rotated", "none", "x0:u8,y0:u8", "(x0 << 1) ^ y0"},
	{"xorshift", "none", "x0:u8,y0:u8", "x0 ^ (y0 << 1) ^ (x0 << 1)"},
	{"fraction", "reassoc", "x0:f64,y0:f64", "y0/(x0 + 3.0)"},
	{"shift", "none", "x0:i32,y0:i32", "x0 >> y0"},
	{"quotient", "none", "x0:u8,y0:u8", "x0/y0"},
	{"carry", "none", "x0:u8,y0:u8,y1:u8", "u8((u16(y0)*u16(y1) + u16(x0)) >> 8)"},
	{"saturating", "none", "x0:i8,y0:i8", "saturating_add(x0, y0)"},
	{"capped", "none", "x0:i32,y0:bool", "x0 + select(y0 && x0 != 10, 1, 0)"},
	{"aligned", "none", "x0:u32,y0:bool,y1:bool", "select(y0, 0, select(y1, (x0 | 7) + 1, x0 + 1))"},
	{"clamp", "nsw", "x0:i32,y0:i32", "max(-x0, y0)"},
	{"max-plus", "nsw", "x0:i32,x1:i32,y0:i32", "max(x0, x1 + y0); x0"},
	{"min-plus", "nsw", "x0:i32,x1:i32,y0:i32", "min(x0, x1) + y0; x0"},
	{"record", "none", "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1 + 1)"},
	{"modular", "nsw", "x0:i32,x1:i32,y0:i32", "x0 + y0; (x1 + x0 + y0) % 11"},
	{"low bits", "none", "x0:i16,y0:i16", "(x0*31 + y0) & 1023"},
	{"window", "nsw", "x0:i32,x1:bool,y0:i32", "x0 + y0; x1 || x0 + y0 < 0"},
	{"interval", "reassoc,nnan", "x0:f64,x1:f64,y0:f64", "max(y0, max(x0*y0, x1*y0)); min(y0, min(x0*y0, x1*y0))"},
	{"mirrored", "nsw", "x0:i64,x1:i64,y0:i64", "select(y0 < 0, max(y0, x1*y0), max(y0, x0*y0)); select(y0 < 0, min(y0, x0*y0), min(y0, x1*y0))"},
	{"hull", "nsw", "x0:i64,x1:i64,y0:i64", "x0*y0; max(x1, x0*y0)"},
	{"phased", "nsw", "x0:i32,x1:i32,y0:bool", "select(y0, select(x0 > 0, x0 + 1, 1), select(x0 < 0, x0 - 1, -1)); max(x1, select(y0, select(x0 > 0, x0 + 1, 1), select(x0 < 0, x0 - 1, -1)))"},
	{"crossing", "nsw", "x0:i32,x1:i32,r:i32,y0:i32", "max(y0 + x0, 0); select(x0 < (-y0), r, x1)"},
	{"marked", "nsw", "x0:i32,x1:i32,x2:i32,r:i32,y0:i32", "max(x0 + y0, 0); max(x1, x0 + y0); select(x0 + y0 > x1, r, x2)"},

	{"strict", "none", "x0:f32,x1:i32,y0:f32,r:i32", "select(y0 > x0, y0, x0); select(y0 > x0, r, x1)"},
	{"segments", "none", "x0:i32,x1:i32,y0:i32,y1:bool", "select(y1, 0, x0 + y0); x1 + select(y1 && x0 > 10, 1, 0)"},
	{"segments", "none", "x0:i32,x1:i32,y0:i32,y1:bool", "select(y1, y0, x0); select(x0 > 5, y0, x1)"},
	{"segments", "none", "x0:i32,x1:i32,y0:i32,y1:bool", "select(y1, 7, x0*3 + y0); select(y1, x1*5 + x0, x1 - 2)"},
	{"segments", "nsw", "x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); x1 + select(y0 && x0 == 2, 1, 0)"},
	{"polynomial", "reassoc", "x0:f64,x1:f64,y0:f64", "x0 + y0; x1 + x0*x0*y0"},
	{"bit matrix", "none", "x0:u16,y0:u16", "(x0 >> 1) ^ ((0 - (x0 & 1)) & 46080) ^ y0"},
	{"table", "none", "x0:bool,x1:bool,y0:bool", "y0; x0"},
	{"table of affine", "none", "x0:bool,x1:u32,y0:bool", "x0 != y0; x1 + select(x0, 1, 0)"},
	{"last element and affine", "none", "x0:i32,x1:i32,y0:i32", "y0; x1 + abs(x0 - y0)"},
	{"last two elements and affine", "none", "x0:i32,x1:i32,x2:i32,y0:i32", "y0; x0; x2 + abs(y0 - 2*x0 + x1)"},
}

// Each form has a shape of its family, and at drawn points the shape obeys the laws that the matcher proves: it acts as a step
// does, and compositions act as two steps do.
func TestShapesObeyTheirLaws(t *testing.T) {
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			assume, err := ir.ParseAssume(form.assume)
			if err != nil {
				t.Fatal(err)
			}
			u, err := program.ParseUpdate(ir.NewPool(), form.types, form.exprs)
			if err != nil {
				t.Fatal(err)
			}
			p := tuple.Restrict(u.Pool, u.Types, u.Values, tuple.Indices(len(u.Types)))
			s, others := shapeOf(u.Pool, p, assume, form.name)
			if s == nil {
				t.Fatalf("no shape has this name; there are %q", others)
			}
			checkLaws(t, u.Pool, p, s, assume)
		})
	}
}

// An update of no form has no shape: squares of squares are of a degree that doubles with every step.
func TestNoShape(t *testing.T) {
	for name, exprs := range map[string]string{"square": "x0*x0 + y0", "quotient": "y0 / (x0 | 1)"} {
		u, err := program.ParseUpdate(ir.NewPool(), "x0:i32,y0:i32", exprs)
		if err != nil {
			t.Fatal(err)
		}
		p := tuple.Restrict(u.Pool, u.Types, u.Values, []int{0})
		if _, others := shapeOf(u.Pool, p, ir.NSW, "none"); len(others) > 0 {
			t.Errorf("%s has the shapes %q", name, others)
		}
	}
}

// shapeOf returns the first shape of a part that has a name, or nil and the names of all.
func shapeOf(pool *ir.Pool, p *tuple.Part, assume ir.Assume, name string) (*lift.Shape, []string) {
	workspace := &sample.Workspace{}
	cx := &lift.Context{Over: func() bool { return false }, Consider: func(int) {}, Pool: pool, Allowed: assume,
		Workspace: workspace, Sample: sample.New(workspace), Unfolded: map[ir.Expr]ir.Expr{}, Unread: func(string, ir.Expr) {},
		Operator: func(*tuple.Part, []ir.Expr) (*prove.Proven, []ir.Expr) { return nil, nil }}
	var names []string
	for _, unbounded := range []bool{false, true} {
		if unbounded && !cx.MayBeUnbounded(p) {
			continue
		}
		for s := range family.Shapes(cx, p, unbounded) {
			if s.Name == name {
				return s, nil
			}
			names = append(names, s.Name)
		}
		for s := range Joined(cx, p, unbounded) {
			if s.Name == name {
				return s, nil
			}
			names = append(names, s.Name)
		}
	}
	return nil, names
}

// checkLaws evaluates the laws of a shape:
//
//	apply(x, inject) = update
//	apply(apply(x, a), b) = apply(x, compose(a, b))
//	apply(x, identity) = x
func checkLaws(t *testing.T, pool *ir.Pool, p *tuple.Part, s *lift.Shape, assume ir.Assume) {
	t.Helper()
	var a, b []ir.Expr // cells of two steps
	for i, c := range s.Inject {
		a, b = append(a, pool.Y(1000+i, c.Type())), append(b, pool.Y(2000+i, c.Type()))
	}
	acts := s.Apply(p.States, s.Inject)
	twice, composed := s.Apply(s.Apply(p.States, a), b), s.Apply(p.States, s.Compose(a, b))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		values := map[ir.Expr]uint64{}
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			value, ok := values[v]
			if !ok {
				value = draw(rng, v.Type(), assume)
				values[v] = value
			}
			return value
		}}
		equal := func(law string, left, right []ir.Expr) {
			t.Helper()
			for i, e := range left {
				if got, want := ir.Eval(e, env), ir.Eval(right[i], env); !testpoint.Close(e.Type(), assume, got, want) {
					t.Fatalf("%s: component %d: %s is %#x, and %s is %#x", law, i, e, got, right[i], want)
				}
			}
		}
		equal("a step", acts, p.Values)
		if s.Identity != nil && s.Name != "interval" { // which is neutral on states whose maximum is not below their minimum
			equal("identity", s.Apply(p.States, s.Identity), p.States)
		}
		for _, cells := range [][]ir.Expr{a, b} { // each of a step with inputs of its own
			step := &ir.Env{Var: func(v ir.Expr) uint64 { return draw(rng, v.Type(), assume) }}
			for i, bits := range ir.EvalAll(s.Inject, step) {
				values[cells[i]] = bits
			}
		}
		equal("two steps", twice, composed)
	}
}

// draw draws a value: small numbers where nothing may overflow or round.
func draw(rng *rand.Rand, t ir.Type, assume ir.Assume) uint64 {
	switch {
	case t.IsFloat():
		return ir.FloatBits(t, float64(rng.IntN(9)-4))
	case t.IsInt() && assume.Unbounded(t):
		return ir.NewPool().Int(t, int64(rng.IntN(41)-20)).Value()
	}
	return testpoint.Draw(rng, t, assume, rng.IntN(3))
}

// Names lists each family and each way to join families once.
func TestNames(t *testing.T) {
	names := Names()
	sorted := slices.Sorted(slices.Values(names))
	if once := slices.Compact(sorted); len(once) != len(names) {
		t.Errorf("%q has a name twice", names)
	}
	var tested []string
	for _, f := range forms {
		tested = append(tested, f.name)
	}
	var missing []string
	for _, f := range family.All {
		if !slices.Contains(tested, f.Name) && !slices.Contains(tested, "last element and "+f.Name) {
			missing = append(missing, f.Name)
		}
	}
	// These need the matcher to find an operator for them, or what is given of the state.
	if want := "segmented projective sentinel watch floor coordinates cyclic residues ranked softmax alarm"; strings.Join(missing, " ") != want {
		t.Errorf("the families without a form here are %q, want %q", missing, want)
	}
}
