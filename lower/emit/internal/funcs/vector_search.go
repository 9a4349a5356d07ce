package funcs

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// searchWriter writes a search.
type searchWriter struct {
	*vectorWriter
	s *kernel.Search
}

// search writes the loop over blocks.
func (w *searchWriter) search() {
	s := w.s
	lead, step := w.lead(), times(w.v.Least)
	w.F("whole := len(%s) / (%s) * (%s)", lead, step, step)
	floats := false
	var own []int
	for _, b := range s.For {
		w.F("at%d := -1", w.comp(b))
		floats = floats || w.isFloat(b)
		own = append(own, b.Accumulator)
	}
	w.F("for start := 0; start < whole; start += %d {\nend := min(start+%d, whole)", s.Block, s.Block)
	for _, in := range w.k.Streams {
		w.F("%[1]sBlock := %[1]s[start:end:end]", in.Name)
	}
	w.start(own)
	w.within = "Block"
	(&loopWriter{vectorWriter: w.vectorWriter, l: &s.Loop}).loop()
	w.within = ""
	for _, b := range s.For {
		w.store(b.Merge)
	}
	if floats {
		w.restore()
	}
	for _, b := range s.For {
		lanes, m := fmt.Sprintf("lanes%d", w.comp(b)), fmt.Sprintf("m%d", w.comp(b))
		w.F("%s := %s[0]\nfor _, y := range %s[1:n] {\n%s = %s(%s, y)\n}", m, lanes, lanes, m, b.Op, m)
	}
	w.leaveAtNaN()
	for _, b := range s.For {
		w.compareBlock(b)
	}
	if floats {
		w.save()
	}
	w.F("}")
}

func (w *searchWriter) comp(b kernel.Best) int { return w.v.Accumulators[b.Accumulator].Comp }

// isFloat reports whether the component is a float, which may be NaN.
func (w *searchWriter) isFloat(b kernel.Best) bool { return w.v.State[w.comp(b)].IsFloat() }

// leaveAtNaN lets the plain loop do what begins with a block that has NaN.
func (w *searchWriter) leaveAtNaN() {
	var nan []string
	for _, b := range w.s.For {
		if w.isFloat(b) {
			nan = append(nan, fmt.Sprintf("m%[1]d != m%[1]d || x%[1]d != x%[1]d", w.comp(b)))
		}
	}
	if len(nan) > 0 {
		w.F("if %s {\nwhole = start // NaN is left to the plain kernel\nbreak\n}", strings.Join(nan, " || "))
	}
}

// compareBlock compares the least value of a block with the one so far.
func (w *searchWriter) compareBlock(b kernel.Best) {
	i, t := w.comp(b), w.k.Streams[b.Stream].Call.Type()
	value := fmt.Sprintf("m%d", i)
	cmp := map[ir.Op]string{ir.Min: "<", ir.Max: ">"}[b.Op]
	if !b.First {
		cmp += "="
	}
	if t != w.v.State[i] {
		value = kernel.GoType[w.v.State[i]] + "(" + value + ")"
	}
	if t.IsFloat() && !b.Element {
		w.F("if %[2]s %[3]s x%[1]d {\nat%[1]d = start\n}\nx%[1]d = %[4]s(x%[1]d, %[2]s)", i, value, cmp, b.Op)
		return
	}
	w.F("if %[2]s %[3]s x%[1]d {\nx%[1]d, at%[1]d = %[2]s, start\n}", i, value, cmp)
}

// find writes the search for the place in the block that has the value, and the payload.
func (w *searchWriter) find(b kernel.Best) {
	i, in := w.comp(b), w.k.Streams[b.Stream]
	t := in.Call.Type()
	value := fmt.Sprintf("x%d", i)
	if t != w.v.State[i] {
		value = kernel.GoType[t] + "(" + value + ")"
	}
	at := fmt.Sprintf("at%d", i)
	w.F("if %[1]s >= 0 {\n%[1]s += %[2]s(%[3]s[%[1]s:min(%[1]s+%[4]d, whole)], %[5]s)", at, indexName(w.t, t, b.First), in.Name, w.s.Block, value)
	x := w.k.exprs(w.g, elements{
		element: func(s int) string { return w.k.Streams[s].Name + "[" + at + "]" },
		place:   "int32(first + " + at + ")",
		state:   func(c int) string { return fmt.Sprintf("x%d", c) },
	})
	inner := x.Leaf
	x.Leaf = func(e ir.Expr) string {
		if c := w.frame.coordinate(w.k.source(e), at); c != "" {
			return c
		}
		return inner(e)
	}
	var left, right []string
	if b.Element {
		left, right = []string{fmt.Sprintf("x%d", i)}, []string{in.Name + "[" + at + "]"}
	}
	for _, p := range b.Payload {
		left, right = append(left, fmt.Sprintf("x%d", p.Comp)), append(right, x.Typed(p.Expr))
	}
	w.F("%s = %s\n}", strings.Join(left, ", "), strings.Join(right, ", "))
}

// indexName names the function that searches a value that occurs, from the first or the last element on.
func indexName(t *kernel.Target, elem ir.Type, first bool) string {
	name := "lastIndex"
	if first {
		name = "index"
	}
	return name + scope.Title(kernel.GoType[elem]) + t.Suffix
}

