package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// dense is a stage whose lanes run along a pure dimension: each lane has an element of its own, so
// that every element gets its values in the order of the program, whatever its operator.
//
//	for y: for x vectorize: for k: c(x, y) += a(k, y)*b(x, k)   →   a tile of c in registers, over all k
//
// Where what moves with x is the same in all rows, rows and columns make a tile, whose elements are
// kept in registers (Tile). Elsewhere a row takes a few steps at once (Sweep). What does not move
// with x is computed by a function of the caller, before the loop over the row.
type dense struct {
	name     string
	nest     *nest // its loops end with y if there is one, x and k
	y        bool
	x, k     plan.Loop
	t        ir.Type
	uniforms []ir.Expr // greatest terms that do not move with x
	streams  []access.Access
	tiles    bool
	contract bool
	lanes    []*kernel.Value // the values in lanes: see value
	use      kernel.Use
}

// densified is the stage as a dense one, if its schedule has lanes along a pure dimension and a form
// serves; else it is n, and why no form serves is noted.
func (g *generator) densified(n *nest) *nest {
	if g.serial || n.shared || n.Role == plan.First || !slices.ContainsFunc(n.loops, func(l plan.Loop) bool { return l.Pure && l.How == plan.AsLanes }) {
		return n
	}
	d, why := newDense(g.plan, n, g.use)
	if why != "" {
		g.undense[n.Stage] = why
		return n
	}
	d.name = g.kernelName(n)
	for i := 2; slices.ContainsFunc(g.denses, func(e *dense) bool { return e.name == d.name }); i++ {
		d.name = fmt.Sprintf("%s%d", g.kernelName(n), i)
	}
	g.denses = append(g.denses, d)
	g.asDense[d.nest] = d
	return d.nest
}

