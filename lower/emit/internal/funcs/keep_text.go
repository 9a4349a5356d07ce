package funcs

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Portable writes the plain function: no branch depends on what is kept.
func (k *Keeper) Portable(g *scope.Scope) {
	saved := g.Taken
	g.Taken = k.Names()
	for _, name := range KeepNames {
		g.Taken[name] = true
	}
	g.File.Printf("\n// %sPortable writes the elements of a run that are kept to %s, one behind another from at on. It returns the place behind the last of them, or,\n"+
		"// where there is no room, the first place that does not exist, and false.\n", k.Name, strings.Join(k.results(), ", "))
	if k.Vector == nil {
		g.File.Printf("// It has no twin on vectors: %s.\n", k.Why)
	}
	lead := k.Streams[0].Name
	g.File.Printf("func %sPortable%s (int, bool) {\n", k.Name, k.parameters())
	for i, name := range k.fronts() {
		g.File.Printf("var %s [%d]%s\n", name, keepTile, kernel.GoType[k.Types[i]])
	}
	g.File.At = plan.Place{Stage: k.Nest.Stage, Loop: k.Loop.Var}
	g.File.Printf("for len(%[1]s) > 0 {\nsize, kept := min(len(%[1]s), %[2]d), 0\nfor i := range size {\n", lead, keepTile)
	g.File.At = plan.Place{Stage: k.Nest.Stage, Body: true}
	w := k.exprs(g, elements{
		element: func(s int) string { return k.Streams[s].Name + "[i]" },
		place:   "int32(first + i)",
	})
	each := k.Plain.Each()
	var to []string
	for _, name := range k.fronts() {
		to = append(to, fmt.Sprintf("%s[kept&%d]", name, keepTile-1))
	}
	g.Body(w, nil, each.Keep, to)
	if len(each.Where) > 0 {
		g.File.Printf("if %s {\nkept++\n}\n}\n", w.Conjunction(each.Where))
	} else {
		g.File.Printf("kept++\n}\n")
	}
	k.copied("", g.File.Printf)
	g.File.Printf("%s}\nreturn at, true\n}\n", k.behind("size"))
	g.Taken = saved
}

// copied writes the statements that append the kept elements of a tile to the result. Leave is written before each return.
func (k *Keeper) copied(leave string, f func(string, ...any)) {
	dst := k.results()[0]
	f("if kept > 0 {\nif at < 0 || at > len(%[1]s) {\n%[2]sreturn at, false\n}\nif kept > len(%[1]s)-at {\n%[2]sreturn len(%[1]s), false\n}\n", dst, leave)
	for i, name := range k.fronts() {
		f("copy(%s[at:], %s[:kept])\n", k.results()[i], name)
	}
	f("at += kept\n}\n")
}

// PlainText is what stands for the function on vectors where there are none.
func (k *Keeper) PlainText() string {
	return fmt.Sprintf("\nfunc %sKernel%s (int, bool) {\nreturn %sPortable%s\n}\n", k.Name, k.parameters(), k.Name, k.handedOn(""))
}

// Vectors writes the function on archsimd, and for other machines a call of the plain one.
func (k *Keeper) Vectors(g *scope.Scope, u *VectorFile, calls *scope.Lines) {
	if k.Vector == nil {
		return
	}
	calls.WriteString(k.PlainText())
	v, _ := k.Vector.Shape(u.t)
	w := k.newWriter(g, v, frame{}, u)
	u.least = true
	k.functions(w)
	u.WriteString(w.String())
}

