package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// group is the stages that one update was factored into: those of its intermediate buffers, then
// the merge. Where whole is set it does what they do together, and few elements are left to it:
// goroutines, buffers and their merge would cost more than the elements.
//
//	if 4*len(in) < 8*grainBytes { f = fKernel(f, in) } else { slices on goroutines, merged }
type group struct {
	nests []*loopnest.Nest
	whole *loopnest.Nest
}

// groups cuts the stages of the plan into groups. A stage that was not factored has a group of its own.
func (g *generator) groups() (out []group) {
	for _, s := range g.Plan.Stages {
		n := loopnest.New(s)
		last := len(out) - 1
		if last < 0 || s.From == nil || out[last].nests[0].From != s.From || out[last].merged() {
			out, last = append(out, group{}), last+1
		}
		out[last].nests = append(out[last].nests, n)
		if s.Whole != nil && slices.ContainsFunc(out[last].nests, func(n *loopnest.Nest) bool { return len(n.Loops) > 0 && g.isParallel(n, 0) }) {
			written := loopnest.Written(g.Prog, s.Whole.Buffer, s.Whole.From)
			written.Ends = s.Whole.Ends
			out[last].whole = loopnest.New(s.Whole)
			if as := loopnest.New(written); g.runOf(as).MuchCheaper(g.runOf(out[last].whole)) {
				out[last].whole = as
			}
		}
	}
	for _, s := range out {
		loopnest.LeaveOut(s.nests, s.whole)
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
	if loopnest.NoStep(s.nests[0].Steps) {
		g.File.Printf("\n// The update of %s has no step.\n", s.nests[0].From.Func.Name)
		return
	}
	if steps := (&checkWriter{g}).runs(s.nests[0].Steps, nil); len(steps) > 0 {
		g.File.Printf("\nif %s {\n", strings.Join(steps, " && "))
		defer func() { g.File.Printf("}\n") }()
	}
	if whole := s.whole; whole != nil && g.dear(s) {
		g.File.Printf("\n// Partial results would take many times the operations of the program.\n")
		s = group{nests: []*loopnest.Nest{whole}}
	}
	if s.whole == nil {
		oneLane(s.nests, g.Arrays)
		g.allocate(s.buffers())
		for _, n := range s.nests {
			g.stage(n)
		}
		return
	}
	file := g.File
	parts, whole, recent := scope.NewUnit(), scope.NewUnit(), scope.NewUnit()
	g.File = parts
	if c := g.crewOf(s); c != nil {
		s.nests = c.hire(g)
	}
	oneLane(s.nests, g.Arrays)
	g.allocate(s.buffers())
	for _, n := range s.nests {
		g.stage(n)
	}
	g.File = whole
	g.short = shortRuns{first: last && len(s.whole.Loops) == 1 && s.whole.Rows == nil && len(s.whole.Buffer.Dims) == 0}
	g.stage(s.whole)
	count := g.short.count
	g.short = shortRuns{}
	if g.File = recent; last {
		g.last(s)
	}
	g.File = file
	if results, _ := g.Results(); count != "" {
		g.File.Printf("\nif %s < %d { // all that comes costs more than so few elements\n", count, funcs.ShortRun)
		g.serial = true // without kernels
		g.loop(s.whole, 0)
		g.serial = false
		g.File.Printf("return %s, nil\n}\n", strings.Join(results, ", "))
	}
	if k := g.kernelOf(s.whole); last && k != nil && k.Until != nil {
		(&kernelWriter{g}).near(s.whole, k)
	}
	g.File.Add(recent)
	g.File.Printf("\nif %s { // too few elements for slices\n", g.few(s))
	g.File.Add(whole)
	if !last {
		g.File.Printf("} else {\n")
		g.File.Add(parts)
		g.File.Printf("}\n")
		return
	}
	results, _ := g.Results()
	g.File.Printf("return %s, nil\n}\n", strings.Join(results, ", "))
	g.File.Add(parts)
}

// dear reports whether partial results cost so much more than the program that it runs whole, and estimates them.
func (g *generator) dear(s group) bool {
	whole := g.runOf(s.whole)
	for _, n := range s.nests {
		k := g.runOf(n)
		if whole != nil && k != nil && n.Role == plan.Intermediate && k.Vector == nil && loopnest.Dear(n.Values, s.whole.Values) {
			for _, n := range s.nests {
				g.undense[n.Stage] = "partial results take so many more operations than the program that it runs whole"
			}
			g.estimates = append(g.estimates, Estimate{Update: s.whole.From, Serial: whole.Cost(), Slices: k.Cost(), Exact: exact(g.Plan, s.whole)})
			return true
		}
	}
	return false
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
	size := g.BytesOf(s.whole, s.whole.Loops)
	e, estimated := g.estimate(s)
	processors := 2
	if estimated {
		g.estimates = append(g.estimates, e)
		processors = e.Processors()
	}
	vector := func(n *loopnest.Nest) bool {
		k := g.kernelOf(n)
		return k != nil && k.Vector != nil
	}
	if !(estimated && e.Slices >= e.Serial) && !vector(s.whole) && slices.ContainsFunc(s.nests, func(n *loopnest.Nest) bool { return vector(n) || n.Buffer.Steps != "" }) {
		return size + " < " + g.Use("grainBytes") + "/64" + g.unlessVectors(s, size) // slices have a faster kernel
	}
	cond := size + " < 2*" + g.Use("grainBytes")
	if vector(s.whole) {
		cond = size + " < 8*" + g.Use("grainBytes") // vectors are done before another goroutine has begun
	}
	switch {
	case !exact(g.Plan, s.whole):
	case processors == 2:
		cond += " || " + g.Use("runtime") + ".GOMAXPROCS(0) == 1"
	default: // fewer do not make up for what slices take longer
		cond += fmt.Sprintf(" || %s.GOMAXPROCS(0) < %d", g.Use("runtime"), processors)
	}
	return cond
}

// unlessVectors is the condition under which slices run whole besides, where it is on vectors alone that they are estimated to be faster.
func (g *generator) unlessVectors(s group, size string) string {
	whole := g.kernelOf(s.whole)
	if whole == nil {
		return ""
	}
	e := Estimate{Serial: whole.Plain.Cost(nil)}
	for _, n := range s.nests {
		if k := g.kernelOf(n); k != nil && k.Vector != nil {
			e.Slices = max(e.Slices, k.Plain.Cost(nil))
		}
	}
	switch {
	case e.Slices < e.Serial:
		return ""
	case !exact(g.Plan, s.whole): // processors do not change results
		g.asksVectors = true
		return " || !inLanes"
	}
	g.asksVectors = true
	return fmt.Sprintf(" || !inLanes && (%s < 2*%s || %s.GOMAXPROCS(0) < %d)", size, g.Use("grainBytes"), g.Use("runtime"), e.Processors())
}

// exact reports whether the operator of an update is associative without assumptions on floats.
func exact(p *plan.Plan, n *loopnest.Nest) bool {
	a := p.Answers[n.From]
	return a != nil && !a.Assumes.Has(ir.Reassoc)
}

// crew is a factoring whose slices share a table with all slices of their goroutine. There are then
// as many tables as goroutines, where the plan has one for each slice: one for each row of an image.
//
//	intm(x, u), u < h   →   intm(x, w), w < workers, where worker w takes its u in order
//
// That is right as ⊕ is associative, exactly, and the workers' slices are contiguous.
type crew struct {
	first, slices, merge *loopnest.Nest
	dim                  int // of the buffer, that counts slices
	over                 int // the loop of the merge that runs over it
}

// crewOf is the group as a crew; nil where it has another form.
func (g *generator) crewOf(s group) *crew {
	if len(s.nests) != 3 || !exact(g.Plan, s.whole) {
		return nil
	}
	c := &crew{s.nests[0], s.nests[1], s.nests[2], -1, -1}
	b := c.slices.Buffer
	if c.first.Role != plan.First || c.slices.Role != plan.Intermediate || c.first.Buffer != b || len(b.Dims) < 2 || b.Seen || b.Wide || b.Steps != "" || b.At != nil ||
		len(c.merge.Where) > 0 || len(c.slices.Loops) == 0 || !g.isParallel(c.slices, 0) || !c.first.Zeros() || loopnest.Faulty(g.Plan, c.slices) {
		return nil
	}
	u := c.slices.Loops[0]
	c.dim = slices.Index(c.slices.Index, u.Var)
	reads := c.merge.Reads()
	if c.dim < 1 || len(reads) == 0 || b.Dims[c.dim].Extent != u.Span.Extent || b.Dims[c.dim].Min != u.Span.Min || slices.ContainsFunc(reads, func(a access.Access) bool { return a.Array != b.Name }) {
		return nil
	}
	v := access.Operands(reads[0].Call)[c.dim]
	c.over = slices.IndexFunc(c.merge.Loops, func(l plan.Loop) bool { return l.Var == v })
	if c.over < 0 || c.merge.Loops[c.over].Span.Extent != u.Span.Extent || loopnest.MentionsAny(c.merge.Index, v) {
		return nil
	}
	for _, a := range reads {
		for d, e := range access.Operands(a.Call) {
			if (d == c.dim) != (e == v) || e != v && access.Mentions(e, v) {
				return nil
			}
		}
	}
	for _, l := range slices.Concat(c.merge.Loops, c.slices.Loops) {
		if loopnest.MentionsAny([]ir.Expr{l.Span.Min, l.Span.Extent}, v) {
			return nil
		}
	}
	return c
}

// hire gives the buffer a table for each goroutine, and the stages that use it so.
func (c *crew) hire(g *generator) []*loopnest.Nest {
	u, b := c.slices.Loops[0], c.slices.Buffer
	pool := u.Var.Pool()
	count, number := pool.Var(ir.Param, g.Name("workers"), 0, ir.I32), pool.Var(ir.Param, "worker", 1, ir.I32)
	g.LoopVar[count] = count.Name()
	g.File.Printf("%s := %s(%s, %s)\n", count.Name(), g.Use("crew"), g.GoInt(u.Span.Extent), g.BytesOf(c.slices, c.slices.Loops[1:]))
	a := g.Arrays[b.Name]
	a.Mins = slices.Clone(a.Mins)
	a.Mins[c.dim], a.Extents[c.dim] = pool.Int(ir.I32, 0), count.Name()
	a.Restride()
	if n, err := strconv.Atoi(a.Strides[c.dim-1]); err == nil && c.dim == len(b.Dims)-1 && n*b.Types[0].Bits() < 8*cacheLines {
		a.Strides[c.dim-1] = strconv.Itoa(8 * cacheLines / max(b.Types[0].Bits(), 8))
		a.Elements = a.Strides[c.dim-1] + "*" + count.Name()
	}
	part, merge := *c.slices, *c.merge
	part.Shared, part.Index = true, slices.Clone(part.Index)
	part.Index[c.dim] = number
	u.Pure, u.How = false, plan.InOrder
	part.Loops = append([]plan.Loop{{Var: number, Span: plan.Span{Min: pool.Int(ir.I32, 0), Extent: count}, Pure: true, How: plan.InParallel}, u}, part.Loops[1:]...)
	merge.Loops = slices.Clone(merge.Loops)
	merge.Loops[c.over].Span = plan.Span{Min: pool.Int(ir.I32, 0), Extent: count}
	return []*loopnest.Nest{c.first, &part, &merge}
}

// cacheLines is how many bytes two goroutines' tables are apart at least, so that they do not take
// lines from one another's cache: two lines, since neighbours are fetched in pairs.
const cacheLines = 128

// shareHead writes the two outermost loops of a nest that a crew runs.
func (g *generator) shareHead(n *loopnest.Nest, d int) {
	w, u := n.Loops[0], n.Loops[1]
	if d == 0 {
		g.inBody = true
		g.File.Printf("%s(%s, %s, func(%s, lo, hi int) {\n", g.Use("share"), g.GoInt(w.Span.Extent), g.GoInt(u.Span.Extent), g.LoopVar[w.Var])
		return
	}
	g.File.SliceHead(g.LoopVar[u.Var], g.GoInt(u.Span.Min))
}
