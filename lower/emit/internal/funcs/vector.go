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
	behind     string // what is added to what that gives for the rest; "" for nothing
	rest       func(drop, from string) string
	coordinate func(e ir.Expr, place string) string // of an element, as Go; "" where the plain loop's serves
}

// RunFrame is the frame of a run.
func (k *Run) RunFrame() frame {
	behind := ""
	if len(k.Types) == 0 { // a place is counted from the beginning
		behind = fmt.Sprintf("count - len(%s) + ", k.Streams[0].Name)
	}
	return frame{
		behind: behind, name: k.Name + "Kernel", portable: k.Name + "Vectors", params: k.Params(), arguments: k.Arguments(k.States(), "", ""), plain: k.Name + "Portable",
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

// StandIn is the function where there are no vectors.
func (f frame) StandIn() string {
	return fmt.Sprintf("\nfunc %s%s {\nreturn %s%s\n}\n", f.name, f.params, f.plain, f.rest("", ""))
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
	w := k.newWriter(g, v, f, u)
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

// newWriter writes a kernel to a file.
func (k *Run) newWriter(g *scope.Scope, v *kernel.Kernel, f frame, u *VectorFile) *vectorWriter {
	w := &vectorWriter{Lines: &scope.Lines{}, g: g, k: k, v: v, t: u.t, u: u, frame: f}
	g.Used = u.Used
	g.Use(u.t.Package)
	w.p = &kernel.Printer{Target: u.t, Leaf: w.leaf, Use: g.Use}
	return w
}

// leaf names a leaf of a value.
func (w *vectorWriter) leaf(v *kernel.Value) string {
	switch v.Op {
	case kernel.Load:
		return w.loaded(v)
	case kernel.Comp:
		return fmt.Sprintf("x%d", v.Imm)
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

// loaded names the elements of a stream in a vector, or in a later one of its block, or those just before them.
func (w *vectorWriter) loaded(v *kernel.Value) string {
	switch {
	case v.At < 0:
		return fmt.Sprintf("back%d%s", v.Imm, w.vector)
	case v.At == 0:
		return fmt.Sprintf("y%d%s", v.Imm, w.vector)
	}
	return fmt.Sprintf("y%d%s%d", v.Imm, w.vector, w.vectors(v.At))
}

// vectors is how many vectors so many elements are.
func (w *vectorWriter) vectors(elements int) int {
	if elements == 0 {
		return 0
	}
	return elements / w.t.LanesOf(w.v.Wide())
}

// lead is the name of the slice whose length is that of the run.
func (w *vectorWriter) lead() string { return w.slices()[0] }

// slices names what a run steps through: what it writes, and what it reads.
func (w *vectorWriter) slices() []string {
	names := slices.Clone(w.k.Outputs)
	for _, s := range w.k.Streams {
		names = append(names, s.Name+w.within)
	}
	return names
}

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
	if h, ok := kernel.First[kernel.Head](w.v.Body); ok {
		part := fmt.Sprintf("[:%d]", h.Elements)
		w.F("%s = %s%s", strings.Join(w.k.States(), ", "), w.frame.plain, w.frame.rest(part, ""))
		w.drop(w.slices(), fmt.Sprint(h.Elements))
	}
	if _, finite := kernel.First[kernel.Finite](w.v.Body); finite {
		for i, s := range w.k.Streams {
			w.F("whole%d := %s", i, s.Name)
		}
	}
	_, search := kernel.First[kernel.Search](w.v.Body)
	_, skip := kernel.First[kernel.Skip](w.v.Body)
	_, advance := kernel.First[kernel.Advance](w.v.Body)
	if !search && !skip && (w.k.First || w.biased() || advance || w.frame.behind != "") {
		w.F("count := len(%s)", w.lead())
	}
	if skip {
		w.F("var words [8]uint64")
	}
	w.keep()
	w.places()
}

// usesPlace reports whether loops use the coordinates of elements.
func (w *vectorWriter) usesPlace() bool {
	l := w.v.LoopOf()
	return l != nil && kernel.Uses(l.Values(), kernel.Place, 0)
}

// places declares the coordinates of the vectors of a step, and how far those of the next step are.
func (w *vectorWriter) places() {
	if !w.usesPlace() {
		return
	}
	w.F("var ramp [16]int32\nfor i := range ramp {\nramp[i] = int32(first + i)\n}")
	w.F("ahead := %s\nplacea := %s", w.t.Broadcast(ir.I32, "int32(n)"), w.t.Load(ir.I32, "ramp[:]"))
	vectors := w.v.LoopOf().Vectors
	for j := 1; j < vectors; j++ {
		w.F("place%s := place%s.Add(ahead)", letter(j), letter(j-1))
	}
	if vectors > 1 {
		w.F("ahead = %s", w.t.Broadcast(ir.I32, fmt.Sprintf("%d * int32(n)", vectors)))
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
	for i, name := range w.slices() {
		switch {
		case !runs && !skip:
			w.F("%[1]s = %[1]s[:len(%[2]s):len(%[2]s)]", name, w.lead())
		case i > 0:
			w.F("%[1]s = %[1]s[:len(%[2]s)]", name, w.lead())
		}
	}
}

// drop leaves out so many elements of slices.
func (w *vectorWriter) drop(names []string, elements string) {
	for _, name := range names {
		w.F("%[1]s = %[1]s[%[2]s:]", name, elements)
	}
}

// node writes a part of the body.
func (w *vectorWriter) node(n kernel.Node) {
	switch n := n.(type) {
	case kernel.Start:
		w.start(n.Accumulators)
	case kernel.Loop:
		(&loopWriter{vectorWriter: w, l: &n}).loop()
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
	case kernel.Last:
		for _, i := range n.Accumulators {
			a := w.v.Accumulators[i]
			w.F("x%d = lanes%d[%d]", a.Comp, a.Comp, w.t.LanesOf(a.Out)-1)
		}
	case kernel.Advance:
		w.advance(n)
	case kernel.Finite:
		w.finite()
	case kernel.Fold:
		for _, m := range n.Merges {
			w.fold(m)
		}
	case kernel.Search:
		(&searchWriter{w, &n}).search()
	case kernel.Find:
		for _, b := range n.Search.For {
			(&searchWriter{w, n.Search}).find(b)
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
	w.F("return %s%s%s", w.frame.behind, w.frame.plain, w.frame.rest(drop, from))
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

// begin starts accumulators with what first elements make of them, or with what depends on none.
func (w *vectorWriter) begin(b kernel.Begin) {
	copies := w.v.Accumulators[b.Accumulators[0]].Copies
	for c := range copies {
		w.vector, w.copy = letter(c), letter(c)
		w.loads(b.Values(), 1, c, 0)
		(&loopWriter{vectorWriter: w}).vectorStep(b.Values(), b.Do, c)
		w.F("%s := %s", w.accumulators(b.Accumulators, w.copy), scope.List(len(b.To), func(i int) string { return w.p.Text(b.To[i]) }))
		w.p.Named = nil
	}
	if len(w.v.Loads(b.Values())) > 0 {
		w.drop(w.k.Outputs, times(copies))
		from := times(copies)
		if l := w.v.LoopOf(); l != nil && l.Before > 0 {
			from = fmt.Sprintf("%s-%d", from, l.Before)
		}
		w.drop(w.slices()[len(w.k.Outputs):], from)
	}
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
