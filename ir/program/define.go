package program

import (
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
)

// define adds an initial definition or an update.
func (b *builder) define(s *stmt) {
	pos := ir.Pos(s.pos)
	sym := b.symbols[s.name]
	switch {
	case sym == nil:
		b.errorf(pos, "%s is not declared%s: Func %s;", s.name, DidYouMean(s.name, b.knownNames((*symbol).isFunc)), s.name)
		return
	case sym.fn == nil:
		b.errorf(pos, "%s is not a function that can be defined", s.name)
		return
	}
	f := sym.fn
	if f.Counts != nil {
		b.errorf(pos, "%s counts the places of %s, and has no update of its own", f.Name, f.Counts)
		return
	}
	if s.place != "" {
		if place := b.counter(s); place != nil {
			b.place(f, s, place)
		}
		return
	}
	first := f.Init == nil && len(f.Updates) == 0
	if first && s.assign == "=" && b.isInitial(s) {
		b.initial(f, s)
		return
	}
	b.update(f, s, first, nil)
}

// isInitial reports whether a first definition gives every point a value that does not
// depend on the function itself: its arguments are distinct pure variables.
func (b *builder) isInitial(s *stmt) bool {
	seen := map[string]bool{}
	for _, a := range s.args {
		if b.nodes[a].kind != synName || seen[b.name(a)] {
			return false
		}
		seen[b.name(a)] = true
		if _, e := b.lookup(a); !e.IsValid() || e.Op() != ir.Var || e.Kind() != ir.Param {
			return false
		}
	}
	pure := true
	b.visit(s.values, func(n int32) {
		switch b.nodes[n].kind {
		case synCall:
			pure = pure && b.name(n) != s.name
		case synName:
			_, e := b.lookup(n)
			pure = pure && (!e.IsValid() || e.IsInvariant())
		}
	})
	return pure
}

// visit calls f for the nodes below roots, and for what the names in them abbreviate.
func (b *builder) visit(roots []int32, f func(int32)) {
	seen := map[int32]bool{}
	var walk func(int32)
	walk = func(n int32) {
		if seen[n] {
			return
		}
		seen[n] = true
		f(n)
		for _, k := range b.kids(n) {
			walk(k)
		}
		if b.nodes[n].kind == synName {
			if sym := b.symbols[b.name(n)]; sym != nil {
				for _, k := range sym.nodes {
					walk(k)
				}
			}
		}
	}
	for _, r := range roots {
		walk(r)
	}
}

func (b *builder) initial(f *Func, s *stmt) {
	f.line, _ = b.src.LineCol(ir.Pos(s.pos))
	b.settle(s.args...)
	for _, a := range s.args {
		f.Args = append(f.Args, b.want(a, ir.I32))
	}
	for i := range b.rightSide(s, -1) {
		e := b.value(s, i, ir.Invalid)
		if !e.IsValid() {
			e = b.pool.Int(ir.I32, 0) // reported; the component exists
		}
		f.Types = append(f.Types, e.Type())
		f.Init = append(f.Init, e)
	}
}

// rightSide is the nodes that a right side consists of: a call of a tuple stands for all
// its components. count is how many are wanted, -1 where that is open.
func (b *builder) rightSide(s *stmt, count int) []int32 {
	if s.tuple || len(s.values) != 1 {
		return s.values
	}
	n := s.values[0]
	if k := b.nodes[n].kind; k != synCall && k != synName {
		return s.values
	}
	sym := b.symbols[b.name(n)]
	if sym == nil {
		return s.values
	}
	size := max(len(sym.components()), len(sym.tuple))
	if size < 2 || count >= 0 && count != size {
		return s.values
	}
	s.values = nil
	for i := range size {
		b.nodes = append(b.nodes, syn{kind: synIndex, pos: b.nodes[n].pos, a: n, b: int32(i), depth: b.nodes[n].depth + 1})
		s.values = append(s.values, int32(len(b.nodes)-1))
	}
	s.tuple = true
	return s.values
}

// value is the i-th value of a right side, in type t unless that is Invalid.
func (b *builder) value(s *stmt, i int, t ir.Type) ir.Expr {
	b.settle(s.values[i])
	var e ir.Expr
	if t == ir.Invalid {
		e = b.expr(s.values[i], ir.Invalid)
	} else {
		e = b.want(s.values[i], t)
	}
	if e.IsValid() && b.depth(e) > ir.MaxDepth {
		b.errorf(b.start(s.values[i]), "more than %d operators around one another", ir.MaxDepth)
		return ir.Expr{}
	}
	return e
}

