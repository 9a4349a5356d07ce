package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// portable writes the plain function: no branch depends on what is kept.
func (k *keeper) portable(g *glossary) {
	saved := g.taken
	g.taken = k.names()
	for _, name := range keepNames {
		g.taken[name] = true
	}
	g.file.printf("\n// %sPortable writes the elements of a run that are kept to %s, one behind another from at on. It returns the place behind the last of them, or,\n"+
		"// where there is no room, the first place that does not exist, and false.\n", k.name, strings.Join(k.results(), ", "))
	if k.lanes == nil {
		g.file.printf("// It has no twin on vectors: %s.\n", k.why)
	}
	lead := k.streams[0].name
	g.file.printf("func %sPortable%s (int, bool) {\n", k.name, k.parameters())
	for i, name := range k.fronts() {
		g.file.printf("var %s [%d]%s\n", name, keepTile, kernel.GoType[k.types[i]])
	}
	g.file.at = plan.Place{Stage: k.nest.Stage, Loop: k.loop.Var}
	g.file.printf("for len(%[1]s) > 0 {\nsize, kept := min(len(%[1]s), %[2]d), 0\nfor i := range size {\n", lead, keepTile)
	g.file.at = plan.Place{Stage: k.nest.Stage, Body: true}
	w := k.exprs(g, elements{
		element: func(s int) string { return k.streams[s].name + "[i]" },
		place:   "int32(first + i)",
	})
	each := k.plain.Each()
	var to []string
	for _, name := range k.fronts() {
		to = append(to, fmt.Sprintf("%s[kept&%d]", name, keepTile-1))
	}
	g.body(w, nil, each.To, to)
	if len(each.Where) > 0 {
		g.file.printf("if %s {\nkept++\n}\n}\n", w.Conjunction(each.Where))
	} else {
		g.file.printf("kept++\n}\n")
	}
	k.copied("", g.file.printf)
	g.file.printf("%s}\nreturn at, true\n}\n", k.behind("size"))
	g.taken = saved
}

// copied writes what puts the kept elements of a tile behind the others; leave is what comes before a return.
func (k *keeper) copied(leave string, f func(string, ...any)) {
	dst := k.results()[0]
	f("if kept > 0 {\nif at < 0 || at > len(%[1]s) {\n%[2]sreturn at, false\n}\nif kept > len(%[1]s)-at {\n%[2]sreturn len(%[1]s), false\n}\n", dst, leave)
	for i, name := range k.fronts() {
		f("copy(%s[at:], %s[:kept])\n", k.results()[i], name)
	}
	f("at += kept\n}\n")
}

// plainText is what stands for the function on vectors where there are none.
func (k *keeper) plainText() string {
	return fmt.Sprintf("\nfunc %sKernel%s (int, bool) {\nreturn %sPortable%s\n}\n", k.name, k.parameters(), k.name, k.handedOn(""))
}

// vectors writes the function on archsimd, and for other machines a call of the plain one.
func (k *keeper) vectors(g *glossary, u *vectorFile, calls *lines) {
	if k.lanes == nil {
		return
	}
	calls.WriteString(k.plainText())
	g.used = u.used
	g.use("archsimd")
	u.least = true
	w := &keepVectors{lines: &lines{}, k: k, t: u.t, n: 256 / k.lanes.Bits, table: "packs"}
	if w.n == 4 {
		w.table = "pairs"
	}
	g.used["bits"], g.used[w.table] = true, true
	w.p = &kernel.Printer{Target: u.t, Leaf: w.leaf, Use: g.use}
	w.function()
	u.WriteString(w.String())
}

// keepVectors writes a keeper in lanes of vectors of 256 bits.
type keepVectors struct {
	*lines
	k     *keeper
	t     *kernel.Target
	p     *kernel.Printer
	n     int    // lanes
	table string // of how they are moved
}

