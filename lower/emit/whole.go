package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// group is the stages that one update was factored into: those of its intermediate buffers, then
// the merge. Where whole is set it does what they do together, and few elements are left to it:
// goroutines, buffers and their merge would cost more than the elements.
//
//	if 4*len(in) < 8*grainBytes { f = fKernel(f, in) } else { slices on goroutines, merged }
type group struct {
	nests []*nest
	whole *nest
}

// groups cuts the stages of the plan into groups. A stage that was not factored has a group of its own.
func (g *generator) groups() (out []group) {
	for _, s := range g.plan.Stages {
		n := newNest(s)
		last := len(out) - 1
		if last < 0 || s.From == nil || out[last].nests[0].From != s.From || out[last].merged() {
			out, last = append(out, group{}), last+1
		}
		out[last].nests = append(out[last].nests, n)
		if s.Whole != nil && slices.ContainsFunc(out[last].nests, func(n *nest) bool { return len(n.loops) > 0 && g.isParallel(n, 0) }) {
			written := serialStage(g.prog, s.Whole.Buffer, s.Whole.From)
			written.Ends = s.Whole.Ends
			out[last].whole = newNest(s.Whole)
			if as := newNest(written); g.runOf(as).muchCheaper(g.runOf(out[last].whole)) {
				out[last].whole = as
			}
		}
	}
	return out
}

// merged reports whether the merge into the output has come.
func (s *group) merged() bool {
	last := s.nests[len(s.nests)-1]
	return last.Role == plan.Merge && last.Buffer.Output
}

// buffers lists the intermediate buffers of the group.
func (s *group) buffers() (out []*plan.Buffer) {
	for _, n := range s.nests {
		if !n.Buffer.Output && !slices.Contains(out, n.Buffer) {
			out = append(out, n.Buffer)
		}
	}
	return out
}

// group writes the stages of a group; last says that nothing comes behind it but the return.
func (g *generator) group(s group, last bool) {
	if s.whole == nil {
		oneLane(s.nests, g.arrays)
		g.allocate(s.buffers())
		for _, n := range s.nests {
			g.stage(n)
		}
		return
	}
	file := g.file
	parts, whole := newUnit(), newUnit()
	g.file = parts
	if c := g.crewOf(s); c != nil {
		s.nests = c.hire(g)
	}
	oneLane(s.nests, g.arrays)
	g.allocate(s.buffers())
	for _, n := range s.nests {
		g.stage(n)
	}
	g.file = whole
	g.short = shortRuns{first: last && len(s.whole.loops) == 1 && s.whole.rows == nil && len(s.whole.Buffer.Dims) == 0}
	g.stage(s.whole)
	count := g.short.count
	g.short = shortRuns{}
	g.file = file
	if results, _ := g.results(); count != "" {
		g.file.printf("\nif %s < %d { // all that comes costs more than so few elements\n", count, shortRun)
		g.serial = true // without kernels
		g.loop(s.whole, 0)
		g.serial = false
		g.file.printf("return %s, nil\n}\n", strings.Join(results, ", "))
	}
	if k := g.kernelOf(s.whole); last && k != nil && k.until != nil {
		(&kernelWriter{g}).near(s.whole, k)
	}
	g.file.printf("\nif %s { // too few elements for slices\n", g.few(s))
	g.file.add(whole)
	if !last {
		g.file.printf("} else {\n")
		g.file.add(parts)
		g.file.printf("}\n")
		return
	}
	results, _ := g.results()
	g.file.printf("return %s, nil\n}\n", strings.Join(results, ", "))
	g.file.add(parts)
}

// shortRuns is where a stage leaves few elements to a plain loop: ahead of everything where first is set, and
// then a call of a kernel notes how many it has; else at each call.
type shortRuns struct {
	first bool
	count string
}