// functions writes the functions. A vector is stored whole while a vector's elements are kept behind it, which take the place of what is too much;
// the last ones go through arrays. A function of its own does the former: what it needs then stays in registers.
func (k *Keeper) functions(w *vectorWriter) {
	lead, dst, n := k.Streams[0].Name, k.results(), w.t.LanesOf(w.v.Wide())
	direct := w.keepLoop(">", "", room{dst, "at", fmt.Sprintf("uint(at) < uint(len(%s)-%d)", dst[0], n)})
	inTiles := w.keepLoop(">=", "Tile", room{k.fronts(), "kept", fmt.Sprintf("kept <= %d", keepTile)})
	w.F("\n// %sHead stores whole vectors to %s while there is room for one. It returns the place behind the last element that is kept, and how many it has left.", k.Name, strings.Join(dst, ", "))
	w.F("func %sHead%s (int, int) {", k.Name, k.parameters())
	for _, name := range dst {
		w.F("%[1]s = %[1]s[:len(%[2]s):len(%[2]s)]", name, dst[0])
	}
	k.start(w)
	w.WriteString(direct)
	w.F("endVectors()\nreturn at, len(%s)\n}", lead)

	w.F("\n// %sKernel is %sPortable on vectors, whose lanes that are kept a table moves together.", k.Name, k.Name)
	w.F("func %sKernel%s (int, bool) {\nif !atLeast256 || len(%s) < %d {\nreturn %sPortable%s\n}", k.Name, k.parameters(), lead, 8*n, k.Name, k.handedOn(""))
	for _, s := range k.Streams[1:] {
		w.F("%s = %s[:len(%s)]", s.Name, s.Name, lead)
	}
	w.F("// Vectors are stored whole as long as %d elements are kept behind them, which overwrite what is too much.", n)
	w.F("head := len(%s)\nfor found, size := 0, %d; found < %d && head > 0; size *= 2 {\nfrom := max(head-size, 0)", lead, 8*n, n)
	w.F("found += int(%s%s)\nhead = from\n}", k.Counts.Callee(), k.passes(k.Counts, []string{"0"}, "[from:head]", " + from"))
	w.F("if left := 0; len(%s) >= %d {\nat, left = %sHead%s", dst[0], n, k.Name, k.handedOn("[:head]"))
	w.WriteString(k.behind("head - left"))
	w.F("}")
	for i, name := range k.fronts() {
		w.F("var %s [%d]%s", name, keepTile+n, kernel.GoType[k.Types[i]])
	}
	k.start(w)
	w.F("for len(%[1]s) >= %[2]d {\nsize, kept := min(len(%[1]s)/%[2]d*%[2]d, %[3]d), 0", lead, n, keepTile)
	w.F("if %s%s == 0 {", k.Counts.Callee(), k.passes(k.Counts, []string{"0"}, "[:size]", ""))
	w.WriteString(k.behind("size"))
	if w.usesPlace() {
		w.F("placea = placea.Add(%s)", w.t.Broadcast(ir.I32, "int32(size)"))
	}
	w.F("continue\n}")
	for _, s := range k.Streams {
		w.F("%[1]sTile := %[1]s[:size:size]", s.Name)
	}
	w.WriteString(inTiles)
	k.copied("endVectors()\n", func(format string, args ...any) { fmt.Fprintf(w, format, args...) })
	w.WriteString(k.behind("size"))
	w.F("}\nendVectors()\nreturn %sPortable%s\n}", k.Name, k.handedOn(""))
}

// start declares what loops over vectors use.
func (k *Keeper) start(w *vectorWriter) {
	w.F("var v %s\nn := v.Len()", w.t.Vector(w.v.Wide()))
	for _, h := range w.p.Hoisted {
		w.F("%s", h)
	}
	w.places()
}

// keepLoop is the loop over the vectors of a part of the streams, which go to a room.
func (w *vectorWriter) keepLoop(reach, part string, to room) string {
	before := w.Lines
	w.Lines, w.within = &scope.Lines{}, part
	(&loopWriter{w, w.v.LoopOf(), to}).steps(w.slices(), reach, 1, 1)
	text := w.String()
	w.Lines, w.within = before, ""
	return text
}

// PacksText and pairsText declare the tables of moves: of 8 lanes of 32 bits, and of 4 lanes of 64.
const (
	PacksText = `
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
	PairsText = `
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
