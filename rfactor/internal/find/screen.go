package find

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// screen evaluates whole groups of entries, through several bijections at once, at the first
// points of the sample: lane Few·i + j of a row is point j through bijection i. It refutes
// nearly all of the table; what it leaves is compared at all points, one trial at a time.
type screen struct {
	cx     *Context
	p      *tuple.Part
	phis   []bijection
	lanes  int
	states []*sample.Row // φ of the states
	want   []*sample.Row // φ of the update
	valid  uint64
	inputs []*sample.Row            // of the update's tape
	starts map[string][]*sample.Row // φ(update(φ⁻¹(e), l)) by the values of e
	choice map[ir.Expr]*sample.Row  // values of what constants are bound to
	full   []*prober                // of each bijection, made when it is first asked for
	left   []trial                  // that the first points leave
}

// maxScreened bounds the bijections: so many have room in a row.
const maxScreened = tape.Lanes / tape.Few

func (cx *Context) screen(p *tuple.Part, phis []bijection) *screen {
	s := cx.Points
	w := &screen{cx: cx, p: p, phis: phis, lanes: len(phis) * tape.Few, starts: map[string][]*sample.Row{}, choice: map[ir.Expr]*sample.Row{}, full: make([]*prober, len(phis))}
	for i := range phis {
		w.valid |= s.Valid & (1<<tape.Few - 1) << (i * tape.Few)
	}
	w.states, w.want = w.spread(s.States), w.spread(s.Want)
	w.apply(w.states, bijection.itself)
	w.apply(w.want, bijection.itself)
	w.inputs = w.spread(s.Inputs(&s.Tape, nil))
	return w
}

// spread repeats the first points of rows for each bijection.
func (w *screen) spread(rs []*sample.Row) []*sample.Row {
	out := make([]*sample.Row, len(rs))
	for i, r := range rs {
		out[i] = w.cx.Rows.Take()
		for at := 0; at < w.lanes; at += tape.Few {
			copy(out[i][at:at+tape.Few], r[:tape.Few])
		}
	}
	return out
}

// apply applies each bijection, or the map that of returns for it, to its lanes of the rows.
func (w *screen) apply(rs []*sample.Row, of func(bijection) bijection) {
	for i, phi := range w.phis {
		phi = of(phi)
		for _, r := range rs {
			phi.applyTo(r[i*tape.Few : (i+1)*tape.Few])
		}
	}
}

// survivors appends the trials of a group's entries that no point refutes and that some of the first
// points confirms.
func (w *screen) survivors(trials []trial, g *probeGroup, k ir.Expr) []trial {
	s := w.cx.Points
	w.cx.Consider(len(g.entries))
	c := w.cx.groupTapes(g)
	r := w.value(k)
	out := c.op.RunFirst(c.operands(w.states, w.start(g.entries[0], c, r), r), w.lanes)
	over := c.op.OverflowedEach(s.Allowed)
	n := len(w.p.Types)
	w.left = w.left[:0]
	for i, e := range g.entries {
		wrong, vague := w.differ(out[i*n : (i+1)*n])
		valid := w.valid
		for _, o := range over[i*n : (i+1)*n] {
			valid &^= o
		}
		agreed := valid &^ (wrong | vague)
		for j := 0; agreed != 0; j++ {
			const first = 1<<tape.Few - 1
			if agreed&first != 0 && wrong&valid>>(j*tape.Few)&first == 0 {
				w.left = append(w.left, trial{e, k, w.phis[j], 0, j, g.of[i]})
			}
			agreed >>= tape.Few
		}
	}
	for _, t := range w.left { // not before: the results are in registers
		if wrong, _ := w.prober(t.through).compare(t); wrong == 0 {
			trials = append(trials, t)
		}
	}
	return trials
}

// differ compares results with the wanted values, like the sample's differ.
func (w *screen) differ(out []*sample.Row) (wrong, vague uint64) {
	for i, t := range w.p.Types {
		x, y := w.want[i][:w.lanes], out[i][:w.lanes]
		for lane := range x {
			if x[lane] == y[lane] {
				continue
			}
			if !testpoint.Close(t, w.cx.Points.Allowed, x[lane], y[lane]) {
				wrong |= 1 << lane
			} else if !sample.IsFinite(t, x[lane]) || !sample.IsFinite(t, y[lane]) {
				vague |= 1 << lane
			}
		}
	}
	return wrong, vague
}

// start returns the values of φ(update(φ⁻¹(e), l)) for the identity e of an entry.
func (w *screen) start(e *probeEntry, c *probeTapes, k *sample.Row) []*sample.Row {
	if v, ok := w.starts[e.literalKey]; ok && e.literalKey != "" {
		return v
	}
	s := w.cx.Points
	at := e.literals
	if at == nil {
		at = c.identity.RunFirst(c.constants(k), w.lanes)
	}
	at = w.cx.Rows.Copied(at, w.lanes)
	w.apply(at, bijection.inverse)
	in := slices.Clone(w.inputs)
	for i, v := range s.Tape.Inputs {
		if j := slices.Index(w.p.States, v); j >= 0 {
			in[i] = at[j]
		}
	}
	y := w.cx.Rows.Copied(s.Tape.RunFirst(in, w.lanes), w.lanes)
	w.apply(y, bijection.itself)
	if e.literalKey != "" {
		w.starts[e.literalKey] = y
	}
	return y
}

// value returns the values of a term for which a constant stands; nil for the zero Expr.
func (w *screen) value(k ir.Expr) *sample.Row {
	if !k.IsValid() {
		return nil
	}
	r := w.choice[k]
	if r == nil {
		r = w.spread([]*sample.Row{w.cx.Points.Value(k)})[0]
		w.choice[k] = r
	}
	return r
}

// prober returns the prober that compares at all points through bijection i.
func (w *screen) prober(i int) *prober {
	if w.full[i] == nil {
		w.full[i] = w.cx.prober(w.p, w.phis[i])
	}
	return w.full[i]
}
