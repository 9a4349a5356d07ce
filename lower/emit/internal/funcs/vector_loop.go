package funcs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// loopWriter writes a loop over vectors.
type loopWriter struct {
	*vectorWriter
	l    *kernel.Loop
	room room // where elements are kept
}

// loop writes the loop over whole vectors of the streams.
func (w *loopWriter) loop() {
	names := w.slices()
	switch {
	case !w.l.Single && w.l.Leaves:
		w.steps(names, ">", w.l.Vectors, 1)
	case !w.l.Single:
		w.steps(names, ">=", w.l.Vectors, 1)
	case w.l.Parts > 1:
		w.parts(names)
	default:
		w.steps(names, ">", w.l.Vectors, 1) // > as clamp says
	}
	if w.l.Before > 0 {
		for _, s := range w.k.Streams {
			w.F("%[1]s = %[1]s[%[2]d:]", s.Name, w.l.Before)
		}
	}
	if !w.l.Single {
		return
	}
	if kernel.Uses(w.l.Values(), kernel.Place, 0) {
		w.F("ahead = %s", w.t.Broadcast(ir.I32, "int32(n)"))
	}
	w.steps(names, ">=", 1, 1)
}

// parts writes the loop over parts. Each overlaps the next one in an element, as clamp says.
func (w *loopWriter) parts(names []string) {
	w.F("part := (len(%s) - 1) / (%d*n) * (%d*n)", names[0], w.l.Vectors, w.l.Vectors/w.l.Parts)
	var parts []string
	for _, name := range names {
		for i := range w.l.Parts {
			from := []string{"", "[part:]", "[2*part:]", "[3*part:]"}[i]
			parts = append(parts, fmt.Sprintf("%sPart%d", name, i))
			w.F("%sPart%d := %s%s[:part+1 : part+1]", name, i, name, from)
		}
	}
	w.steps(parts, ">", w.l.Vectors, w.l.Parts)
	for _, name := range names {
		w.F("%[1]s = %[1]s[%[2]d*part:]", name, w.l.Parts)
	}
}

