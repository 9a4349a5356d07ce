package lift

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// product fits a part whose numbers fall into blocks that do not depend on each other, each by an
// algebra of its own: sums and extrema behind one flag, counts and sums of other types that look at
// the last element.
//
//	y0; select(y0 < x0, x1 + x0, x1) of f64; select(y0 < x0, x2 + 1, x2) of u64
//
// The cells are those of the blocks, one block after the other. The matcher lifts independent parts
// by itself. The family serves what those parts have in common: flags, or the last elements.
func (cx *Context) product(p *tuple.Part, memory memory, unbounded bool) *Shape {
	back := int(memory)
	switch memory {
	case conditions:
		return cx.decided(p, func(p *tuple.Part) *Shape { return cx.product(p, none, unbounded) })
	case pairs:
		back = 2
	}
	r, ok := readableRoles(p, back)
	if !ok || len(r.numbers) < 2 {
		return nil
	}
	f := &fitting{cx: cx.within(tuple.Indices(len(p.Types))), p: p, roles: r}
	var parts []block
	for _, set := range blocks([]*tuple.Part{p}, r.numbers) {
		b := f.blockOf(set, unbounded)
		if b.algebra == nil {
			return nil
		}
		parts = append(parts, b)
	}
	if len(parts) < 2 {
		return nil
	}
	f.name = "product"
	return f.shape(parts, back)
}

// blockOf returns the numbers in a set with the first algebra that fits them under all combinations
// of the flags; with no algebra where none does.
func (f *fitting) blockOf(set []int, unbounded bool) block {
	for i := range families {
		fam := &families[i]
		if fam.algebra == nil || f.cx.Study.WithoutFamily(fam.name) || fam.unbounded && !unbounded && !choosing(tuple.Pick(f.p.Values, set), tuple.MaskOf(f.memories)) {
			continue
		}
		b := block{set, fam.algebra(f.cx.Pool, len(set))}
		g := f.of(b)
		g.name = fam.name
		if g.readable() {
			return b
		}
	}
	return block{}
}

// choosing reports whether values only compare states or choose among them: see chooses.
func choosing(values []ir.Expr, last uint64) bool {
	return !slices.ContainsFunc(values, func(e ir.Expr) bool { return !chooses(e, last) })
}

// readable reports whether the algebra reads the numbers under all combinations of the flags.
func (f *fitting) readable() bool {
	t := f.p.Types[f.numbers[0]]
	if f.algebra.state(0, t) == nil || slices.ContainsFunc(f.numbers, func(i int) bool { return f.p.Types[i] != t }) {
		return false
	}
	for s := range 1 << len(f.flags) {
		values := f.under(s)
		if slices.ContainsFunc(f.numbers, func(i int) bool { return f.element(values[i]) == nil }) {
			return false
		}
	}
	return true
}

// blocks lists the connected components of the dependencies among some components, in parts on the
// same state.
func blocks(parts []*tuple.Part, among []int) (out [][]int) {
	var masks []uint64
	for _, i := range among {
		mask := uint64(1) << i
		for _, p := range parts {
			mask |= p.Values[i].States() & tuple.MaskOf(among)
		}
		masks = slices.DeleteFunc(masks, func(other uint64) bool {
			if other&mask == 0 {
				return false
			}
			mask |= other
			return true
		})
		masks = append(masks, mask)
	}
	for _, mask := range masks {
		out = append(out, tuple.Members(mask))
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

// sideBySide fits parts on the same state, which are alternatives of one step. It returns a shape for
// each of them, all with the same families and the same kinds of cells; nil where some block has no
// such family.
func (cx *Context) sideBySide(parts []*tuple.Part, unbounded bool) []*Shape {
	out := make([]*Shape, len(parts))
	for i := range out {
		out[i] = &Shape{Identity: []ir.Expr{}}
	}
	for _, set := range blocks(parts, tuple.Indices(len(parts[0].Types))) {
		shapes := cx.block(parts, set, unbounded)
		if shapes == nil {
			return nil
		}
		for i, s := range shapes {
			out[i] = out[i].beside(s, set)
		}
	}
	return out
}

// block fits some components of parts by the first family that fits all parts.
func (cx *Context) block(parts []*tuple.Part, set []int, unbounded bool) []*Shape {
	inner := cx.within(set)
	restricted := make([]*tuple.Part, len(parts))
	for i, p := range parts {
		restricted[i] = tuple.Restrict(cx.Pool, p.Types, p.Values, set)
	}
	unbounded = unbounded || !slices.ContainsFunc(restricted, func(p *tuple.Part) bool { return !choosing(p.Values, 0) })
	for i := range families {
		f := &families[i]
		if f.unbounded && !unbounded || cx.Study.WithoutFamily(f.name) {
			continue
		}
		var shapes []*Shape
		for _, p := range restricted {
			s := inner.fitFamily(f, none, p)
			if s == nil || len(shapes) > 0 && !s.like(shapes[0]) {
				break
			}
			shapes = append(shapes, s)
		}
		if len(shapes) == len(parts) {
			return shapes
		}
	}
	return nil
}

// within returns the context of a part that has some of the components.
func (cx *Context) within(set []int) *Context {
	inner := *cx
	inner.State = nil
	for _, c := range cx.State {
		if c.States()&^tuple.MaskOf(set) == 0 {
			inner.State = append(inner.State, tuple.MapStates(cx.Pool, []ir.Expr{c}, func(i int, t ir.Type) ir.Expr {
				return cx.Pool.X(slices.Index(set, i), t)
			})...)
		}
	}
	inner.Unread = func(string, ir.Expr) {} // a term is reported of the whole part alone
	return &inner
}

// like reports whether two shapes have the same family and cells of the same types.
func (s *Shape) like(other *Shape) bool {
	return s.Name == other.Name && (s.Identity == nil) == (other.Identity == nil) &&
		slices.EqualFunc(s.Inject, other.Inject, func(a, b ir.Expr) bool { return a.Type() == b.Type() })
}

// beside returns the shape of steps that do what s does, and what a shape of the components in set
// does.
func (s *Shape) beside(t *Shape, set []int) *Shape {
	n := len(s.Inject)
	out := &Shape{Name: t.Name, Inject: concat([][]ir.Expr{s.Inject, t.Inject})}
	if s.Name != "" && s.Name != t.Name {
		out.Name = s.Name + " and " + t.Name
	}
	if s.Identity != nil && t.Identity != nil {
		out.Identity = concat([][]ir.Expr{s.Identity, t.Identity})
	}
	out.Apply = func(x, cells []ir.Expr) []ir.Expr {
		values := slices.Clone(x)
		if n > 0 {
			values = s.Apply(x, cells[:n])
		}
		for j, v := range t.Apply(tuple.Pick(x, set), cells[n:]) {
			values[set[j]] = v
		}
		return values
	}
	out.Compose = func(a, b []ir.Expr) []ir.Expr {
		var first []ir.Expr
		if n > 0 {
			first = s.Compose(a[:n], b[:n])
		}
		return concat([][]ir.Expr{first, t.Compose(a[n:], b[n:])})
	}
	return out
}
