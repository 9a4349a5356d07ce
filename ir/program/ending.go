package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// A definition may say when its loop ends: before a step of which a condition holds, or after one of whose result
// it does. The function then has a last component, which says that it has ended, and a step of a loop that has ended does nothing:
//
//	f() = f() + in(r) until in(r) < 0     →   {select(f()[1] || in(r) < 0, f()[0], f()[0] + in(r)), f()[1] || in(r) < 0}
//	f() = f() + in(r) until after f() > 9 →   {select(f()[1], f()[0], f()[0] + in(r)), f()[1] || f()[0] + in(r) > 9}

// until reads what ends the loop of a definition, where that is said, and guards the right side by it.
func (p *parser) until(s *stmt) {
	if p.tok.kind != tokIdent || p.text() != "until" {
		return
	}
	pos := p.tok.pos
	p.next()
	after := p.tok.kind == tokIdent && p.text() == "after"
	if after {
		p.next()
	}
	cond := p.expr()
	s.end = p.tok.pos
	if p.tok.kind == tokStop {
		return
	}
	if len(s.values) == ir.MaxState {
		p.failAt(pos, "a tuple that ends early has at most %d components: the last one says whether it has ended", ir.MaxState-1)
		return
	}
	e := &ending{parser: p, stmt: s, pos: pos, count: len(s.values), made: map[int32]int32{}}
	for i, v := range s.values {
		s.values[i] = e.indexed(v, nil)
	}
	s.steps = slices.Clone(s.values)
	flag := e.self(e.count)
	if after {
		e.made = map[int32]int32{}
		cond = e.indexed(cond, s.steps)
	} else {
		cond = e.indexed(cond, nil)
	}
	s.until = cond
	ended := p.op(pos, ir.Or, flag, cond)
	stays := ended
	if after {
		stays = flag
	}
	for i, v := range s.values {
		s.values[i] = p.op(pos, ir.Select, stays, e.self(i), v)
	}
	s.values, s.tuple = append(s.values, ended), true
}

// ending rewrites the expressions of a definition that ends early.
type ending struct {
	*parser
	stmt  *stmt
	pos   int
	count int             // components that the source has
	made  map[int32]int32 // rewritten nodes
}

// self is component i of what the definition writes, before the step.
func (e *ending) self(i int) int32 {
	first := int32(len(e.args))
	e.args = append(e.args, e.stmt.args...)
	call := e.node(syn{kind: synCall, pos: int32(e.pos), a: e.intern(e.stmt.name), b: first, c: int32(len(e.stmt.args))}, e.stmt.args...)
	return e.node(syn{kind: synIndex, pos: int32(e.pos), a: call, b: int32(i)}, call)
}

// indexed rewrites the reads of the function itself: a read of its only component gets an index, and what the definition
// writes becomes what it gives after the step, where after has that.
func (e *ending) indexed(n int32, after []int32) int32 {
	if m, ok := e.made[n]; ok || e.tok.kind == tokStop {
		return m
	}
	m := e.rewritten(n, after)
	e.made[n] = m
	return m
}

func (e *ending) rewritten(n int32, after []int32) int32 {
	inner, index, isIndexed := e.unindexed(n)
	if e.nodes[inner].kind == synCall && e.name(inner) == e.stmt.name && (isIndexed || e.count == 1) {
		if after != nil && index < len(after) && e.sameAll(e.kids(inner), e.stmt.args) {
			return after[index]
		}
		return e.node(syn{kind: synIndex, pos: e.nodes[n].pos, a: e.rebuilt(inner, after), b: int32(index)}, inner)
	}
	return e.rebuilt(n, after)
}

