package read

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/ir"
)

// join returns what the edges into a block give, chosen by the branches on the way from another block that dominates
// it. A way that does not reach the block, because it leaves the loop or goes on to the next step, chooses nothing:
// the value is asked for only in steps that do reach it.
func (r *reader) join(from, to *ssa.BasicBlock, edge func(slot int) value) value {
	w := walk{r: r, to: to, edge: edge, memo: map[*ssa.BasicBlock]*value{}}
	if l := r.innerOf(from); l != nil {
		from = l.Header
	}
	v := w.at(from)
	if v == nil {
		panic("internal: no way through the loop reaches the block")
	}
	return *v
}

// atNext returns what a function of blocks gives at the end of a step.
func (r *reader) atNext(end func(b *ssa.BasicBlock) value) value {
	h := r.out.Header
	if !r.isYield() {
		return r.join(h, h, func(slot int) value { return end(h.Preds[slot]) })
	}
	w := walk{r: r, to: h, next: end, memo: map[*ssa.BasicBlock]*value{}}
	return *w.at(h)
}

func (r *reader) isYield() bool { return r.out.Yield }

// stay returns whether a step goes on to the next one. A way that leaves the loop gives false.
func (r *reader) stay() value {
	yes := value{expr: r.pool.Bool(true)}
	w := walk{r: r, to: r.out.Header, edge: func(int) value { return yes }, next: func(*ssa.BasicBlock) value { return yes }, memo: map[*ssa.BasicBlock]*value{}, outside: &value{expr: r.pool.Bool(false)}}
	return *w.at(r.out.Header)
}

// walk is a walk through the blocks of a loop, memoised.
type walk struct {
	r       *reader
	to      *ssa.BasicBlock
	edge    func(slot int) value
	memo    map[*ssa.BasicBlock]*value
	outside *value // of ways that leave the loop; nil where they choose nothing

	next     func(b *ssa.BasicBlock) value // of blocks that return to an iterator, which begins the next step
	returns  bool                          // a result of a function is asked for …
	returned int                           // … and which
}

// at returns the value at the end of b, and nil where no way from there reaches the goal.
func (w *walk) at(b *ssa.BasicBlock) *value {
	if v, ok := w.memo[b]; ok {
		return v
	}
	if l := w.r.innerOf(b); l != nil && b == l.Header {
		v := w.past(l)
		w.memo[b] = v
		return v
	}
	var v *value
	switch last := b.Instrs[len(b.Instrs)-1].(type) {
	case *ssa.Jump:
		v = w.along(b, 0)
	case *ssa.Return:
		if w.next != nil {
			result := w.next(b)
			v = &result
		}
		if w.returns {
			result := w.r.value(last.Results[w.returned])
			v = &result
		}
	case *ssa.If:
		yes, no := w.along(b, 0), w.along(b, 1)
		switch {
		case yes == nil:
			v = no
		case no == nil:
			v = yes
		default:
			chosen := w.r.choose(w.r.value(last.Cond), *yes, *no)
			v = &chosen
		}
	}
	w.memo[b] = v
	return v
}

// along follows successor number i of b.
func (w *walk) along(b *ssa.BasicBlock, i int) *value {
	s := b.Succs[i]
	switch {
	case s == w.to:
		v := w.edge(slotOf(b, i))
		return &v
	case !w.r.out.Has(s):
		return w.outside
	case s == w.r.out.Header:
		return nil
	}
	return w.at(s)
}

// slotOf returns which predecessor of its target an edge is.
func slotOf(b *ssa.BasicBlock, branch int) int {
	target, before := b.Succs[branch], 0
	for _, s := range b.Succs[:branch] {
		if s == target {
			before++
		}
	}
	for slot, p := range target.Preds {
		if p != b {
			continue
		}
		if before == 0 {
			return slot
		}
		before--
	}
	panic("internal: an edge has no place among the predecessors")
}

// choose returns yes where c holds, else no.
func (r *reader) choose(c, yes, no value) value {
	if yes.id() == no.id() {
		yes.kind = max(yes.kind, no.kind)
		return yes
	}
	k := max(c.kind, yes.kind, no.kind)
	if !c.expr.IsValid() {
		r.stop(TypeParam, r.out.Pos(), "condition")
		return yes
	}
	if len(yes.parts) > 0 != (len(no.parts) > 0) || r.split {
		yes, no = r.spread(yes), r.spread(no)
	}
	if len(yes.parts) > 0 && len(yes.parts) == len(no.parts) {
		var parts []value
		for i := range yes.parts {
			parts = append(parts, r.choose(c, yes.parts[i], no.parts[i]))
		}
		return r.whole("choice", parts)
	}
	if yes.expr.IsValid() != no.expr.IsValid() || c.kind == onState { // they are tokens
		yes, no = r.token(yes), r.token(no)
	}
	if !yes.expr.IsValid() || !no.expr.IsValid() {
		return value{number: r.number(fmt.Sprint("choose ", c.id(), yes.id(), no.id())), kind: k}
	}
	return value{expr: choice(c.expr, yes.expr, no.expr), kind: k}
}

// choice writes a select, of booleans as && and ||.
func choice(c, yes, no ir.Expr) ir.Expr {
	switch {
	case c.Op() == ir.Const && c.IsConst(1):
		return yes
	case c.Op() == ir.Const:
		return no
	case yes.Type() != ir.Bool:
		return ir.SelectOf(c, yes, no)
	case yes.IsConst(1) && no.IsConst(0):
		return c
	case yes.IsConst(0) && no.IsConst(1):
		return ir.NotOf(c)
	case yes.IsConst(1):
		return ir.OrOf(c, no)
	case no.IsConst(0):
		return ir.AndOf(c, yes)
	case yes.IsConst(0):
		return ir.AndOf(ir.NotOf(c), no)
	case no.IsConst(1):
		return ir.OrOf(ir.NotOf(c), yes)
	}
	return ir.SelectOf(c, yes, no)
}
