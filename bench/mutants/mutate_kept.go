package mutants

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
)

// This file changes what an answer infers from an initial value: conditions that hold there, and that every step keeps.

func ofInitial(s *answers) []*answer { return s.initial }

// changeKept changes a bound, the start, the step, or what shows that the step keeps the bounds.
func (m *maker) changeKept() string {
	return oneOf(m.Rand, []func() string{m.moveBound, m.addBound, m.dropBound, m.moveStart, m.moveStep, m.spoilKept})()
}

// inferred returns the lists of proofs that have one for each condition: that it holds at the start, and that a step keeps it.
func (m *maker) inferred() (out []*ordered.Value) {
	for _, list := range []*ordered.Value{m.tree.At("proof", "certificate", "initial"), m.tree.At("proof", "certificate", "lift", "kept")} {
		if list != nil {
			out = append(out, list)
		}
	}
	return out
}

// moveBound changes a condition wherever it stands, with the proofs of the old one.
func (m *maker) moveBound() string {
	c, list := m.read(), m.tree.Get("given")
	if list == nil || len(c.Given) == 0 || len(list.Items) != len(c.Given) {
		return ""
	}
	i := m.IntN(len(c.Given))
	to := nudged(m, c.Given[i])
	if !to.IsValid() {
		return ""
	}
	old, text := list.Items[i].Text, to.String()
	list.Items[i] = ordered.StringOf(text)
	m.certificate().Walk("", func(_ string, v *ordered.Value) {
		if v.Kind == ordered.String && v.Text == old {
			v.Text = text
		}
	})
	return fmt.Sprintf("given %s for %s, wherever it stands", text, old)
}

// nudged returns the expression with another literal in place of one of its own; the zero Expr where it has none.
func nudged(m *maker, e ir.Expr) ir.Expr {
	var literals []ir.Expr
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		if e.Op() == ir.Const {
			literals = append(literals, e)
		}
	})
	if len(literals) == 0 {
		return ir.Expr{}
	}
	p, from := e.Pool(), oneOf(m.Rand, literals)
	by := literalNear(m.Rand, p, from.Type(), from.Value())
	return p.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if e == from {
			return by
		}
		return ir.Expr{}
	})[0]
}

// addBound adds a condition, proven as another one is.
func (m *maker) addBound() string {
	list, by := m.tree.Get("given"), m.condition(m.read())
	if list == nil || len(list.Items) == 0 || !by.IsValid() {
		return ""
	}
	i := m.IntN(len(list.Items))
	list.Items = slices.Insert(list.Items, i, ordered.StringOf(by.String()))
	for _, proofs := range m.inferred() {
		if i < len(proofs.Items) {
			proofs.Items = slices.Insert(proofs.Items, i, proofs.Items[i].Clone())
		}
	}
	return fmt.Sprintf("given %s, proven as %s is", by, list.Items[i+1].Text)
}

// dropBound drops a condition and what shows it.
func (m *maker) dropBound() string {
	list := m.tree.Get("given")
	if list == nil || len(list.Items) == 0 {
		return ""
	}
	i := m.IntN(len(list.Items))
	what := "without given " + list.Items[i].Text
	for _, l := range append(m.inferred(), list) {
		if i < len(l.Items) {
			l.Items = slices.Delete(l.Items, i, i+1)
		}
	}
	return what
}

// moveStart changes an initial value, a little or to anything.
func (m *maker) moveStart() string {
	c, list := m.read(), m.tree.Get("initial")
	if list == nil || len(list.Items) != len(c.Initial) || len(c.Initial) == 0 {
		return ""
	}
	i := m.IntN(len(list.Items))
	near := uint64(0)
	if e := c.Initial[i]; e.IsValid() && e.Op() == ir.Const {
		near = e.Value()
	}
	list.Items[i] = ordered.StringOf(literalNear(m.Rand, c.Pool, c.Types[i], near).String())
	return fmt.Sprintf("initial[%d]: %s", i, list.Items[i].Text)
}

// moveStep changes a literal of the update, by which the step may leave the bounds.
func (m *maker) moveStep() string {
	c, list := m.read(), m.tree.Get("update")
	if list == nil || len(list.Items) != len(c.Update) {
		return ""
	}
	i := m.IntN(len(c.Update))
	by := nudged(m, c.Update[i])
	if !by.IsValid() || by == c.Update[i] {
		return ""
	}
	list.Items[i] = ordered.StringOf(by.String())
	return fmt.Sprintf("update[%d]: %s for %s", i, by, c.Update[i])
}

// spoilKept changes what shows that conditions hold at the start or are kept.
func (m *maker) spoilKept() string {
	lists := m.inferred()
	if len(lists) == 0 {
		return ""
	}
	list := oneOf(m.Rand, lists)
	if len(list.Items) == 0 {
		return ""
	}
	i := m.IntN(len(list.Items))
	switch m.IntN(4) {
	case 0:
		*list = ordered.Value{Kind: ordered.Array}
		return "no proofs of what is given"
	case 1:
		list.Items[i] = leafNode(oneOf(m.Rand, leafKinds))
		return "given: a proof replaced by " + list.Items[i].Get("kind").Text
	case 2:
		list.Items[i] = oneOf(m.Rand, oneOf(m.Rand, lists).Items).Clone()
		return "given: a proof of another condition"
	}
	return "given: proofs " + m.spoilList(list)
}
