package funcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Go 1.27 inlines the operations of package simd in two steps, each of which leaves a mark among the
// instructions: a byte that processors decode like any other. Loops of more operations than loads wait for
// that: counting took 1.7 times as long, products of complex numbers 1.4 times. On amd64 kernels are therefore written
// a second time, in the types of archsimd, whose operations the compiler knows itself: for vectors of 256 bits.
// Other widths are left to package simd.

// vectorWriter writes a kernel as a function, for a target.
type vectorWriter struct {
	*scope.Lines
	g     *scope.Scope
	k     *Run
	v     *kernel.Kernel
	t     *kernel.Target
	u     *VectorFile
	p     *kernel.Printer
	frame frame

	within               string // what the names of streams end in: those of the run, of a block or of a part of the run
	vector, copy, second string // the letters of the vector that is taken, of the copy that takes it, and of one that it is merged with
}

// frame is what functions of one kernel have not in common: for a run, and for the joined runs of nested loops.
type frame struct {
	name       string // of the function
	portable   string // of the one on package simd, where those on archsimd have the name
	about      string // for its comment: what it is, after its name
	params     string // with the results
	arguments  string // as it has got them
	plain      string // the function that takes the elements one after another
	rest       func(drop, from string) string
	coordinate func(e ir.Expr, place string) string // of an element, as Go; "" where the plain loop's serves
}

// RunFrame is the frame of a run.
func (k *Run) RunFrame() frame {
	return frame{
		name: k.Name + "Kernel", portable: k.Name + "Vectors", params: k.Params(), arguments: k.Arguments(k.States(), "", ""), plain: k.Name + "Portable",
		about: fmt.Sprintf("is %sPortable on vectors%s", k.Name, k.Vector.About),
		rest: func(drop, from string) string {
			if from != "" {
				from = " + " + from
			}
			return k.Arguments(k.States(), drop, from)
		},
		coordinate: func(ir.Expr, string) string { return "" },
	}
}

// source is the expression of the stage that a coordinate or a scalar of the kernel stands for; any other is its own.
func (k *Run) source(e ir.Expr) ir.Expr {
	switch op, i, _ := kernel.Operand(e); op {
	case kernel.Place:
		return k.Loop.Var
	case kernel.Scalar:
		return k.Scalars[i].Expr
	}
	return e
}

// letters name the vectors of a step, and the copies of accumulators that they go to.
const letters = "abcdefghijkl"

func letter(i int) string { return letters[i : i+1] }

// writeVectors writes a kernel as a function, and the searches that it calls. Vectors of another width are left to the function next.
func (k *Run) writeVectors(g *scope.Scope, v *kernel.Kernel, f frame, u *VectorFile, name, next string) {
	w := &vectorWriter{Lines: &scope.Lines{}, g: g, k: k, v: v, t: u.t, u: u, frame: f}
	g.Used = u.Used
	g.Use(u.t.Package)
	w.p = &kernel.Printer{Target: u.t, Leaf: w.leaf, Use: g.Use}
	for _, n := range w.v.Body {
		w.node(n)
	}
	body := w.Lines
	w.Lines = &scope.Lines{}
	w.head(name, next)
	for _, h := range w.p.Hoisted {
		w.F("%s", h)
	}
	u.WriteString(w.String() + body.String() + "}\n")
	if s, ok := kernel.First[kernel.Search](w.v.Body); ok {
		for _, b := range s.For {
			w.indexFunction(k.Streams[b.Stream].Call.Type(), b.First)
		}
	}
}

// leaf names a leaf of a value.
func (w *vectorWriter) leaf(v *kernel.Value) string {
	switch v.Op {
	case kernel.Load:
		return fmt.Sprintf("y%d%s", v.Imm, w.vector)
	case kernel.State:
		return w.accumulator(int(v.Imm), w.copy)
	case kernel.Right:
		return w.accumulator(int(v.Imm), w.second)
	case kernel.Place:
		return "place" + w.vector
	case kernel.Still:
		return fmt.Sprintf("stay%d", v.Imm)
	}
	return w.k.Scalars[v.Imm].Name
}

func (w *vectorWriter) accumulator(i int, copy string) string {
	if w.v.Accumulators[i].Comp == kernel.NoComp {
		return fmt.Sprintf("part%d%s", i, copy)
	}
	return fmt.Sprintf("s%d%s", w.v.Accumulators[i].Comp, copy)
}

