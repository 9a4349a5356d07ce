package golang

import (
	"go/types"
	"slices"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// tokens tells which variables of an answer are tokens, values that are no numbers: of its update, inject and apply, and of its operator,
// whose x0, y0, … are its own.
type tokens struct {
	states     []types.Type // by component; nil of a number
	operands   []types.Type // what the operator combines: the states, or parameters of a lift
	update, op read.Tokens
}

// tokensOf tells the tokens of an answer to a loop. It is false where the answer computes with them: where it does more than choose, compare and
// order.
func tokensOf(l *read.Loop, a *rfactor.Answer, was map[ir.Expr]ir.Expr) (*tokens, bool) {
	ts := &tokens{update: read.Tokens{}, op: read.Tokens{}}
	for i, phi := range l.States {
		ts.states = append(ts.states, tokenType(l.Parts[i], l.Actual(phi.Type())))
	}
	for _, c := range l.Cells {
		ts.states = append(ts.states, tokenType(c.Part, l.Actual(c.Type)))
	}
	ts.states = append(ts.states, make([]types.Type, len(l.Derived))...)
	for _, leaf := range a.Leaves {
		ts.update[leaf.Var] = nil
		for v, before := range was { // the answer may be one to an equal update
			if v.Name() == leaf.Text {
				ts.update[leaf.Var] = leafType(l, before)
			}
		}
	}
	for _, x := range ir.Vars(a.Update...) {
		if x.Kind() == ir.State {
			ts.update[x] = ts.states[x.Index()]
		}
	}
	ts.operands = ts.states
	if !ts.same(ts.update, a.Update, ts.states) {
		return nil, false
	}
	if a.Status != rfactor.Associative && a.Status != rfactor.Lifted {
		return ts, true
	}
	if a.Status == rfactor.Lifted {
		ts.operands = nil
		if !ts.same(ts.update, a.Lift.Apply, ts.states) {
			return nil, false
		}
		for _, p := range a.Lift.Params {
			ts.operands = append(ts.operands, ts.update[p])
		}
	}
	for _, x := range ir.Vars(a.Operator.Exprs...) {
		if isOwn := x.Kind() == ir.State || x.Kind() == ir.Leaf; isOwn && x.Index() < len(ts.operands) {
			ts.op[x] = ts.operands[x.Index()]
		} else {
			ts.op[x] = ts.update[x]
		}
	}
	return ts, !ts.conditional(a) && ts.same(ts.update, a.Inject, ts.operands) && ts.same(ts.op, a.Operator.Exprs, ts.operands)
}

func tokenType(part read.Part, t types.Type) types.Type {
	if part == read.Token {
		return t
	}
	return nil
}

func leafType(l *read.Loop, v ir.Expr) types.Type {
	for _, leaf := range l.Leaves {
		if leaf.Var == v {
			return tokenType(leaf.Part, l.Actual(leaf.Values[0].Type()))
		}
	}
	return nil
}

// none reports whether all components are numbers.
func (ts *tokens) none() bool {
	return !slices.ContainsFunc(ts.states, func(t types.Type) bool { return t != nil })
}

// conditional reports whether an answer about tokens holds of some only.
func (ts *tokens) conditional(a *rfactor.Answer) bool {
	conditions := slices.Concat(a.Given, a.Operator.Given)
	for _, g := range a.Groups {
		conditions = slices.Concat(conditions, g.Where, g.NonNeg)
	}
	return !ts.none() && len(conditions) > 0
}

func (ts *tokens) same(known read.Tokens, es []ir.Expr, of []types.Type) bool {
	if ts.none() {
		return true
	}
	for i, e := range es {
		if !known.Same(e, of[i]) {
			return false
		}
	}
	return true
}

// write copies expressions into a pool, with zeros that stand for nil and "" as these. Leaf is as for ir.Pool.Map.
func (ts *tokens) write(pool *ir.Pool, known read.Tokens, es []ir.Expr, of []types.Type, leaf func(ir.Expr) ir.Expr) (list []string) {
	var number func(e ir.Expr) ir.Expr
	var token func(e ir.Expr, t types.Type) ir.Expr
	number = func(e ir.Expr) ir.Expr {
		return pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
			if t := known.Compared(e); t != nil {
				return ir.Make(e.Op(), token(e.Arg(0), t), token(e.Arg(1), t))
			}
			return leaf(e)
		})[0]
	}
	token = func(e ir.Expr, t types.Type) ir.Expr {
		switch {
		case t == nil:
			return number(e)
		case e.Op() == ir.Const:
			return pool.Placeholder(ir.Leaf, zeroText(t), 1<<21, e.Type())
		case e.Op() == ir.Select:
			return ir.SelectOf(number(e.Arg(0)), token(e.Arg(1), t), token(e.Arg(2), t))
		case e.NumArgs() == 2:
			return ir.Make(e.Op(), token(e.Arg(0), t), token(e.Arg(1), t))
		}
		return number(e)
	}
	for i, e := range es {
		list = append(list, token(e, of[i]).String())
	}
	return list
}

// zeroText writes the zero of a type that is no number.
func zeroText(t types.Type) string {
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		return "zero"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return `""`
		}
	case *types.Struct, *types.Array:
		return "zero"
	}
	return "nil"
}
