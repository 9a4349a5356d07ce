// Package dense prints stages whose lanes run along a pure dimension: tiles that stay in registers, and sweeps over rows. Each lane has an element of
// its own, so that no operator is needed.
package dense

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Stage is a stage whose lanes run along a pure dimension: each lane has an element of its own, so
// that every element gets its values in the order of the program, whatever its operator.
//
//	for y: for x vectorize: for k: c(x, y) += a(k, y)*b(x, k)   →   a tile of c in registers, over all k
//
// Where what moves with x is the same in all rows, rows and columns make a tile, whose elements are
// kept in registers (Tile). Elsewhere a row takes a few steps at once (Sweep). What does not move
// with x is computed by a function of the caller, before the loop over the row.
type Stage struct {
	Name     string
	Nest     *loopnest.Nest // its loops end with y if there is one, x and k
	Y        bool
	X, K     plan.Loop
	T        ir.Type
	Uniforms []ir.Expr // greatest terms that do not move with x
	Streams  []access.Access
	tiles    bool
	contract bool
	lanes    []*kernel.Value // the values in lanes: see value
	use      kernel.Use
}

// Of finds the loops and the operands of a stage, or the reason why the stage is no dense one.
func Of(p *plan.Plan, n *loopnest.Nest, use kernel.Use) (d *Stage, why string) {
	if loopnest.Faulty(p, n) {
		return nil, "indices depend on data, and are checked one by one"
	}
	m := *n
	m.Loops = slices.Clone(n.Loops)
	m.JoinLanes()
	m.GuardValues()
	x, k := m.LanesLoop(), -1
	for i, l := range m.Loops {
		if !l.Pure {
			k = i
		}
	}
	switch {
	case x < 0:
		return nil, "the lanes do not run along the first dimension of " + n.Buffer.Name + ", one element after another"
	case k < 0:
		return nil, "no reduction variable is left inside of the lanes"
	}
	d = &Stage{use: use, Nest: &m, X: m.Loops[x], K: m.Loops[k], T: n.Buffer.Types[0]}
	switch {
	case slices.ContainsFunc(n.Buffer.Types, func(t ir.Type) bool { return t != d.T }):
		return nil, "components differ in type"
	case loopnest.MentionsAny(m.Index, d.K.Var):
		return nil, "each step along " + d.K.Var.Name() + " updates elements of its own"
	case !kernel.HasVectors(d.T):
		return nil, "there are no vectors of " + d.T.String()
	case merges(m.Values):
		return nil, "a bit operation has another one as an operand, or a shift is chosen, of which Go 1.27 makes an instruction that its assembler refuses"
	}
	if why := d.operands(x); why != "" {
		return nil, why
	}
	y := d.rows(x)
	rest := slices.DeleteFunc(slices.Clone(m.Loops), func(l plan.Loop) bool {
		return l.Var == d.X.Var || l.Var == d.K.Var || y >= 0 && l.Var == m.Loops[y].Var
	})
	last := []plan.Loop{d.X, d.K}
	if y >= 0 {
		d.Y, last = true, append([]plan.Loop{m.Loops[y]}, last...)
	}
	for _, l := range slices.Concat(rest, last) {
		if loopnest.MentionsAny([]ir.Expr{l.Span.Min, l.Span.Extent}, loopnest.VarsOfLoops(last)...) {
			return nil, "how far " + l.Var.Name() + " runs depends on a loop inside of which it would have to run"
		}
	}
	m.Loops = append(rest, last...)
	d.contract = p.Contract && d.T.IsFloat()
	if d.lanes, why = d.inLanes(); d.lanes == nil {
		return nil, why
	}
	if kernel.Confused(d.lanes) {
		return nil, "of three bit operations of which some are used again Go 1.27 makes an instruction that lacks an operand"
	}
	return d, ""
}

// merges reports whether Go 1.27 makes one instruction of two operations that its assembler refuses: a bit operation has another one as an operand, or
// the state, which one of the step before gives, or a select chooses a shift, as quotients by powers of two are.
func merges(es []ir.Expr) bool {
	bits := func(e ir.Expr) bool {
		return e.Op() == ir.BitAnd || e.Op() == ir.BitOr || e.Op() == ir.BitXor || e.Op() == ir.BitNot
	}
	one := func(e, a ir.Expr) bool {
		if e.Op() == ir.Select {
			return a.Op() == ir.Shl || a.Op() == ir.Shr || a.Op() == ir.Div && a.Type().IsInt()
		}
		return bits(e) && (bits(a) || a.Op() == ir.Var && a.Kind() == ir.State)
	}
	found := false
	ir.Walk(es, func(e ir.Expr) {
		for i := range e.NumArgs() {
			found = found || one(e, e.Arg(i))
		}
	})
	return found
}

// operands sorts what the values mention: the state, reads that move with x by one, and what does not
// move with it. It gives the reason why that does not make a kernel, "" where it does.
func (d *Stage) operands(x int) (why string) {
	name := d.X.Var.Name()
	refuse := func(format string, args ...any) {
		if why == "" {
			why = fmt.Sprintf(format, args...)
		}
	}
	reads := map[ir.Expr]access.Access{}
	for _, r := range d.Nest.Reads() {
		reads[r.Call] = r
		if r.Array == d.Nest.Buffer.Name {
			refuse("it reads other elements of %s", r.Array)
		}
	}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		r, read := reads[e]
		switch {
		case e.IsClosed() || e.Op() == ir.Var && e.Kind() == ir.State:
		case e.States() == 0 && !access.Mentions(e, d.X.Var) && e.Type() == d.T:
			if !slices.Contains(d.Uniforms, e) {
				d.Uniforms = append(d.Uniforms, e)
			}
		case read && e.Type() != d.T:
			refuse("%s is of another type than %s", e, d.Nest.Buffer.Name)
		case read && r.Contiguous() != x:
			refuse("%s does not step through memory one element after another as %s does", e, name)
		case read:
			if !slices.ContainsFunc(d.Streams, func(s access.Access) bool { return s.Call == e }) {
				d.Streams = append(d.Streams, r)
			}
		case e == d.X.Var:
			refuse("it uses the coordinate %s as a value", name)
		case e.NumArgs() == 0:
			refuse("%s is of another type than %s", e, d.Nest.Buffer.Name)
		default:
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
	}
	for _, v := range d.Nest.Values {
		visit(v)
	}
	if len(d.Streams) == 0 {
		refuse("nothing that it reads steps through memory with %s", name)
	}
	return why
}