// lead is the name of the stream whose length is that of the run.
func (w *vectorWriter) lead() string { return w.k.Streams[0].Name + w.within }

// times is so many vectors, as a number of elements.
func times(vectors int) string {
	if vectors == 1 {
		return "n"
	}
	return fmt.Sprintf("%d*n", vectors)
}

// head writes the function up to its loops: what it leaves to others, and what it declares for all loops.
func (w *vectorWriter) head(name, next string) {
	enough := fmt.Sprintf("len(%s) < %s", w.lead(), times(w.v.Least))
	w.F("\n// %s %s.", name, w.frame.about)
	w.F("func %s%s {\nvar v %s\nn := v.Len()", name, w.frame.params, w.t.Vector(w.v.Wide()))
	if w.t.Bits == 0 {
		enough = "simd.Emulated() || " + enough
	} else {
		wide, args := fmt.Sprintf("vectors%d", w.t.Bits), w.frame.arguments
		if next == w.frame.plain { // wider vectors have no function of their own
			wide, args, w.u.least = fmt.Sprintf("atLeast%d", w.t.Bits), w.frame.rest("", ""), true
		}
		w.F("if !%s {\nreturn %s%s\n}", wide, next, args)
	}
	w.F("if %s {\nreturn %s%s\n}", enough, w.frame.plain, w.frame.rest("", ""))
	w.clamp()
	if _, peeled := kernel.First[kernel.Peeled](w.v.Body); peeled {
		states := strings.Join(w.k.States(), ", ")
		w.F("if !x%d { // no element has come\n%s = %s%s", len(w.v.State)-1, states, w.frame.plain, w.frame.rest("[:1]", ""))
		for _, s := range w.k.Streams {
			w.F("%[1]s = %[1]s[1:]", s.Name)
		}
		w.F("}")
	}
	if _, finite := kernel.First[kernel.Finite](w.v.Body); finite {
		for i, s := range w.k.Streams {
			w.F("whole%d := %s", i, s.Name)
		}
	}
	loop := w.v.LoopOf()
	_, search := kernel.First[kernel.Search](w.v.Body)
	_, skip := kernel.First[kernel.Skip](w.v.Body)
	_, advance := kernel.First[kernel.Advance](w.v.Body)
	if !search && !skip && (w.k.First || w.biased() || advance) {
		w.F("count := len(%s)", w.lead())
	}
	places := loop != nil && kernel.Uses(loop.Values(), kernel.Place, 0)
	if places {
		w.F("var ramp [16]int32\nfor i := range ramp {\nramp[i] = int32(first + i)\n}")
	}
	if skip {
		w.F("var words [8]uint64")
	}
	w.keep()
	if places {
		w.F("ahead := %s\nplacea := %s", w.t.Broadcast(ir.I32, "int32(n)"), w.t.Load(ir.I32, "ramp[:]"))
		for j := 1; j < loop.Vectors; j++ {
			w.F("place%s := place%s.Add(ahead)", letter(j), letter(j-1))
		}
		w.F("ahead = %s", w.t.Broadcast(ir.I32, fmt.Sprintf("%d * int32(n)", loop.Vectors)))
	}
}

// biased reports whether what is taken has to be counted.
func (w *vectorWriter) biased() bool {
	return slices.ContainsFunc(w.v.Accumulators, func(a kernel.Accumulator) bool { return a.Bias != 0 })
}

// clamp gives streams one length. Those of loops over the whole run get one capacity, too: the compiler then sees that what is left behind
// a step has elements, and advances a pointer by addition alone, where it otherwise takes five instructions to keep
// the pointer from the end of the array: a fourth of the loop of a sum.
func (w *vectorWriter) clamp() {
	_, runs := kernel.First[kernel.Runs](w.v.Body)
	_, skip := kernel.First[kernel.Skip](w.v.Body)
	for i, s := range w.k.Streams {
		switch {
		case !runs && !skip:
			w.F("%[1]s = %[1]s[:len(%[2]s):len(%[2]s)]", s.Name, w.lead())
		case i > 0:
			w.F("%[1]s = %[1]s[:len(%[2]s)]", s.Name, w.lead())
		}
	}
}