// rebuilt returns a node over its rewritten operands; n itself where none changes.
func (e *ending) rebuilt(n int32, after []int32) int32 {
	kids := slices.Clone(e.kids(n))
	changed := false
	for i, k := range kids {
		kids[i] = e.indexed(k, after)
		changed = changed || kids[i] != k
	}
	if !changed || e.tok.kind == tokStop {
		return n
	}
	s := e.nodes[n]
	switch s.kind {
	case synCall, synDerived, synTable:
		s.b = int32(len(e.args))
		e.args = append(e.args, kids...)
	default:
		for i, k := range kids {
			*[]*int32{&s.a, &s.b, &s.c}[i] = k
		}
	}
	return e.node(s, kids...)
}

// sameAll reports whether nodes are spelled alike, one by one.
func (t *tree) sameAll(a, b []int32) bool {
	return slices.EqualFunc(a, b, t.same)
}

// same reports whether two nodes are spelled alike.
func (t *tree) same(a, b int32) bool {
	x, y := t.nodes[a], t.nodes[b]
	if a == b {
		return true
	}
	if x.kind != y.kind || x.op != y.op || x.typ != y.typ || x.neg != y.neg || !t.sameAll(t.kids(a), t.kids(b)) {
		return false
	}
	switch x.kind {
	case synNum:
		return t.src.Text[x.a:x.b] == t.src.Text[y.a:y.b]
	case synIndex:
		return x.b == y.b
	case synOp, synCast, synPow, synWiden, synLocal:
		return true
	}
	return x.a == y.a
}

// ParseUntil reads what ends the loop of an abstract update: a condition over its state and variables, of which no step is done
// any more once it holds before one, or "after" and a condition over the state after a step. The update gets the last component
// that a definition with until has. Mistakes in the text are an [ir.ErrorList]. A nil u panics.
func ParseUntil(u *ir.Update, text string) error {
	if u == nil {
		panic("program: ParseUntil of a nil update")
	}
	n := len(u.Types)
	if n == ir.MaxState {
		return fmt.Errorf("an update that ends early has at most %d components: the last one says whether it has ended", ir.MaxState-1)
	}
	written := strings.TrimSpace(text)
	rest, after := strings.CutPrefix(strings.TrimLeft(text, " "), "after")
	if after = after && (rest == "" || strings.ContainsAny(rest[:1], " (!-~")); after {
		text = strings.Repeat(" ", len(text)-len(rest)) + rest // errors are counted from the start
	}
	es, err := ParseExprs(u.Pool, componentScope(u), "until", []ir.Type{ir.Bool}, text)
	if err != nil {
		return err
	}
	ended := u.Pool.X(n, ir.Bool)
	cond, stays := es[0], ended
	if after {
		cond = u.Pool.Map(es, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return u.Values[e.Index()]
			}
			return ir.Expr{}
		})[0]
	}
	cond = ir.Make(ir.Or, ended, cond)
	if !after {
		stays = cond
	}
	values := make([]ir.Expr, n, n+1)
	for i, v := range u.Values {
		values[i] = ir.Make(ir.Select, stays, u.Pool.X(i, u.Types[i]), v)
	}
	u.Types, u.Values, u.Ended = append(slices.Clone(u.Types), ir.Bool), append(values, cond), n
	u.Vars = append(slices.Clone(u.Vars), ended)
	if u.Source != nil {
		u.Source = &ir.Source{Name: u.Source.Name, Text: u.Source.Text + " until " + written}
	}
	return nil
}

// endings gives the initial definitions of functions that end early their last component, which is false: the loop has not ended.
// A function that ends early has one update, since its flag is of one loop.
func (p *parser) endings(list []stmt) {
	for i := range list {
		if list[i].steps == nil {
			continue
		}
		initial := true
		for j := range list {
			s := &list[j]
			if s.kind != define || s.name != list[i].name || i == j {
				continue
			}
			if !initial || j > i {
				p.errorf(ir.Pos(s.pos), "%s ends early in one update, and has no other: its last component says that this one has ended", s.name)
				continue
			}
			initial = false
			s.values = append(s.values, p.node(syn{kind: synBool, pos: int32(s.pos)}))
			s.tuple = true
		}
	}
}