func (w *keepVectors) leaf(v *kernel.Value) string {
	switch v.Op {
	case kernel.Load:
		return fmt.Sprintf("y%d", v.Imm)
	case kernel.Place:
		return "place"
	}
	return w.k.scalars[v.Imm].name
}

func (w *keepVectors) values() []*kernel.Value {
	return append([]*kernel.Value{w.k.lanes.Holds}, w.k.lanes.Values...)
}

func (w *keepVectors) usesPlace() bool { return kernel.Uses(w.values(), kernel.Place, 0) }

// function writes the function. A vector is stored whole while a vector's elements are kept behind it, which take the place of what is too much;
// the last ones go through arrays. A function of its own does the former: what it needs then stays in registers.
func (w *keepVectors) function() {
	k, lead, dst := w.k, w.k.streams[0].name, w.k.results()
	direct, inTiles := w.loop("", ">", dst, "at"), w.loop("Tile", ">=", k.fronts(), "kept")
	w.f("\n// %sHead stores whole vectors to %s while there is room for one. It returns the place behind the last element that is kept, and how many it has left.", k.name, strings.Join(dst, ", "))
	w.f("func %sHead%s (int, int) {", k.name, k.parameters())
	for _, name := range dst {
		w.f("%[1]s = %[1]s[:len(%[2]s):len(%[2]s)]", name, dst[0])
	}
	w.begin()
	w.WriteString(fmt.Sprintf(direct, fmt.Sprintf("uint(at) < uint(len(%s)-%d)", dst[0], w.n)))
	w.f("endVectors()\nreturn at, len(%s)\n}", lead)

	w.f("\n// %sKernel is %sPortable on vectors, whose lanes that are kept a table moves together.", k.name, k.name)
	w.f("func %sKernel%s (int, bool) {\nif !atLeast256 || len(%s) < %d {\nreturn %sPortable%s\n}", k.name, k.parameters(), lead, 8*w.n, k.name, k.handedOn(""))
	for _, s := range k.streams[1:] {
		w.f("%s = %s[:len(%s)]", s.name, s.name, lead)
	}
	w.f("// Vectors are stored whole as long as %d elements are kept behind them, which overwrite what is too much.", w.n)
	w.f("head := len(%s)\nfor found, size := 0, %d; found < %d && head > 0; size *= 2 {\nfrom := max(head-size, 0)", lead, 8*w.n, w.n)
	w.f("found += int(%s%s)\nhead = from\n}", k.counts.callee(), k.passes(k.counts, []string{"0"}, "[from:head]", " + from"))
	w.f("if left := 0; len(%s) >= %d {\nat, left = %sHead%s", dst[0], w.n, k.name, k.handedOn("[:head]"))
	w.WriteString(k.behind("head - left"))
	w.f("}")
	for i, name := range k.fronts() {
		w.f("var %s [%d]%s", name, keepTile+w.n, kernel.GoType[k.types[i]])
	}
	w.begin()
	w.f("for len(%[1]s) >= %[2]d {\nsize, kept := min(len(%[1]s)/%[2]d*%[2]d, %[3]d), 0", lead, w.n, keepTile)
	w.f("if %s%s == 0 {", k.counts.callee(), k.passes(k.counts, []string{"0"}, "[:size]", ""))
	w.WriteString(k.behind("size"))
	if w.usesPlace() {
		w.f("place = place.Add(archsimd.BroadcastInt32x8(int32(size)))")
	}
	w.f("continue\n}")
	w.cut("Tile", "size")
	w.WriteString(fmt.Sprintf(inTiles, fmt.Sprintf("kept <= %d", keepTile)))
	k.copied("endVectors()\n", func(format string, args ...any) { fmt.Fprintf(w, format, args...) })
	w.WriteString(k.behind("size"))
	w.f("}\nendVectors()\nreturn %sPortable%s\n}", k.name, k.handedOn(""))
}