// newDense finds the loops and the operands of a stage, or the reason why the stage is no dense one.
func newDense(p *plan.Plan, n *nest, use kernel.Use) (d *dense, why string) {
	if faulty(p, n) {
		return nil, "indices depend on data, and are checked one by one"
	}
	m := *n
	m.loops = slices.Clone(n.loops)
	m.joinLanes()
	m.guardValues()
	x, k := m.lanesLoop(), -1
	for i, l := range m.loops {
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
	d = &dense{use: use, nest: &m, x: m.loops[x], k: m.loops[k], t: n.Buffer.Types[0]}
	switch {
	case slices.ContainsFunc(n.Buffer.Types, func(t ir.Type) bool { return t != d.t }):
		return nil, "components differ in type"
	case !kernel.HasVectors(d.t):
		return nil, "there are no vectors of " + d.t.String()
	case hasTernary(m.values):
		return nil, "a bit operation has another one as an operand, of which Go 1.27 makes an instruction that its assembler refuses"
	}
	if why := d.operands(x); why != "" {
		return nil, why
	}
	y := d.rows(x)
	rest := slices.DeleteFunc(slices.Clone(m.loops), func(l plan.Loop) bool {
		return l.Var == d.x.Var || l.Var == d.k.Var || y >= 0 && l.Var == m.loops[y].Var
	})
	last := []plan.Loop{d.x, d.k}
	if y >= 0 {
		d.y, last = true, append([]plan.Loop{m.loops[y]}, last...)
	}
	for _, l := range slices.Concat(rest, last) {
		if mentionsAny([]ir.Expr{l.Span.Min, l.Span.Extent}, varsOfLoops(last)...) {
			return nil, "how far " + l.Var.Name() + " runs depends on a loop inside of which it would have to run"
		}
	}
	m.loops = append(rest, last...)
	d.contract = p.Contract && d.t.IsFloat()
	if d.lanes, why = d.inLanes(); d.lanes == nil {
		return nil, why
	}
	return d, ""
}

// lanesLoop is the number of the loop in lanes that steps through the stage's elements; -1 where there is none.
func (n *nest) lanesLoop() int {
	target := access.Access{Dims: access.Coordinates(n.index, varsOfLoops(n.loops))}
	x := target.Contiguous()
	if x < 0 || !n.loops[x].Pure || n.loops[x].How != plan.AsLanes {
		return -1
	}
	return x
}

// guardValues moves the conditions of a nest into its values: where they do not hold an element stays.
//
//	where c: x + h   →   select(c, x + h, x)
func (n *nest) guardValues() {
	if len(n.where) == 0 {
		return
	}
	cond := folds.All(n.where)
	values := make([]ir.Expr, len(n.values))
	for i, v := range n.values {
		values[i] = ir.SelectOf(cond, v, v.Pool().X(i, v.Type()))
	}
	n.where, n.values = nil, values
}

// hasTernary reports whether a bit operation has another one as an operand. Go 1.27 makes one
// instruction of two, and where that reads memory its assembler refuses the instruction.
func hasTernary(es []ir.Expr) bool {
	bits := func(e ir.Expr) bool {
		return e.Op() == ir.BitAnd || e.Op() == ir.BitOr || e.Op() == ir.BitXor || e.Op() == ir.BitNot
	}
	found := false
	ir.Walk(es, func(e ir.Expr) {
		for i := range e.NumArgs() {
			found = found || bits(e) && bits(e.Arg(i))
		}
	})
	return found
}

// operands sorts what the values mention: the state, reads that move with x by one, and what does not
// move with it. It gives the reason why that does not make a kernel, "" where it does.
func (d *dense) operands(x int) (why string) {
	name := d.x.Var.Name()
	refuse := func(format string, args ...any) {
		if why == "" {
			why = fmt.Sprintf(format, args...)
		}
	}
	reads := map[ir.Expr]access.Access{}
	for _, r := range d.nest.reads() {
		reads[r.Call] = r
		if r.Array == d.nest.Buffer.Name {
			refuse("it reads other elements of %s", r.Array)
		}
	}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		r, read := reads[e]
		switch {
		case e.IsClosed() || e.Op() == ir.Var && e.Kind() == ir.State:
		case e.States() == 0 && !access.Mentions(e, d.x.Var) && e.Type() == d.t:
			if !slices.Contains(d.uniforms, e) {
				d.uniforms = append(d.uniforms, e)
			}
		case read && e.Type() != d.t:
			refuse("%s is of another type than %s", e, d.nest.Buffer.Name)
		case read && r.Contiguous() != x:
			refuse("%s does not step through memory one element after another as %s does", e, name)
		case read:
			if !slices.ContainsFunc(d.streams, func(s access.Access) bool { return s.Call == e }) {
				d.streams = append(d.streams, r)
			}
		case e == d.x.Var:
			refuse("it uses the coordinate %s as a value", name)
		case e.NumArgs() == 0:
			refuse("%s is of another type than %s", e, d.nest.Buffer.Name)
		default:
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
	}
	for _, v := range d.nest.values {
		visit(v)
	}
	if len(d.streams) == 0 {
		refuse("nothing that it reads steps through memory with %s", name)
	}
	return why
}

// rows chooses the loop over rows, -1 for none: best one along which the streams stay, so that tiles
// can be made. A parallel loop serves where it is the outermost of all that remain.
func (d *dense) rows(x int) int {
	best := -1
	for i, l := range d.nest.loops {
		stays := !slices.ContainsFunc(d.streams, func(s access.Access) bool { return access.Mentions(s.Call, l.Var) })
		moves := mentionsAny(d.uniforms, l.Var)
		whole := len(d.nest.loops) == 3
		if !l.Pure || i == x || !mentionsAny(d.nest.index, l.Var) || mentionsAny(spansOf(d.nest.loops), l.Var) || l.How == plan.InParallel && !whole {
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

// joinLanes makes one loop again of a pure loop that was split for lanes.
//
//	for x in 0..w/8: for xi in 0..8 vectorize   →   for xi in 0..w vectorize
func (n *nest) joinLanes() {
	for j := range n.loops {
		for i := range j {
			if n.joined(i, j) {
				return
			}
		}
	}
}

// joined makes the loop in lanes j one with the pure loop i around it, in the place of the former.
func (n *nest) joined(i, j int) bool {
	steps, lanes := n.loops[i], n.loops[j]
	if !steps.Pure || !lanes.Pure || lanes.How != plan.AsLanes || steps.How == plan.InParallel || !steps.Span.Min.IsConst(0) || !lanes.Span.Min.IsConst(0) {
		return false
	}
	total, width := fusedExtent(steps, lanes)
	if !total.IsValid() {
		return false
	}
	f := fuser{steps.Var, lanes.Var, width}
	where, values, index := f.all(n.where), f.all(n.values), f.all(n.index)
	others := slices.Delete(slices.Delete(slices.Clone(n.loops), j, j+1), i, i+1)
	if mentionsAny(slices.Concat(where, values, index), steps.Var) || mentionsAny(spansOf(others), steps.Var, lanes.Var) || mentionsAny([]ir.Expr{total}, varsOfLoops(n.loops[i:j])...) {
		return false
	}
	lanes.Span.Extent = total
	n.where, n.values, n.index = where, values, index
	n.loops = slices.Insert(others, j-1, lanes)
	return true
}

// depth is how many loops stay outside.
func (d *dense) depth() int {
	if d.y {
		return len(d.nest.loops) - 3
	}
	return len(d.nest.loops) - 2
}

// fewUpdates is how many updates are quicker in plain loops than in rows and tiles.
const fewUpdates = 2048

// denseOrPlain writes the loops from the depth on: plain ones for few updates.
func (g *generator) denseOrPlain(d *dense) {
	var extents []string
	for _, l := range d.nest.loops[d.depth():] {
		extents = append(extents, "int64("+g.goInt(l.Span.Extent)+")") // their product may be more than an int of 32 bits holds
	}
	g.file.printf("if %s < %d {\n", strings.Join(extents, "*"), fewUpdates)
	plain := *d.nest
	g.serial = true // without kernels and goroutines
	g.loop(&plain, d.depth())
	g.serial = false
	g.file.printf("} else {\n")
	if b := d.nest.Buffer; b.Output { // a result that functions capture would go to the heap, in plain loops, too
		parts := strings.Join(g.arrays[b.Name].parts, ", ")
		g.file.printf("%s := %s\n", parts, parts)
	}
	g.callDense(d)
	g.file.printf("}\n")
}

// callDense writes the call, with functions that give rows and what is the same in a row.
func (g *generator) callDense(d *dense) {
	n := d.nest
	y, lo, height := "_", "0", "1"
	parallel := false
	if d.y {
		l := n.loops[d.depth()]
		y, lo, height = g.loopVar[l.Var], g.goInt(l.Span.Min), g.goInt(l.Span.Extent)
		if parallel = d.depth() == 0 && g.isParallel(n, 0); parallel {
			g.inBody = true
			g.file.printf("%s(%s, %s, func(lo, hi int) { // which copies operands once\n", g.use("partition"), height, g.bytesPerStep(n))
			height = "hi - lo"
			if lo != "0" {
				lo = "lo + " + g.intOperand(l.Span.Min, 3)
			} else {
				lo = "lo"
			}
		}
	}
	k := g.loopVar[d.k.Var]
	from := func(part string, a *array, index []ir.Expr) string {
		var at []ir.Expr
		for _, e := range index {
			at = append(at, foldSum(ir.Subst(e, []ir.Expr{d.x.Var}, []ir.Expr{d.x.Span.Min})))
		}
		return fmt.Sprintf("%s[%s:]", part, a.offset(g.coords(a, at)))
	}
	t := kernel.GoType[d.t]
	args := []string{g.goInt(d.x.Span.Extent), lo, height, g.goInt(d.k.Span.Min), g.goInt(d.k.Span.Extent)}
	a := g.arrays[n.Buffer.Name]
	for _, part := range a.parts {
		args = append(args, fmt.Sprintf("func(%s int) []%s { return %s }", y, t, from(part, a, n.index)))
	}
	w := g.writer()
	for _, u := range d.uniforms {
		step := "i"
		for g.taken[step] {
			step += "i"
		}
		body := fmt.Sprintf("for %[1]s := range to {\nto[%[1]s] = %[2]s\n%[3]s++\n}\nreturn to", step, w.Expr(u), k)
		if r, ok := d.alongSteps(u); ok {
			b := g.arrays[r.Array]
			body = fmt.Sprintf("return %s[:len(to)]", from(b.parts[r.Component]+b.pix, b, access.Operands(u)))
		}
		args = append(args, fmt.Sprintf("func(%s, %s int, to []%s) []%s {\n%s\n}", y, k, t, t, body))
	}
	for _, s := range d.streams {
		b := g.arrays[s.Array]
		args = append(args, fmt.Sprintf("func(%s, %s int) []%s { return %s }", y, k, t, from(b.parts[s.Component]+b.pix, b, access.Operands(s.Call))))
	}
	g.file.printf("%sDense(%s)\n", d.name, strings.Join(args, ", "))
	if parallel {
		g.file.printf("})\n")
		g.inBody = false
	}
}

// alongSteps is the read that the expression is, if the elements of successive steps lie one behind another.
func (d *dense) alongSteps(e ir.Expr) (access.Access, bool) {
	k := slices.IndexFunc(d.nest.loops, func(l plan.Loop) bool { return l.Var == d.k.Var })
	for _, r := range d.nest.reads() {
		if r.Call == e && r.Contiguous() == k {
			return r, true
		}
	}
	return access.Access{}, false
}

// params is the parameters of the function that runs the stage, and names lists them.
func (d *dense) params() (decls []param, names []string) {
	t := kernel.GoType[d.t]
	decls = []param{{"w", "int"}, {"y", "int"}, {"h", "int"}, {"k", "int"}, {"n", "int"}}
	for i := range d.nest.Buffer.Types {
		decls = append(decls, param{fmt.Sprintf("c%d", i), "func(y int) []" + t})
	}
	for i := range d.uniforms {
		decls = append(decls, param{fmt.Sprintf("a%d", i), fmt.Sprintf("func(y, k int, to []%s) []%s", t, t)})
	}
	for i := range d.streams {
		decls = append(decls, param{fmt.Sprintf("b%d", i), "func(y, k int) []" + t})
	}
	for _, p := range decls {
		names = append(names, p.name)
	}
	return decls, names
}

// leaf names the state by state, streams b0, b1, … and what does not move with x y0, y1, ….
func (d *dense) leaf(e ir.Expr, state func(comp int) string) string {
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

// value is an operand as a leaf: State, Still of what does not move with x, or Load of a stream; nil for another term.
func (d *dense) value(e ir.Expr) *kernel.Value {
	if e.Op() == ir.Var && e.Kind() == ir.State {
		return kernel.Leaf(kernel.State, e.Index(), d.t)
	}
	if i := slices.Index(d.uniforms, e); i >= 0 {
		return kernel.Leaf(kernel.Still, i, d.t)
	}
	if i := slices.IndexFunc(d.streams, func(s access.Access) bool { return s.Call == e }); i >= 0 {
		return kernel.Leaf(kernel.Load, i, d.t)
	}
	return nil
}

func (d *dense) stateName(comp int) string { return fmt.Sprintf("x%d", comp) }

// inLanes computes the values in lanes; nil, and the reason, where some have none.
func (d *dense) inLanes() (out []*kernel.Value, why string) {
	b := &kernel.Builder{Bits: d.t.Bits(), Contract: d.contract, Leaf: d.value}
	for _, v := range d.nest.values {
		w := b.Value(v)
		if w == nil {
			return nil, b.Lacks()
		}
		out = append(out, w)
	}
	return kernel.Simd.Legalize(out)
}

// plainWriter writes the same as plain Go.
func (d *dense) plainWriter(state func(comp int) string) *gosrc.Writer {
	w := &gosrc.Writer{Use: d.use, Contract: d.contract, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string { return d.leaf(e, state) }}
	for _, u := range d.uniforms {
		w.Temp[u] = d.leaf(u, state)
	}
	for _, s := range d.streams {
		w.Temp[s.Call] = d.leaf(s.Call, state)
	}
	return w
}
