package program

import "github.com/rfactor-go/rfactor/ir"

// A definition may keep what its steps give one behind another, at places that a function counts:
//
//	out(pos++) = in(r)
//
// Each step writes the element of out at pos(), and then adds 1 to pos(). The first one writes where the initial value of pos says.

// placed reads the left side of such a definition, behind the name: (pos++).
func (p *parser) placed(s *stmt) bool {
	lex, tok := p.lex, p.tok
	p.next()
	if p.tok.kind == tokIdent {
		at, name := p.tok.pos, p.text()
		if p.next(); p.is("++") {
			p.next()
			p.expect(")", "after the place "+name+"++")
			s.place = name
			s.args = []int32{p.node(syn{kind: synCall, pos: int32(at), a: p.intern(name), b: int32(len(p.args))})}
			return true
		}
	}
	p.lex, p.tok = lex, tok
	return false
}

// counter finds the function that counts the places of a definition, and gives it an initial definition where it has none;
// nil where there is an error.
func (b *builder) counter(s *stmt) *Func {
	pos := ir.Pos(b.nodes[s.args[0]].pos)
	sym := b.symbols[s.place]
	switch {
	case sym == nil:
		b.errorf(pos, "%s is not declared%s: Func %s;", s.place, DidYouMean(s.place, b.knownNames((*symbol).isFunc)), s.place)
		return nil
	case sym.fn == nil:
		b.errorf(pos, "%s is no function: places are counted by one, Func %s;", s.place, s.place)
		return nil
	case s.place == s.name:
		b.errorf(pos, "%s cannot count its own places", s.name)
		return nil
	}
	f := sym.fn
	if f.Init == nil && len(f.Updates) == 0 {
		f.Types, f.Init = []ir.Type{ir.I32}, []ir.Expr{b.pool.Int(ir.I32, 0)}
	}
	switch {
	case len(f.Updates) > 0 || len(f.Args) > 0 || len(f.Types) != 1 || f.Types[0] != ir.I32:
		b.errorf(pos, "%s counts places: it is an i32 without coordinates, and has no update of its own", f.Name)
	case f.Counts != nil:
		b.errorf(pos, "%s counts the places of %s: count those of this one from there on by another function, with %s() as its initial value", f.Name, f.Counts, f.Name)
	default:
		return f
	}
	return nil
}

// checkPlaced refuses a definition at counted places whose steps read what they write.
func (b *builder) checkPlaced(d *Definition) {
	es := append([]ir.Expr{}, d.Values...)
	if d.Domain == nil {
		b.errorf(d.Pos, "%s keeps what the steps over a domain give: RDom r(0, n); %s(%s++) = in(r)", d, d.Func.Name, d.Place.Name)
		return
	}
	for _, e := range append(es, d.Domain.Where...) {
		for _, name := range []string{d.Func.Name, d.Place.Name} {
			if callsNamed(e, name) {
				b.errorf(d.Pos, "a step of %s reads %s, which the steps before it write", d, name)
				return
			}
		}
	}
	for _, e := range d.Func.Init {
		if callsNamed(e, d.Place.Name) {
			b.errorf(d.Pos, "the initial value of %s reads %s, which counts its places", d.Func.Name, d.Place.Name)
			return
		}
	}
	d.Place.Counts = d
}

// place adds a definition at counted places. A function that has no initial definition begins with 0.
func (b *builder) place(f *Func, s *stmt, counter *Func) {
	first := f.Init == nil && len(f.Updates) == 0
	b.update(f, s, first, counter)
	if first {
		b.unnamed(f, 1)
		for _, t := range f.Types {
			f.Init = append(f.Init, b.pool.Const(t, 0))
		}
	}
}

// counting returns the update of the function that counts the places of the definition.
func (d *Definition) counting() *ir.Update {
	p := d.parsed().Pool
	x := p.X(0, ir.I32)
	u := &ir.Update{Source: d.prog.Source, Pool: p, Types: d.Place.Types, Values: []ir.Expr{ir.AddOf(x, p.Int(ir.I32, 1))}, Vars: []ir.Expr{x}, Init: []ir.Expr{{}}, Placed: d.Func.Name}
	if first := d.Place.Init[0]; first.IsClosed() {
		u.Init[0] = first
	}
	return u
}
