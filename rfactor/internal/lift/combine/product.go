package combine

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// joinProduct fits a part whose numbers fall into blocks that do not depend on each other, each by an
// algebra of its own: sums and extrema behind one flag, counts and sums of other types that look at
// the last element.
//
//	y0; select(y0 < x0, x1 + x0, x1) of f64; select(y0 < x0, x2 + 1, x2) of u64
//
// The cells are those of the blocks, one block after the other. The matcher lifts independent parts
// by itself. The family serves what those parts have in common: flags, or the last elements.
func joinProduct(cx *lift.Context, p *tuple.Part, memory family.Memory, unbounded bool) *lift.Shape {
	back := int(memory)
	switch memory {
	case family.Conditions:
		return family.Decided(cx, p, func(p *tuple.Part) *lift.Shape { return joinProduct(cx, p, family.None, unbounded) })
	case family.Pairs:
		back = 2
	}
	r, ok := algebra.ReadableRoles(p, back)
	if !ok || len(r.Numbers) < 2 {
		return nil
	}
	f := &algebra.Fitting{Context: cx.Within(tuple.Indices(len(p.Types))), Part: p, Roles: r}
	var parts []algebra.Block
	for _, set := range algebra.Blocks([]*tuple.Part{p}, r.Numbers) {
		b := blockOf(f, set, unbounded)
		if b.Algebra == nil {
			return nil
		}
		parts = append(parts, b)
	}
	if len(parts) < 2 {
		return nil
	}
	f.Name = "product"
	return f.Shape(parts, back)
}

// blockOf returns the numbers in a set with the first algebra that fits them under all combinations
// of the flags; with no algebra where none does.
func blockOf(f *algebra.Fitting, set []int, unbounded bool) algebra.Block {
	for i := range family.All {
		fam := &family.All[i]
		if fam.Algebra == nil || f.Context.Study.WithoutFamily(fam.Name) || fam.Unbounded && !unbounded && !choosing(tuple.Pick(f.Part.Values, set), tuple.MaskOf(f.Memories)) {
			continue
		}
		b := algebra.Block{Numbers: set, Algebra: fam.Algebra(f.Context.Pool, len(set))}
		g := f.Of(b)
		g.Name = fam.Name
		if readable(g) {
			return b
		}
	}
	return algebra.Block{}
}

// choosing reports whether values only compare states or choose among them: see chooses.
func choosing(values []ir.Expr, last uint64) bool {
	return !slices.ContainsFunc(values, func(e ir.Expr) bool { return !lift.Chooses(e, last) })
}

// readable reports whether the algebra reads the numbers under all combinations of the flags.
func readable(f *algebra.Fitting) bool {
	t := f.Part.Types[f.Numbers[0]]
	if f.Algebra.State(0, t) == nil || slices.ContainsFunc(f.Numbers, func(i int) bool { return f.Part.Types[i] != t }) {
		return false
	}
	for s := range 1 << len(f.Flags) {
		values := f.Under(s)
		if slices.ContainsFunc(f.Numbers, func(i int) bool { return f.Element(values[i]) == nil }) {
			return false
		}
	}
	return true
}

// sideBySide fits parts on the same state, which are alternatives of one step. It returns a shape for
// each of them, all with the same families and the same kinds of cells; nil where some block has no
// such family.
func sideBySide(cx *lift.Context, parts []*tuple.Part, unbounded bool) []*lift.Shape {
	out := make([]*lift.Shape, len(parts))
	for i := range out {
		out[i] = &lift.Shape{Identity: []ir.Expr{}}
	}
	for _, set := range algebra.Blocks(parts, tuple.Indices(len(parts[0].Types))) {
		shapes := blockShapes(cx, parts, set, unbounded)
		if shapes == nil {
			return nil
		}
		for i, s := range shapes {
			out[i] = beside(out[i], s, set)
		}
	}
	return out
}

// blockShapes fits some components of parts by the first family that fits all parts.
func blockShapes(cx *lift.Context, parts []*tuple.Part, set []int, unbounded bool) []*lift.Shape {
	inner := cx.Within(set)
	restricted := make([]*tuple.Part, len(parts))
	for i, p := range parts {
		restricted[i] = tuple.Restrict(cx.Pool, p.Types, p.Values, set)
	}
	unbounded = unbounded || !slices.ContainsFunc(restricted, func(p *tuple.Part) bool { return !choosing(p.Values, 0) })
	for i := range family.All {
		f := &family.All[i]
		if f.Unbounded && !unbounded || cx.Study.WithoutFamily(f.Name) {
			continue
		}
		var shapes []*lift.Shape
		for _, p := range restricted {
			s := family.ShapeIn(inner, f, family.None, p)
			if s == nil || len(shapes) > 0 && !like(s, shapes[0]) {
				break
			}
			shapes = append(shapes, s)
		}
		if len(shapes) == len(parts) {
			return shapes
		}
	}
	return cutSegments(inner, restricted, unbounded)
}

// like reports whether two shapes have the same family and cells of the same types.
func like(s *lift.Shape, other *lift.Shape) bool {
	return s.Name == other.Name && (s.Identity == nil) == (other.Identity == nil) &&
		slices.EqualFunc(s.Inject, other.Inject, func(a, b ir.Expr) bool { return a.Type() == b.Type() })
}

// beside returns the shape of steps that do what s does, and what a shape of the components in set
// does.
func beside(s *lift.Shape, t *lift.Shape, set []int) *lift.Shape {
	n := len(s.Inject)
	out := &lift.Shape{Name: t.Name, Inject: slices.Concat(s.Inject, t.Inject)}
	if s.Name != "" && s.Name != t.Name {
		out.Name = s.Name + " and " + t.Name
	}
	if s.Identity != nil && t.Identity != nil {
		out.Identity = slices.Concat(s.Identity, t.Identity)
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
		return slices.Concat(first, t.Compose(a[n:], b[n:]))
	}
	return out
}
