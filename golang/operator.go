package golang

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// longest bounds the text of an input.
const longest = 120

// words are what the variables of an update are called in the source.
type words struct {
	text  map[string]string
	index map[string]string // of the hidden counter of a range statement, which lags behind the index by one, the name of the index
}

func (n *namer) words(l *read.Loop, u *ir.Update, was map[ir.Expr]ir.Expr) words {
	source, index := map[ir.Expr]string{}, map[ir.Expr]string{}
	for _, leaf := range l.Leaves {
		source[leaf.Var] = leaf.Part.Text(leaf.Values[0].Type(), lengthText(leaf.Values[0].Type(), leaf.Var.Type().IsInt() && leaf.Part != read.Token, n.describe(leaf.Values[0])))
	}
	for _, c := range l.Counters {
		if !c.Var.IsValid() {
			continue
		}
		source[c.Var] = n.describe(c.Phi)
		if c.Phi.Comment == "rangeindex" {
			index[c.Var] = source[c.Var]
			source[c.Var] = "(" + source[c.Var] + " - 1)"
		}
	}
	w, uses := words{map[string]string{}, map[string]string{}}, map[string]int{}
	for _, v := range u.Vars {
		uses[source[was[v]]]++
	}
	for _, v := range u.Vars {
		if text := source[was[v]]; text != "" && !strings.Contains(text, "…") && len(text) < longest && uses[text] == 1 {
			w.text[v.Name()] = text
			w.index[v.Name()] = index[was[v]]
		} else if v.Kind() == ir.Leaf { // y0 is an operand of the operator
			w.text[v.Name()] = "in." + v.Name()
		}
	}
	return w
}

// condition writes when a search goes on.
func (n *namer) condition(l *read.Loop) string {
	u, was := canonical(&ir.Update{Values: []ir.Expr{l.Stay}})
	names, pool := n.words(l, u, was), ir.NewPool()
	return pool.Map(u.Values, func(e ir.Expr) ir.Expr {
		isIndex := e.Op() == ir.Add && e.Arg(1).IsConst(1) && e.Arg(0).Op() == ir.Var
		switch {
		case isIndex && names.index[e.Arg(0).Name()] != "":
			return pool.Placeholder(ir.Leaf, names.index[e.Arg(0).Name()], 1<<20+int(e.ID()), e.Type())
		case e.Op() == ir.Var && names.text[e.Name()] != "":
			return pool.Placeholder(ir.Leaf, names.text[e.Name()], 1<<20+int(e.ID()), e.Type())
		}
		return ir.Expr{}
	})[0].String()
}

// fill copies an answer, with leaves written as the source does.
func (f *Finding) fill(a *rfactor.Answer, names words, ts *tokens) {
	write := func(es []ir.Expr, of []types.Type) []string {
		pool := ir.NewPool()
		return ts.write(pool, ts.update, es, of, func(e ir.Expr) ir.Expr { return placeholder(pool, a, names, e) })
	}
	f.Update = write(a.Update, ts.states)
	switch a.Status {
	case rfactor.Associative:
		f.Verdict = Reduction
	case rfactor.Lifted:
		f.Verdict = Lift
	case rfactor.Staged:
		f.Verdict, f.Code, f.Reason = Refused, string(rfactor.Staged), fmt.Sprintf("no operator or lift in one pass; it has an answer in stages, which is not lowered (%s)", a.Via())
		return
	default:
		f.Verdict, f.Code, f.Reason = Refused, string(a.Code), a.Reason
		return
	}
	none := func(ir.Expr) ir.Expr { return ir.Expr{} }
	f.Operator, f.Inject = ts.write(ir.NewPool(), ts.op, a.Operator.Exprs, ts.operands, none), write(a.Inject, ts.operands) // its y0, … are its own and no leaves
	if id := a.Operator.Identity; id == nil || ts.same(ts.update, id, ts.operands) {                                        // strings have no greatest
		f.Side = a.Operator.Side.String()
		if id != nil {
			f.Identity = write(id, ts.operands)
		}
	}
	if a.Operator.Commutative {
		f.Laws = append(f.Laws, "commutative")
	}
	if a.Operator.Idempotent {
		f.Laws = append(f.Laws, "idempotent")
	}
	if f.Verdict == Lift {
		f.Apply = write(a.Lift.Apply, ts.states)
		for _, family := range a.Lift.Families {
			_, name, found := strings.Cut(family, ":")
			if !found {
				name = family
			}
			f.Names = append(f.Names, name)
		}
		f.Names = slices.Compact(f.Names)
		return
	}
	f.Plain = isPlain(a)
	for _, g := range a.Groups {
		f.Names = append(f.Names, tableName(g.Via))
	}
	f.Names = slices.Compact(f.Names)
}

// placeholder stands for a leaf whose text in the source is known; the zero Expr for anything else.
func placeholder(pool *ir.Pool, a *rfactor.Answer, names words, e ir.Expr) ir.Expr {
	isIndex := e.Op() == ir.Add && e.Arg(1).IsConst(1)
	for i, l := range a.Leaves {
		switch text, index := names.text[l.Text], names.index[l.Text]; {
		case text == "":
		case index != "" && isIndex && l.Var == e.Arg(0):
			return pool.Placeholder(ir.Leaf, index, 1<<20+i, e.Type())
		case l.Var == e:
			return pool.Placeholder(ir.Leaf, text, 1<<20+i, e.Type())
		}
	}
	return ir.Expr{}
}

// tableName takes the name of an operator from the way in which it was found; a form without a name gives the way.
func tableName(via string) string {
	way, name, ok := strings.Cut(via, ":")
	if !ok || !isWord(name) {
		return way
	}
	return name
}

func isWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
}

// isPlain reports whether every component is reduced on its own, by one of the operators that everybody knows.
func isPlain(a *rfactor.Answer) bool {
	for _, g := range a.Groups {
		if len(g.Components) > 1 {
			return false
		}
	}
	for i, e := range a.Operator.Exprs {
		switch e.Op() {
		case ir.Add, ir.Mul, ir.Min, ir.Max, ir.And, ir.Or, ir.BitAnd, ir.BitOr, ir.BitXor:
			if !isOperand(e.Arg(0), i) || !isOperand(e.Arg(1), i) {
				return false
			}
		case ir.Var:
		default:
			return false
		}
	}
	return true
}

func isOperand(e ir.Expr, i int) bool {
	return e.Op() == ir.Var && e.Index() == i && (e.Kind() == ir.State || e.Kind() == ir.Leaf)
}
