package exec

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
)

// tabled looks steps up, in parts of the row side by side: each would else wait for its last step.
type tabled struct {
	next []uint8
	data *kernel.Vector[uint8]
	at   *cursor
}

// newTabled is nil where steps are computed.
func (t *tree) newTabled() *tabled {
	r := t.row
	s := r.w.nest.Tabled
	if s == nil {
		return nil
	}
	c := newCode(r.w)
	a := c.source(s.Read)
	at := c.cursor(r.w.nest.Forms[r.w.inner][s.Read], a)
	if at == nil {
		return nil
	}
	r.cursors = append(r.cursors, at)
	return &tabled{s.Next, a.Columns[s.Read.Index()].(*kernel.Vector[uint8]), at}
}

// tableParts is how many parts go side by side, and tableRow how many elements of a row are looked up before the context is asked.
const (
	tableParts = 8
	tableRow   = 1 << 16
)

// composed gives the parameters of the steps of parts of [lo, hi), in their order.
func (d *tabled) composed(lo, hi int, identity uint8) [tableParts]uint8 {
	bytes := d.data.V[d.at.Offset+lo : d.at.Offset+hi]
	n := len(bytes) / tableParts
	next := (*[256 * folds.TableStates]uint8)(d.next)
	var in [tableParts][]uint8
	for i := range in {
		in[i] = bytes[i*n:][:n]
	}
	step := func(p, y uint8) uint8 { return next[folds.TableStates*int(y)+int(p%folds.TableStates)] }
	p0, p1, p2, p3, p4, p5, p6, p7 := identity, identity, identity, identity, identity, identity, identity, identity
	for i := range n {
		p0, p1, p2, p3 = step(p0, in[0][i]), step(p1, in[1][i]), step(p2, in[2][i]), step(p3, in[3][i])
		p4, p5, p6, p7 = step(p4, in[4][i]), step(p5, in[5][i]), step(p6, in[6][i]), step(p7, in[7][i])
	}
	for _, y := range bytes[tableParts*n:] {
		p7 = step(p7, y)
	}
	return [...]uint8{p0, p1, p2, p3, p4, p5, p6, p7}
}

// lookUp combines the steps of [lo, hi) with the element, and answers how far it came.
func (t *tree) lookUp(lo, hi int) int {
	put := t.kinds[0].Put(t.states[0])
	for lo < hi && t.row.w.run.ctx.Err() == nil {
		end := min(lo+tableRow, hi)
		for _, p := range t.tabled.composed(lo, end, uint8(t.identity[0])) {
			put(0, uint64(p))
			t.finish()
		}
		lo = end
	}
	return lo
}