// update adds an update, whose places the function place counts unless that is nil.
func (b *builder) update(f *Func, s *stmt, first bool, place *Func) {
	d := &Definition{Func: f, Stage: len(f.Updates), Place: place, Pos: ir.Pos(s.pos), End: ir.Pos(s.end), prog: b.prog}
	if first {
		b.implicit(f, s)
	}
	if n := len(b.rightSide(s, len(f.Types))); n != len(f.Types) {
		b.errorf(d.Pos, "%s has %s, and is given %d", f.Name, plural(len(f.Types), "component"), n)
		return
	}
	want := len(s.args)
	switch {
	case f.Init != nil:
		want = len(f.Args)
	case len(f.Updates) > 0:
		want = len(f.Updates[0].Args)
	}
	if want != len(s.args) {
		b.errorf(d.Pos, "%s takes %s, not %d", f.Name, plural(want, "coordinate"), len(s.args))
		return
	}
	if d.ends = s.steps != nil; d.ends {
		b.settle(s.until)
		if g := b.guesses[s.until]; g != guess(ir.Bool) && g != unknown {
			b.errorf(b.start(s.until), "the condition of until is %s, not bool", g.orDefault(ir.I32))
			return
		}
	}
	ok := true
	b.settle(s.args...)
	for _, a := range s.args {
		e := b.want(a, ir.I32)
		ok = ok && e.IsValid()
		d.Args = append(d.Args, e)
	}
	f.Updates = append(f.Updates, d) // from here on f is known to take that many coordinates
	for i := range s.values {
		e := b.value(s, i, f.Types[i])
		ok = ok && e.IsValid()
		d.Values = append(d.Values, e)
	}
	if ok {
		b.selfReferences(d, s)
		b.domainOf(d)
		if place != nil {
			b.checkPlaced(d)
			return
		}
		if d.recurrence = b.recurrenceOf(d); d.recurrence != nil && s.steps != nil {
			b.errorf(d.Pos, "%s keeps what each step writes, and a loop that ends early keeps its last state alone: f() = … until …", d)
		}
	}
}

// implicit gives a function that starts with an update its types and, as Halide does, the
// initial value 0 (1 for a product) where that update is f(…) += e.
func (b *builder) implicit(f *Func, s *stmt) {
	op, ok := compound[s.assign]
	values := s.values
	if s.steps != nil {
		values = s.steps
		defer func() { b.unended(f, ok) }()
	}
	for i, v := range values {
		t := b.inferred(f.Name, i)
		if ok {
			e := b.nodes[v].b
			b.settle(e)
			t = b.guesses[e].orDefault(t)
		}
		f.Types = append(f.Types, t)
	}
	if !ok {
		return
	}
	b.unnamed(f, len(s.args))
	start := int64(0)
	if op == ir.Mul || op == ir.Div {
		start = 1
	}
	for _, t := range f.Types {
		f.Init = append(f.Init, b.pool.Int(t, start))
	}
}

// unnamed gives a function coordinates that the program does not name.
func (b *builder) unnamed(f *Func, count int) {
	for i := range count {
		f.Args = append(f.Args, b.pool.Var(ir.Param, "_"+strconv.Itoa(i), 0, ir.I32))
	}
}

// unended adds the flag of a function that ends early, which an implicit initial value leaves false.
func (b *builder) unended(f *Func, initial bool) {
	f.Types = append(f.Types, ir.Bool)
	if initial {
		f.Init = append(f.Init, b.pool.Bool(false))
	}
}

// selfReferences finds where the values and the arguments read the function itself.
func (b *builder) selfReferences(d *Definition, s *stmt) {
	indexed := map[int32]bool{}
	b.visit(s.values, func(n int32) {
		inner, index, isIndex := b.unindexed(n)
		if b.nodes[inner].kind != synCall || b.name(inner) != d.Func.Name || indexed[n] {
			return
		}
		if isIndex {
			indexed[inner] = true
		}
		ref := ir.SelfRef{Pos: ir.Pos(b.nodes[inner].pos), Same: true}
		var args []ir.Expr
		for _, k := range b.kids(inner) {
			args = append(args, b.want(k, ir.I32))
		}
		for i := range args {
			ref.Same = ref.Same && args[i] == d.Args[i]
		}
		ref.Call = b.pool.Call(d.Func.Types[index], d.Func.Name, index, args...)
		d.Self = append(d.Self, ref)
	})
}

// domainOf finds the domain that a definition runs over: the one whose coordinates it, or
// the condition on them, mentions.
func (b *builder) domainOf(d *Definition) {
	es := append(append([]ir.Expr{}, d.Args...), d.Values...)
	for _, v := range ir.Vars(es...) {
		if v.Kind() != ir.Coord {
			continue
		}
		for _, dom := range b.prog.Domains {
			for _, dim := range dom.Dims {
				switch {
				case dim.Var != v:
				case d.Domain == nil:
					d.Domain = dom
				case d.Domain != dom:
					b.errorf(d.Pos, "this update mentions two reduction domains, %s and %s", d.Domain.Name, dom.Name)
					return
				}
			}
		}
	}
}