// indexFunction declares the function of indexName, once in a file.
func (w *vectorWriter) indexFunction(elem ir.Type, first bool) {
	t, name := w.t, indexName(w.t, elem, first)
	if w.u.indices[name] {
		return
	}
	w.u.indices[name] = true
	load := func(part string) string { return t.Load(elem, part) + ".Equal(k)" }
	mask := fmt.Sprintf("%s.Or(%s).Or(%s.Or(%s))", load("part"), load("part[n:]"), load("part[2*n:]"), load("part[3*n:]"))
	where, part, next, scan := "first", "x[skip:]", "skip += 4 * n", "for x[skip] != value {\nskip++\n}\nreturn skip"
	head, cond := "skip := 0\n", "len(x)-skip >= 4*n"
	if !first {
		where, part, next = "last", "x[len(x)-4*n:]", "x = x[:len(x)-4*n]"
		scan = "i := len(x) - 1\nfor x[i] != value {\ni--\n}\nreturn i"
		head, cond = "", "len(x) >= 4*n"
	}
	fmt.Fprintf(w.u, `
// %[1]s is the place of the %[2]s value in x, where it occurs.
func %[1]s(x []%[3]s, value %[3]s) int {
	var words [8]uint64
	k := %[4]s
	n := k.Len()
	%[5]sfor %[6]s {
		part := %[7]s
		%[8]s.Store(words[:])
		if %[9]s != 0 {
			break
		}
		%[10]s
	}
	endVectors()
	%[11]s
}
`, name, where, kernel.GoType[elem], t.Broadcast(elem, "value"), head, cond, part, words(t, mask, elem.Bits()), anyWord, next, scan)
}

// words is a mask as a vector of words of 64 bits.
func words(t *kernel.Target, mask string, bits int) string {
	text := fmt.Sprintf(t.Ops[kernel.Key{Op: kernel.Lanes, Elem: kernel.SignedOf(bits)}], mask)
	return text + ".ToBits()" + reshaped(bits)
}

// reshaped makes words of unsigned lanes.
func reshaped(bits int) string {
	if bits == 64 {
		return ""
	}
	return ".ReshapeToUint64s()"
}

// anyWord tells whether any bit of the words is set.
const anyWord = "(words[0]|words[1])|(words[2]|words[3])|(words[4]|words[5])|(words[6]|words[7])"

// skip writes the loop over blocks of which only those are taken that change anything.
func (w *vectorWriter) skip(s kernel.Skip) {
	k, lead := w.k, w.lead()
	used := w.v.Loads(s.Changes)
	bits := kernel.LaneType(k.Streams[used[0]].Call.Type()).Bits()
	states := strings.Join(k.States(), ", ")
	plain := fmt.Sprintf("%s = %s%s", states, w.frame.plain, w.frame.rest("[start:end]", "start"))
	w.F("start, whole := 0, len(%s)/(4*n)*(4*n)\nhits, plain := 0, 0\nfor start < whole {\nend := min(start+%d, whole)", lead, s.Block)
	if s.Seen {
		w.F("if !x%d {\nplain = 1\n}", len(k.Types)-1)
	}
	w.F("if plain > 0 { // blocks before this one changed much, or there are none\n%s\nplain, start = plain-1, end\ncontinue\n}", plain)
	w.save()
	for i, e := range s.Still {
		w.F("still%d := %s", i, k.writer(w.g, "start").Typed(e))
	}
	for i, e := range s.Still {
		w.F("stay%d := %s", i, w.t.Broadcast(e.Type(), fmt.Sprintf("still%d", i)))
	}
	loop := w.Lines
	w.Lines = &scope.Lines{}
	var masks []string
	w.within = "Block"
	for j := range 4 {
		w.vector = letter(j)
		w.loads(s.Changes, 1, j, 0)
		masks = append(masks, w.p.Text(s.Changes[0]))
	}
	loads := w.String()
	w.Lines, w.within = loop, ""
	for _, h := range w.p.Hoisted {
		w.F("%s", h)
	}
	w.p.Hoisted = nil
	var conds, blocks, rests []string
	for _, i := range used {
		block := k.Streams[i].Name + "Block"
		w.F("%s := %s", block, w.laneSlice(k.Streams[i], k.Streams[i].Name+"[start:end]"))
		conds, blocks, rests = append(conds, "len("+block+") >= 4*n"), append(blocks, block), append(rests, block+"[4*n:]")
	}
	any := fmt.Sprintf("(%s).Or(%s).Or((%s).Or(%s))", masks[0], masks[1], masks[2], masks[3])
	w.F("var any %s\nfor ; %s; %s = %s {\n%sany = any.Or(%s)\n}", w.t.Vector(kernel.SignedOf(bits)), strings.Join(conds, " && "), strings.Join(blocks, ", "),
		strings.Join(rests, ", "), loads, fmt.Sprintf(w.t.Ops[kernel.Key{Op: kernel.Lanes, Elem: kernel.SignedOf(bits)}], any))
	w.F("any.ToBits()%s.Store(words[:])", reshaped(bits))
	w.restore()
	w.F("if %s != 0 {\n%s", anyWord, plain)
	if absorbs := map[ir.Op]string{ir.Or: "x0", ir.And: "!x0"}[s.Absorbs]; absorbs != "" {
		w.F("if %s { // which stays so\nreturn x0\n}", absorbs)
	}
	w.F("hits++\nplain = min(hits*(hits-1), 16)\n} else {\nhits = 0\n}\nstart = end\n}")
}