// rows chooses the loop over rows, -1 for none: best one along which the streams stay, so that tiles
// can be made. A parallel loop serves where it is the outermost of all that remain.
func (d *Stage) rows(x int) int {
	best := -1
	for i, l := range d.Nest.Loops {
		stays := !slices.ContainsFunc(d.Streams, func(s access.Access) bool { return access.Mentions(s.Call, l.Var) })
		moves := loopnest.MentionsAny(d.Uniforms, l.Var)
		whole := len(d.Nest.Loops) == 3
		if !l.Pure || i == x || !loopnest.MentionsAny(d.Nest.Index, l.Var) || loopnest.MentionsAny(loopnest.SpansOf(d.Nest.Loops), l.Var) || l.How == plan.InParallel && !whole {
			continue
		}
		if stays && moves && !d.tiles {
			best, d.tiles = i, true
		} else if best < 0 {
			best = i
		}
	}
	return best
}

// Depth returns how many of the nest's loops stay around the tile or sweep.
func (d *Stage) Depth() int {
	if d.Y {
		return len(d.Nest.Loops) - 3
	}
	return len(d.Nest.Loops) - 2
}

// AlongSteps is the read that the expression is, if the elements of successive steps lie one behind another.
func (d *Stage) AlongSteps(e ir.Expr) (access.Access, bool) {
	k := slices.IndexFunc(d.Nest.Loops, func(l plan.Loop) bool { return l.Var == d.K.Var })
	for _, r := range d.Nest.Reads() {
		if r.Call == e && r.Contiguous() == k {
			return r, true
		}
	}
	return access.Access{}, false
}

// Params is the parameters of the function that runs the stage, and names lists them.
func (d *Stage) Params() (decls []scope.Param, names []string) {
	t := kernel.GoType[d.T]
	decls = []scope.Param{{Name: "w", Type: "int"}, {Name: "y", Type: "int"}, {Name: "h", Type: "int"}, {Name: "k", Type: "int"}, {Name: "n", Type: "int"}}
	for i := range d.Nest.Buffer.Types {
		decls = append(decls, scope.Param{Name: fmt.Sprintf("c%d", i), Type: "func(y int) []" + t})
	}
	for i := range d.Uniforms {
		decls = append(decls, scope.Param{Name: fmt.Sprintf("a%d", i), Type: fmt.Sprintf("func(y, k int, to []%s) []%s", t, t)})
	}
	for i := range d.Streams {
		decls = append(decls, scope.Param{Name: fmt.Sprintf("b%d", i), Type: "func(y, k int) []" + t})
	}
	for _, p := range decls {
		names = append(names, p.Name)
	}
	return decls, names
}

// leaf names the state by state, streams b0, b1, … and what does not move with x y0, y1, ….
func (d *Stage) leaf(e ir.Expr, state func(comp int) string) string {
	switch v := d.value(e); {
	case v == nil:
		return ""
	case v.Op == kernel.State:
		return state(int(v.Imm))
	case v.Op == kernel.Load:
		return fmt.Sprintf("b%d", v.Imm)
	default:
		return fmt.Sprintf("y%d", v.Imm)
	}
}

// value returns an operand as a leaf: a State, a Still for a value that is the same at every x, or the Load of a stream. It
// returns nil for any other term.
func (d *Stage) value(e ir.Expr) *kernel.Value {
	if e.Op() == ir.Var && e.Kind() == ir.State {
		return kernel.Leaf(kernel.State, e.Index(), d.T)
	}
	if i := slices.Index(d.Uniforms, e); i >= 0 {
		return kernel.Leaf(kernel.Still, i, d.T)
	}
	if i := slices.IndexFunc(d.Streams, func(s access.Access) bool { return s.Call == e }); i >= 0 {
		return kernel.Leaf(kernel.Load, i, d.T)
	}
	return nil
}

func (d *Stage) stateName(comp int) string { return fmt.Sprintf("x%d", comp) }

// inLanes returns the values as computed in lanes. It returns nil, and the reason, where some value has no form in lanes.
func (d *Stage) inLanes() (out []*kernel.Value, why string) {
	b := &kernel.Builder{Bits: d.T.Bits(), Contract: d.contract, Leaf: d.value}
	for _, v := range d.Nest.Values {
		w := b.Value(v)
		if w == nil {
			return nil, b.Lacks()
		}
		out = append(out, w)
	}
	return kernel.Simd.Legalize(out)
}

// plainWriter writes the same as plain Go.
func (d *Stage) plainWriter(state func(comp int) string) *gosrc.Writer {
	w := &gosrc.Writer{Use: d.use, Contract: d.contract, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string { return d.leaf(e, state) }}
	for _, u := range d.Uniforms {
		w.Temp[u] = d.leaf(u, state)
	}
	for _, s := range d.Streams {
		w.Temp[s.Call] = d.leaf(s.Call, state)
	}
	return w
}
