package golang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// orderLimit bounds the work of a proof that two steps commute, in counted nanoseconds.
const orderLimit = 200e6

// orderOfMap keeps what was found of a range over a map where every order gives the same: where any two steps with
// different keys commute. By an operator that is associative and commutative they do. Otherwise the equation
//
//	f(f(x, k, a), l, b) = f(f(x, l, b), k, a)   for k ≠ l
//
// is proven, or the loop has an obstacle that shows two orders with different results. What a step reads besides its key may be
// anything.
func (f *Finding) orderOfMap(ctx context.Context, l *read.Loop, u *ir.Update, was map[ir.Expr]ir.Expr, names words, allowed ir.Assume) {
	if !l.OverMap {
		return
	}
	if f.Verdict == Reduction && slices.Contains(f.Laws, "commutative") {
		f.OverMap = true
		return
	}
	s := newSwap(l, u, was)
	t := prove.Prove(ctx, s.problems(), prove.Options{Allowed: allowed &^ (ir.NSW | ir.NUW), Limit: orderLimit})
	if t.Status == prove.Proved {
		f.OverMap = true
		for _, name := range t.Assumes.Names() {
			if !slices.Contains(f.Assumes, name) {
				f.Assumes = append(f.Assumes, name)
			}
		}
		return
	}
	detail := "not proven to give the same in every order"
	if t.Status == prove.Refuted && !hasTokens(l) { // the numbers of tokens are nothing to show
		if example := s.example(t, f.State, names.text); example != "" {
			detail = example
		}
	}
	*f = Finding{Pos: f.Pos, at: f.at, Func: f.Func, Verdict: Stopped, State: f.State, Update: f.Update, Panics: f.Panics,
		Obstacles: []Stop{{Kind: string(read.MapOrder), Detail: detail, Pos: f.Pos}}}
}

func hasTokens(l *read.Loop) bool {
	return slices.Contains(l.Parts, read.Token) || slices.ContainsFunc(l.Cells, func(c *read.Cell) bool { return c.Part == read.Token })
}

// swap is an update with its inputs twice: those of one step, and those of another.
type swap struct {
	pool   *ir.Pool
	states []ir.Expr
	inputs [2][]ir.Expr // y0, y1, … of both steps
	texts  []string     // what they are in the source; empty of those that may be no free choice
	values []ir.Expr
	leaves []ir.Expr // in values
	key    int       // which input is the key; -1 where none is
}

func newSwap(l *read.Loop, u *ir.Update, was map[ir.Expr]ir.Expr) *swap {
	s := &swap{pool: ir.NewPool(), key: -1}
	for i, t := range u.Types {
		s.states = append(s.states, s.pool.X(i, t))
	}
	for _, v := range u.Vars {
		if v.Kind() != ir.Leaf {
			continue
		}
		n := len(s.leaves)
		s.leaves = append(s.leaves, v)
		s.inputs[0] = append(s.inputs[0], s.pool.Y(2*n, v.Type()))
		s.inputs[1] = append(s.inputs[1], s.pool.Y(2*n+1, v.Type()))
		text := ""
		switch entryOf(l, was[v]) {
		case 1:
			s.key, text = n, "key"
		case 2:
			text = "value"
		}
		s.texts = append(s.texts, text)
	}
	s.values = u.Values
	return s
}

// entryOf tells whether a variable is the key of a step over a map, 1, or the value, 2.
func entryOf(l *read.Loop, v ir.Expr) int {
	for _, leaf := range l.Leaves {
		if leaf.Var != v || leaf.Part != read.All && leaf.Part != read.Token { // keys that differ may have an equal part
			continue
		}
		if e, ok := leaf.Values[0].(*ssa.Extract); ok {
			if next, ok := e.Tuple.(*ssa.Next); ok && !next.IsString {
				return e.Index
			}
		}
	}
	return 0
}

// step is the state after a step with the inputs of the first step, 0, or the second, 1.
func (s *swap) step(states []ir.Expr, which int) []ir.Expr {
	return s.pool.Map(s.values, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
			return ir.Expr{}
		case e.Kind() == ir.State:
			return states[e.Index()]
		case e.Kind() == ir.Leaf:
			return s.inputs[which][slices.Index(s.leaves, e)]
		}
		return ir.Expr{} // an invariant is the same in both
	})
}

func (s *swap) problems() []proof.Problem {
	var given []ir.Expr
	if s.key >= 0 {
		given = append(given, ir.Make(ir.Ne, s.inputs[0][s.key], s.inputs[1][s.key]))
	}
	return proof.Equations(given, s.step(s.step(s.states, 0), 1), s.step(s.step(s.states, 1), 0))
}

// example describes two orders of two elements that give different results. It returns "" where the counterexample sets an
// input that has no name in the source.
func (s *swap) example(t prove.Theorem, names []string, source map[string]string) string {
	at := map[ir.Expr]string{}
	var start []string
	for i, in := range t.Counter.Inputs {
		at[in] = s.pool.Const(in.Type(), t.Counter.Values[i]).String()
		if in.Kind() == ir.Param {
			if source[in.Name()] == "" {
				return ""
			}
			start = append(start, source[in.Name()]+" = "+at[in])
		}
	}
	var texts [2][]string
	for n, text := range s.texts {
		if text == "" {
			return ""
		}
		for which := range texts {
			if v, ok := at[s.inputs[which][n]]; ok {
				texts[which] = append(texts[which], text+" "+v)
			}
		}
	}
	for i, x := range s.states {
		if v, ok := at[x]; ok {
			start = append(start, names[i]+" = "+v)
		}
	}
	from := ""
	if len(start) > 0 {
		from = "from " + strings.Join(start, ", ") + " "
	}
	first, second := strings.Join(texts[0], " "), strings.Join(texts[1], " ")
	result := func(v uint64) string { return s.pool.Const(t.Counter.Type, v).String() }
	return fmt.Sprintf("%s%s, then %s, gives %s = %s; the other way round %s", from, first, second, names[t.Failed],
		result(t.Counter.Left), result(t.Counter.Right))
}