// few is the condition under which the update runs whole: for few elements, or where processors are too few for what slices take longer, by
// estimate. What it gives depends on the number of processors only where the order of the combinations does not show.
func (g *generator) few(s group) string {
	size := g.bytesOf(s.whole, s.whole.loops)
	e, estimated := g.estimate(s)
	processors := 2
	if estimated {
		g.estimates = append(g.estimates, e)
		processors = e.Processors()
	}
	vector := func(n *nest) bool {
		k := g.kernelOf(n)
		return k != nil && k.vector != nil
	}
	if !(estimated && e.Slices >= e.Serial) && !vector(s.whole) && slices.ContainsFunc(s.nests, func(n *nest) bool { return vector(n) || n.Buffer.Steps != "" }) {
		return size + " < " + g.use("grainBytes") + "/64" + g.unlessVectors(s, size) // slices have a faster kernel
	}
	cond := size + " < 2*" + g.use("grainBytes")
	if vector(s.whole) {
		cond = size + " < 8*" + g.use("grainBytes") // vectors are done before another goroutine has begun
	}
	switch {
	case !exact(g.plan, s.whole):
	case processors == 2:
		cond += " || " + g.use("runtime") + ".GOMAXPROCS(0) == 1"
	default: // fewer do not make up for what slices take longer
		cond += fmt.Sprintf(" || %s.GOMAXPROCS(0) < %d", g.use("runtime"), processors)
	}
	return cond
}

// unlessVectors is the condition under which slices run whole besides, where it is on vectors alone that they are estimated to be faster.
func (g *generator) unlessVectors(s group, size string) string {
	whole := g.kernelOf(s.whole)
	if whole == nil {
		return ""
	}
	e := Estimate{Serial: whole.plain.Cost(nil)}
	for _, n := range s.nests {
		if k := g.kernelOf(n); k != nil && k.vector != nil {
			e.Slices = max(e.Slices, k.plain.Cost(nil))
		}
	}
	switch {
	case e.Slices < e.Serial:
		return ""
	case !exact(g.plan, s.whole): // processors do not change results
		g.asksVectors = true
		return " || !inLanes"
	}
	g.asksVectors = true
	return fmt.Sprintf(" || !inLanes && (%s < 2*%s || %s.GOMAXPROCS(0) < %d)", size, g.use("grainBytes"), g.use("runtime"), e.Processors())
}

// exact reports whether the operator of an update is associative without assumptions on floats.
func exact(p *plan.Plan, n *nest) bool {
	a := p.Answers[n.From]
	return a != nil && !a.Assumes.Has(ir.Reassoc)
}

// bytesOf is about how much input the iterations of some loops of a nest read.
func (g *glossary) bytesOf(n *nest, loops []plan.Loop) string {
	size := int64(0)
	for _, r := range n.reads() {
		size += int64(max(r.Call.Type().Bits()/8, 1))
	}
	size = max(size, 1)
	var factors []string
	for _, l := range loops {
		e := smallest(l.Span.Extent)
		switch {
		case n.rows == nil:
		case l.Var == n.rows.row:
			continue
		case l.Var == n.rows.col:
			e = smallest(n.rows.fused.Span.Extent)
		}
		if e.Op() == ir.Const {
			size *= max(e.Int(), 1)
			continue
		}
		if mentionsAny([]ir.Expr{e}, varsOfLoops(n.loops)...) {
			continue
		}
		text, prec := g.goIntPrec(e)
		if prec < 5 {
			text = "(" + text + ")"
		}
		factors = append(factors, text)
	}
	if size > 1 || len(factors) == 0 {
		factors = append(factors, strconv.FormatInt(size, 10))
	}
	return strings.Join(factors, "*")
}

// crew is a factoring whose slices share a table with all slices of their goroutine. There are then
// as many tables as goroutines, where the plan has one for each slice: one for each row of an image.
//
//	intm(x, u), u < h   →   intm(x, w), w < workers, where worker w takes its u in order
//
// That is right as ⊕ is associative, exactly, and the workers' slices are contiguous.
type crew struct {
	first, slices, merge *nest
	dim                  int // of the buffer, that counts slices
	over                 int // the loop of the merge that runs over it
}

// crewOf is the group as a crew; nil where it has another form.
func (g *generator) crewOf(s group) *crew {
	if len(s.nests) != 3 || !exact(g.plan, s.whole) {
		return nil
	}
	c := &crew{s.nests[0], s.nests[1], s.nests[2], -1, -1}
	b := c.slices.Buffer
	if c.first.Role != plan.First || c.slices.Role != plan.Intermediate || c.first.Buffer != b || len(b.Dims) < 2 || b.Seen || b.Wide || b.Steps != "" || b.At != nil ||
		len(c.merge.where) > 0 || len(c.slices.loops) == 0 || !g.isParallel(c.slices, 0) || !c.first.zeros() || faulty(g.plan, c.slices) {
		return nil
	}
	u := c.slices.loops[0]
	c.dim = slices.Index(c.slices.index, u.Var)
	reads := c.merge.reads()
	if c.dim < 1 || b.Dims[c.dim].Extent != u.Span.Extent || b.Dims[c.dim].Min != u.Span.Min || slices.ContainsFunc(reads, func(a access.Access) bool { return a.Array != b.Name }) {
		return nil
	}
	v := access.Operands(reads[0].Call)[c.dim]
	c.over = slices.IndexFunc(c.merge.loops, func(l plan.Loop) bool { return l.Var == v })
	if c.over < 0 || c.merge.loops[c.over].Span.Extent != u.Span.Extent || mentionsAny(c.merge.index, v) {
		return nil
	}
	for _, a := range reads {
		for d, e := range access.Operands(a.Call) {
			if (d == c.dim) != (e == v) || e != v && access.Mentions(e, v) {
				return nil
			}
		}
	}
	for _, l := range slices.Concat(c.merge.loops, c.slices.loops) {
		if mentionsAny([]ir.Expr{l.Span.Min, l.Span.Extent}, v) {
			return nil
		}
	}
	return c
}