// node writes a part of the body.
func (w *vectorWriter) node(n kernel.Node) {
	switch n := n.(type) {
	case kernel.Start:
		w.start(n.Accumulators)
	case kernel.Loop:
		w.loop(&n)
	case kernel.Runs:
		w.runs(n)
	case kernel.Flush:
		w.flush(n)
	case kernel.Store:
		for _, m := range n.Merges {
			w.store(m)
		}
	case kernel.Leave:
		w.restore()
	case kernel.Owned:
		(&ownedWriter{w, n}).loop()
	case kernel.Begin:
		w.begin(n)
	case kernel.Advance:
		w.advance(n)
	case kernel.Finite:
		w.finite()
	case kernel.Fold:
		for _, m := range n.Merges {
			w.fold(m)
		}
	case kernel.Search:
		w.search(&n)
	case kernel.Find:
		for _, b := range n.Search.For {
			w.find(n.Search, b)
		}
	case kernel.Skip:
		w.skip(n)
	case kernel.Rest:
		w.rest()
	}
}

// rest calls the plain loop for what the loops have left.
func (w *vectorWriter) rest() {
	drop, from := "", ""
	_, search := kernel.First[kernel.Search](w.v.Body)
	_, skip := kernel.First[kernel.Skip](w.v.Body)
	switch {
	case search:
		drop, from = "[whole:]", "whole"
	case skip:
		drop, from = "[start:]", "start"
	case w.k.First:
		from = fmt.Sprintf("count - len(%s)", w.lead())
	}
	w.F("return %s%s", w.frame.plain, w.frame.rest(drop, from))
}

// start declares accumulators, a variable for each copy.
func (w *vectorWriter) start(accumulators []int) {
	for _, i := range accumulators {
		a := w.v.Accumulators[i]
		if a.Note != "" {
			w.F("// %s", a.Note)
		}
		first := w.accumulator(i, "a")
		w.F("%s := %s", first, w.t.Broadcast(a.Elem, w.g.Use.GoLiteral(a.Elem, a.Start, false)))
		if a.Copies > 1 {
			rest := scope.List(a.Copies-1, func(c int) string { return w.accumulator(i, letter(c+1)) })
			w.F("%s := %s", rest, scope.List(a.Copies-1, func(int) string { return first }))
		}
		if a.Last {
			w.F("lanes%d[%d] = x%d", a.Comp, w.t.LanesOf(a.Elem)-1, a.Comp)
			w.F("%s = %s // the last lane goes on with what is there", w.accumulator(i, letter(a.Copies-1)), w.t.Load(a.Elem, fmt.Sprintf("lanes%d[:]", a.Comp)))
		}
	}
}

// begin starts accumulators with what first elements make of them.
func (w *vectorWriter) begin(b kernel.Begin) {
	copies := w.v.Accumulators[b.Accumulators[0]].Copies
	for c := range copies {
		w.vector, w.copy = letter(c), letter(c)
		for _, s := range w.v.Loads(b.To) {
			w.load(s, vectorAt(w.k.Streams[s].Name, 1, c))
		}
		w.F("%s := %s", w.accumulators(b.Accumulators, w.copy), scope.List(len(b.To), func(i int) string { return w.p.Text(b.To[i]) }))
	}
	for _, s := range w.k.Streams {
		w.F("%[1]s = %[1]s[%[2]s:]", s.Name, times(copies))
	}
}

// loop writes the loop over whole vectors of the streams.
func (w *vectorWriter) loop(l *kernel.Loop) {
	var names []string
	for _, s := range w.k.Streams {
		names = append(names, s.Name+w.within)
	}
	switch {
	case !l.Single:
		w.steps(l, names, ">=", l.Vectors, 1)
		return
	case l.Parts > 1:
		w.parts(l, names)
	default:
		w.steps(l, names, ">", l.Vectors, 1) // > as clamp says
	}
	if kernel.Uses(l.Values(), kernel.Place, 0) {
		w.F("ahead = %s", w.t.Broadcast(ir.I32, "int32(n)"))
	}
	w.steps(l, names, ">=", 1, 1)
}