// begin declares what loops over vectors use.
func (w *keepVectors) begin() {
	for _, h := range w.p.Hoisted {
		w.f("%s", h)
	}
	if w.usesPlace() {
		w.f(placesFromFirst)
	}
}

// placesFromFirst declares the coordinates of a vector's elements, and how far the next ones are.
const placesFromFirst = "place, ahead := archsimd.LoadInt32x8Array(&[8]int32{0, 1, 2, 3, 4, 5, 6, 7}).Add(archsimd.BroadcastInt32x8(int32(first))), archsimd.BroadcastInt32x8(8)"

// cut declares a part of the streams.
func (w *keepVectors) cut(part, size string) {
	for _, s := range w.k.streams {
		w.f("%s%s := %s[:%s:%s]", s.name, part, s.name, size, size)
	}
}

// loop is the loop over the vectors of a part of the streams, which stores those that are kept from at on. Its condition has a place for one more.
// Where it goes on while there is more than a vector, the compiler advances by an addition, as vectorWriter.clamp says.
func (w *keepVectors) loop(part, while string, to []string, at string) string {
	b := &lines{}
	var conds, names, rests []string
	for _, s := range w.k.streams {
		name := s.name + part
		conds = append(conds, fmt.Sprintf("len(%s) %s %d", name, while, w.n))
		names, rests = append(names, name), append(rests, fmt.Sprintf("%s[%d:]", name, w.n))
	}
	b.f("for ; %s && %%s; %s = %s {", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "))
	for i, s := range w.k.streams {
		if kernel.Uses(w.values(), kernel.Load, i) {
			b.f("y%d := %s", i, w.t.Load(s.call.Type(), s.name+part))
		}
	}
	b.f("m := %s.ToBits()", w.p.Text(w.k.lanes.Holds))
	for i, v := range w.k.lanes.Values {
		t := v.Type.Elem
		moved := fmt.Sprintf("%s.Permute(archsimd.LoadUint32x8Array(&%s[m]))", inLanes32(t, w.p.Text(v)), w.table)
		b.f("%s.StoreArray((*[%d]%s)(%s[%s:]))", fromLanes32(t, moved), w.n, kernel.GoType[t], to[i], at)
	}
	b.f("%s += bits.OnesCount8(m)", at)
	if w.usesPlace() {
		b.f("place = place.Add(ahead)")
	}
	b.f("}")
	return b.String()
}

// inLanes32 is a vector as one of 8 lanes of 32 bits, and fromLanes32 is the way back.
func inLanes32(t ir.Type, v string) string {
	if !t.IsUnsigned() {
		v += ".ToBits()"
	}
	if t.Bits() == 64 {
		v += ".ReshapeToUint32s()"
	}
	return v
}

func fromLanes32(t ir.Type, v string) string {
	if t.Bits() == 64 {
		v += ".ReshapeToUint64s()"
	}
	switch {
	case t.IsFloat():
		v += fmt.Sprintf(".BitsToFloat%d()", t.Bits())
	case t.IsSigned():
		v += fmt.Sprintf(".BitsToInt%d()", t.Bits())
	}
	return v
}

// packsText and pairsText declare the tables of moves: of 8 lanes of 32 bits, and of 4 lanes of 64.
const (
	packsText = `
// packs moves the lanes whose bits are set to the front.
var packs = func() (t [256][8]uint32) {
	for m := range t {
		at := 0
		for lane := range 8 {
			if m>>lane&1 != 0 {
				t[m][at] = uint32(lane)
				at++
			}
		}
	}
	return t
}()
`
	pairsText = `
// pairs moves the lanes of 64 bits whose bits are set to the front, as halves of them.
var pairs = func() (t [16][8]uint32) {
	for m := range t {
		at := 0
		for lane := range 4 {
			if m>>lane&1 != 0 {
				t[m][at], t[m][at+1] = uint32(2*lane), uint32(2*lane+1)
				at += 2
			}
		}
	}
	return t
}()
`
)