// steps writes the loop that takes so many vectors in a step, from several parts by turns.
func (w *loopWriter) steps(names []string, reach string, vectors, parts int) {
	step := times(vectors / parts)
	var conds, rests []string
	for i, name := range names {
		need := step
		if n := w.beyond(i - len(w.k.Outputs)); n > 0 {
			need = fmt.Sprintf("%s+%d", step, n)
		}
		conds = append(conds, fmt.Sprintf("len(%s) %s %s", name, reach, need))
		rests = append(rests, fmt.Sprintf("%s[%s:]", name, step))
	}
	if w.room.while != "" {
		conds = append(conds, w.room.while)
	}
	w.F("for ; %s; %s = %s {", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "))
	if len(w.l.Do) > 0 {
		w.together(vectors)
	} else {
		for j := range vectors {
			w.vector = letter(j)
			w.loads(w.l.Values(), parts, j, 0)
			w.step(j)
		}
	}
	w.F("}")
}

// together writes a step, of which several vectors are asked at once for a hit. Its loads come first, but for trees, which have registers for few values
// that wait.
func (w *loopWriter) together(vectors int) {
	block := max(w.l.Block, 1)
	for j := range vectors {
		if w.vector = letter(j); w.l.Block == 0 {
			w.loads(w.l.Values(), 1, j, w.l.Before)
		}
	}
	var hits []string
	for j := 0; j < vectors; j += block {
		w.vector = letter(j)
		if u, ok := w.l.Do[0].(kernel.Until); ok && vectors > 1 {
			hits = append(hits, w.mask(u.Holds))
			continue
		}
		w.step(j)
	}
	if hits != nil {
		w.F("if %s.ToBits() != 0 {\nbreak\n}", anyOf(hits))
		for j := range vectors {
			w.advancePlace(letter(j))
		}
	}
}

// beyond is how many elements more than a step's a loop reads of a stream: those before it, and those of 16 bytes that are narrower than lanes.
func (w *loopWriter) beyond(stream int) int {
	if stream < 0 || len(w.l.Do) == 0 {
		return 0
	}
	n := w.l.Before
	for _, v := range loadsOf(w.l.Values()) {
		if from := kernel.LaneType(w.k.Streams[stream].Call.Type()); int(v.Imm) == stream && w.extends(v) {
			return n + 128/from.Bits() - w.t.LanesOf(v.Type.Elem)
		}
	}
	return n
}

// step writes the updates of vector j, and before them what is done with it.
func (w *loopWriter) step(j int) {
	w.copy = letter(j % w.l.Copies)
	w.vectorStep(w.l.Values(), w.l.Do, j)
	w.sets(w.l.Body)
	w.p.Named = nil
	w.advancePlace(w.vector)
}

// vectorStep declares the values of vector j that are used more than once, and does something with it.
func (w *loopWriter) vectorStep(values []*kernel.Value, do []kernel.Node, j int) {
	if len(do) == 0 {
		w.named(values, 3)
		return
	}
	shared := kernel.Shared(values, 1)
	w.p.Named = map[*kernel.Value]string{}
	loaded := map[*kernel.Value]bool{}
	for _, n := range append(slices.Clone(do), nil) { // what each takes, and then the rest
		var next []*kernel.Value
		for _, v := range shared {
			if w.p.Named[v] == "" && (n == nil || kernel.Takes(n, v)) {
				next = append(next, v)
			}
		}
		if n != nil && w.l != nil && w.l.Block > 0 {
			w.loads(slices.DeleteFunc(loadsOf(kernel.ValuesOf(n)), func(v *kernel.Value) bool {
				known := loaded[v]
				loaded[v] = true
				return known
			}), 1, j, 0)
		}
		w.declare(next)
		if n != nil {
			w.do(n, j)
		}
	}
}

func (w *loopWriter) advancePlace(vector string) {
	if kernel.Uses(w.l.Values(), kernel.Place, 0) {
		w.F("place%[1]s = place%[1]s.Add(ahead)", vector)
	}
}

// named declares values that are used more than once and take so many operations.
func (w *vectorWriter) named(values []*kernel.Value, least int) {
	w.p.Named = map[*kernel.Value]string{}
	w.declare(kernel.Shared(values, least))
}

func (w *vectorWriter) declare(values []*kernel.Value) {
	for _, v := range values {
		text, name := w.p.Text(v), fmt.Sprintf("t%d%s", len(w.p.Named), w.vector)
		w.F("%s := %s", name, text)
		w.p.Named[v] = name
	}
}

// sets gives accumulators new values.
func (w *vectorWriter) sets(sets []kernel.Set) {
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
}

// loadsOf lists the loads of values, those of a stream together.
func loadsOf(values []*kernel.Value) (out []*kernel.Value) {
	for _, v := range values {
		v.Walk(func(v *kernel.Value) {
			if v.Op == kernel.Load && !slices.ContainsFunc(out, func(o *kernel.Value) bool { return o.Imm == v.Imm && o.At == v.At }) {
				out = append(out, v)
			}
		})
	}
	slices.SortFunc(out, func(a, b *kernel.Value) int { return cmp.Or(cmp.Compare(a.Imm, b.Imm), cmp.Compare(a.At, b.At)) })
	return out
}

// loads writes the loads of a vector; slices begin so many elements before it.
func (w *vectorWriter) loads(values []*kernel.Value, parts, j, before int) {
	for _, v := range loadsOf(values) {
		s, from := w.k.Streams[v.Imm], ""
		if v.At < 0 {
			from = vectorAt(s.Name+w.within, parts, j, before+v.At)
		} else {
			from = vectorAt(s.Name+w.within, parts, j+w.vectors(v.At), before)
		}
		w.F("%s := %s", w.loaded(v), w.load(v, from))
	}
}

// load is a load from a slice.
func (w *vectorWriter) load(v *kernel.Value, from string) string {
	s := w.k.Streams[v.Imm]
	t := kernel.LaneType(s.Call.Type())
	if w.within == "" {
		from = w.laneSlice(s, from)
	}
	if w.extends(v) {
		return w.t.Extended(t, v.Type.Elem, from)
	}
	return w.t.LoadLanes(t, w.t.LanesOf(w.v.Wide()), from)
}

// extends reports whether elements are loaded as those of wider lanes.
func (w *vectorWriter) extends(v *kernel.Value) bool {
	return v.Type.Elem.Bits() > kernel.LaneType(w.k.Streams[v.Imm].Call.Type()).Bits()
}

func (w *vectorWriter) accumulators(of []int, copy string) string {
	return scope.List(len(of), func(i int) string { return w.accumulator(of[i], copy) })
}

// vectorAt is what vector j of a step is loaded from, or so many elements behind it.
func vectorAt(name string, parts, j, more int) string {
	if parts > 1 {
		name, j = fmt.Sprintf("%sPart%d", name, j%parts), j/parts
	}
	switch {
	case j == 0 && more == 0:
		return name
	case j == 0:
		return fmt.Sprintf("%s[%d:]", name, more)
	case more == 0:
		return fmt.Sprintf("%s[%s:]", name, times(j))
	}
	return fmt.Sprintf("%s[%s+%d:]", name, times(j), more)
}