// hire gives the buffer a table for each goroutine, and the stages that use it so.
func (c *crew) hire(g *generator) []*nest {
	u, b := c.slices.loops[0], c.slices.Buffer
	pool := u.Var.Pool()
	count, number := pool.Var(ir.Param, g.name("workers"), 0, ir.I32), pool.Var(ir.Param, "worker", 1, ir.I32)
	g.loopVar[count] = count.Name()
	g.file.printf("%s := %s(%s, %s)\n", count.Name(), g.use("crew"), g.goInt(u.Span.Extent), g.bytesOf(c.slices, c.slices.loops[1:]))
	a := g.arrays[b.Name]
	a.mins = slices.Clone(a.mins)
	a.mins[c.dim], a.extents[c.dim] = pool.Int(ir.I32, 0), count.Name()
	a.restride()
	if n, err := strconv.Atoi(a.strides[c.dim-1]); err == nil && c.dim == len(b.Dims)-1 && n*b.Types[0].Bits() < 8*cacheLines {
		a.strides[c.dim-1] = strconv.Itoa(8 * cacheLines / max(b.Types[0].Bits(), 8))
		a.elements = a.strides[c.dim-1] + "*" + count.Name()
	}
	part, merge := *c.slices, *c.merge
	part.shared, part.index = true, slices.Clone(part.index)
	part.index[c.dim] = number
	u.Pure, u.How = false, plan.InOrder
	part.loops = append([]plan.Loop{{Var: number, Span: plan.Span{Min: pool.Int(ir.I32, 0), Extent: count}, Pure: true, How: plan.InParallel}, u}, part.loops[1:]...)
	merge.loops = slices.Clone(merge.loops)
	merge.loops[c.over].Span = plan.Span{Min: pool.Int(ir.I32, 0), Extent: count}
	return []*nest{c.first, &part, &merge}
}

// cacheLines is how many bytes two goroutines' tables are apart at least, so that they do not take
// lines from one another's cache: two lines, since neighbours are fetched in pairs.
const cacheLines = 128

// shareHead writes the two outermost loops of a nest that a crew runs.
func (g *generator) shareHead(n *nest, d int) {
	w, u := n.loops[0], n.loops[1]
	if d == 0 {
		g.inBody = true
		g.file.printf("%s(%s, %s, func(%s, lo, hi int) {\n", g.use("share"), g.goInt(w.Span.Extent), g.goInt(u.Span.Extent), g.loopVar[w.Var])
		return
	}
	g.file.sliceHead(g.loopVar[u.Var], g.goInt(u.Span.Min))
}

// sliceHead writes the loop of a goroutine over its slice [lo, hi) of what begins at first.
func (u *unit) sliceHead(v, first string) {
	from, to := "lo", "hi"
	switch {
	case first[0] == '-':
		from, to = "lo - "+first[1:], "hi - "+first[1:]
	case first != "0":
		from, to = "lo + "+first, "hi + "+first
	}
	u.printf("for %s := %s; %s < %s; %s++ {\n", v, from, v, to, v)
}

// same reports whether functions of two runs of one update differ in their names alone.
func (k *run) same(o *run) bool {
	name := func(s stream) string { return s.name }
	argument := func(s scalar) string { return s.name }
	return (k.vector == nil) == (o.vector == nil) && k.plain.String() == o.plain.String() &&
		slices.Equal(mapped(k.streams, name), mapped(o.streams, name)) && slices.Equal(mapped(k.scalars, argument), mapped(o.scalars, argument))
}

func mapped[T any](list []T, f func(T) string) (out []string) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}