// parts writes the loop over parts. Each overlaps the next one in an element, as clamp says.
func (w *vectorWriter) parts(l *kernel.Loop, names []string) {
	w.F("part := (len(%s) - 1) / (%d*n) * (%d*n)", names[0], l.Vectors, l.Vectors/l.Parts)
	var parts []string
	for _, name := range names {
		for i := range l.Parts {
			from := []string{"", "[part:]", "[2*part:]", "[3*part:]"}[i]
			parts = append(parts, fmt.Sprintf("%sPart%d", name, i))
			w.F("%sPart%d := %s%s[:part+1 : part+1]", name, i, name, from)
		}
	}
	w.steps(l, parts, ">", l.Vectors, l.Parts)
	for _, name := range names {
		w.F("%[1]s = %[1]s[%[2]d*part:]", name, l.Parts)
	}
}

// steps writes the loop that takes so many vectors in a step, from several parts by turns.
func (w *vectorWriter) steps(l *kernel.Loop, names []string, reach string, vectors, parts int) {
	step := times(vectors / parts)
	var conds, rests []string
	for _, name := range names {
		conds = append(conds, fmt.Sprintf("len(%s) %s %s", name, reach, step))
		rests = append(rests, fmt.Sprintf("%s[%s:]", name, step))
	}
	w.F("for ; %s; %s = %s {", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "))
	for j := range vectors {
		w.step(l, parts, j)
	}
	w.F("}")
}

// step writes the loads and updates of vector j.
func (w *vectorWriter) step(l *kernel.Loop, parts, j int) {
	w.vector, w.copy = letter(j), letter(j%l.Copies)
	for _, s := range w.v.Loads(l.Values()) {
		w.load(s, vectorAt(w.k.Streams[s].Name+w.within, parts, j))
	}
	w.sets(l.Body)
	if kernel.Uses(l.Values(), kernel.Place, 0) {
		w.F("place%[1]s = place%[1]s.Add(ahead)", w.vector)
	}
}

// sets gives accumulators new values, of which those that are used more than once get names.
func (w *vectorWriter) sets(sets []kernel.Set) {
	w.p.Named = map[*kernel.Value]string{}
	for i, v := range kernel.Shared((&kernel.Loop{Body: sets}).Values()) {
		text, name := w.p.Text(v), fmt.Sprintf("t%d%s", i, w.vector)
		w.F("%s := %s", name, text)
		w.p.Named[v] = name
	}
	for _, s := range sets {
		var to []int
		var values []string
		for i, v := range s.To {
			if v.Op != kernel.State || int(v.Imm) != s.Accumulators[i] { // else it stays
				to, values = append(to, s.Accumulators[i]), append(values, w.p.Text(v))
			}
		}
		if len(to) > 0 {
			w.F("%s = %s", w.accumulators(to, w.copy), strings.Join(values, ", "))
		}
	}
	w.p.Named = nil
}

func (w *vectorWriter) load(s int, from string) {
	w.F("y%d%s := %s", s, w.vector, w.t.LoadLanes(kernel.LaneType(w.k.Streams[s].Call.Type()), w.t.LanesOf(w.v.Wide()), from))
}

func (w *vectorWriter) accumulators(of []int, copy string) string {
	return scope.List(len(of), func(i int) string { return w.accumulator(of[i], copy) })
}

// vectorAt is what vector j of a step is loaded from.
func vectorAt(name string, parts, j int) string {
	if parts > 1 {
		name, j = fmt.Sprintf("%sPart%d", name, j%parts), j/parts
	}
	if j == 0 {
		return name
	}
	return fmt.Sprintf("%s[%s:]", name, times(j))
}

// runs writes the loop over parts of the run.
func (w *vectorWriter) runs(r kernel.Runs) {
	lead, step := w.lead(), times(r.Step)
	w.F("for len(%s) >= %s {\nsteps := min(len(%s)/(%s), %s) * (%s)", lead, step, lead, step, kernel.GoPower(r.Most), step)
	for _, s := range w.k.Streams {
		w.F("%[1]sRun := %[2]s\n%[1]s = %[1]s[steps:]", s.Name, w.laneSlice(s, s.Name+"[:steps]"))
	}
	w.within = "Run"
	for _, n := range r.Body {
		w.node(n)
	}
	w.within = ""
	w.F("}")
}

// laneSlice is a slice of a stream as vectors load it.
func (w *vectorWriter) laneSlice(s Stream, text string) string {
	if s.Call.Type() == ir.Bool {
		return w.g.Use("bytesOf") + "(" + text + ")"
	}
	return text
}
