package construct

import (
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// constructions are the ways to build operators, under the names that answers show.
var constructions = map[string]func(pool *ir.Pool, p *tuple.Part) iter.Seq[Candidate]{
	"keyed":     Keyed,
	"conjugate": func(pool *ir.Pool, p *tuple.Part) iter.Seq[Candidate] { return Conjugate(pool, p, func(int) {}) },
	"built": func(pool *ir.Pool, p *tuple.Part) iter.Seq[Candidate] {
		meter := new(effort.Meter)
		meter.Start(1000 * effort.Unit)
		return Built(&Setting{Pool: pool, Registers: new(tape.Registers), Buffers: new(Buffers), Meter: meter}, p)
	},
}

// Some candidate is an operator behind the update, at all drawn points: it makes the update of inject, and is associative.
func TestCandidates(t *testing.T) {
	for _, c := range []struct{ name, by, types, exprs string }{
		{"payload of the least key", "keyed", "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1)"},
		{"last payload of the greatest key", "keyed", "x0:i32,x1:i32,y0:i32,y1:i32", "max(x0, y0); select(y0 >= x0, y1, x1)"},
		{"second best", "keyed", "x0:i32,x1:i32,y0:i32", "max(x0, y0); select(y0 > x0, x0, max(x1, y0))"},
		{"how many are best", "keyed", "x0:i32,x1:i32,y0:i32", "min(x0, y0); select(y0 < x0, 1, select(y0 == x0, x1 + 1, x1))"},
		{"running mean", "conjugate", "x0:f64,x1:f64,y0:f64", "x0 + 1.0; x1 + (y0 - x1)/(x0 + 1.0)"},
		{"action of a sign", "built", "x0:i32,x1:bool,y0:i32,y1:bool", "select(x1, x0 - y0, x0 + y0); x1 != y1"},
		{"carries of a sum", "built", "x0:u64,x1:u64,y0:u64", "x0 + y0; x1 + select(x0 + y0 < x0, 1, 0)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pool, p := partOf(t, c.types, c.exprs)
			n := 0
			for candidate := range constructions[c.by](pool, p) {
				if n++; holds(pool, p, candidate) {
					return
				}
			}
			t.Errorf("none of %d candidates is an operator behind the update", n)
		})
	}
}

// A construction yields nothing for a part that does not have its form.
func TestNoCandidates(t *testing.T) {
	for _, c := range []struct{ name, by, types, exprs string }{
		{"one component", "keyed", "x0:i32,y0:i32", "max(x0, y0)"},
		{"no key", "keyed", "x0:i32,x1:i32,y0:i32", "x0 + y0; x1*y0"},
		{"integers", "conjugate", "x0:i32,x1:i32,y0:i32", "x0 + 1; x1 + (y0 - x1)/(x0 + 1)"},
		{"one component", "built", "x0:i32,y0:i32", "x0 + y0"},
	} {
		pool, p := partOf(t, c.types, c.exprs)
		for candidate := range constructions[c.by](pool, p) {
			t.Errorf("%s, %s: %s", c.by, c.name, ir.Strings(candidate.Exprs))
		}
	}
}

// A caller may stop after any candidate, and buffers serve the next part.
func TestBuiltIsStopped(t *testing.T) {
	pool, p := partOf(t, "x0:u64,x1:u64,y0:u64", "x0 + y0; x1 + select(x0 + y0 < x0, 1, 0)")
	meter, buffers := new(effort.Meter), new(Buffers)
	meter.Start(1000 * effort.Unit)
	s := &Setting{Pool: pool, Registers: new(tape.Registers), Buffers: buffers, Meter: meter}
	var first [2]string
	for i := range first {
		for c := range Built(s, p) {
			first[i] = ir.Strings(c.Exprs)
			break
		}
	}
	if first[0] == "" || first[0] != first[1] {
		t.Errorf("the first candidate is %q, and with the same buffers %q", first[0], first[1])
	}
}

func partOf(t *testing.T, types, exprs string) (*ir.Pool, *tuple.Part) {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), types, exprs)
	if err != nil {
		t.Fatal(err)
	}
	return u.Pool, tuple.Restrict(u.Pool, u.Types, u.Values, tuple.Indices(len(u.Types)))
}

// holds reports whether a candidate is an operator behind a part at drawn points. Floats are small integers there.
func holds(pool *ir.Pool, p *tuple.Part, c Candidate) bool {
	n := len(p.Types)
	operands := func(kind func(int, ir.Type) ir.Expr, offset int) (es []ir.Expr) {
		for i, t := range p.Types {
			es = append(es, kind(offset+i, t))
		}
		return es
	}
	y, z := operands(pool.Y, 1000), operands(pool.Y, 2000)
	apply := func(a, b []ir.Expr) []ir.Expr {
		return pool.Map(c.Exprs, func(e ir.Expr) ir.Expr {
			switch {
			case e.Op() != ir.Var || e.Index() >= n:
				return ir.Expr{}
			case e.Kind() == ir.State:
				return a[e.Index()]
			case e == pool.Y(e.Index(), e.Type()):
				return b[e.Index()]
			}
			return ir.Expr{}
		})
	}
	step := apply(p.States, c.Inject)
	left, right := apply(apply(p.States, y), z), apply(p.States, apply(y, z))
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		values := map[ir.Expr]uint64{}
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			value, ok := values[v]
			if !ok {
				if value = testpoint.Draw(rng, v.Type(), 0, rng.IntN(3)); v.Type().IsFloat() {
					value = ir.FloatBits(v.Type(), float64(1+rng.IntN(9)))
				}
				values[v] = value
			}
			return value
		}}
		for i, t := range p.Types {
			same := func(a, b ir.Expr) bool { return testpoint.Close(t, ir.Reassoc, ir.Eval(a, env), ir.Eval(b, env)) }
			if !same(step[i], p.Values[i]) || !same(left[i], right[i]) {
				return false
			}
		}
	}
	return true
}
