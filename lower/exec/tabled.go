package exec

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/simd"
)

// tabled looks steps up, in parts of the row side by side: each would else wait for its last step.
type tabled struct {
	*prepare.StepTable
	data *kernel.Vector[uint8]
	at   *scalar.Cursor
	left uint64        // the parameter of the parts before
	join func() uint64 // with that of lane 0
}

// newTabled is nil where steps are computed.
func (t *tree) newTabled() *tabled {
	r := t.row
	n := r.w.nest
	if n.Tabled == nil {
		return nil
	}
	d := &tabled{StepTable: n.Tabled}
	c := newCode(r.w)
	a := c.source(d.Read)
	if d.at = c.cursor(n.Forms[r.w.inner][d.Read], a); d.at == nil {
		return nil
	}
	r.cursors = append(r.cursors, d.at)
	d.data = a.Columns[d.Read.Index()].(*kernel.Vector[uint8])
	s := scalar.NewScalars(&r.w.run.Names)
	s.Slots = r.w.Slots
	s.Memo[n.X[d.Moving]] = func() uint64 { return d.left }
	for i, z := range t.kinds {
		s.Memo[n.Y[i]] = z.At(t.states[i], &t.zero)
	}
	joined := s.Compile(n.Stage.Operator[d.Moving])
	d.join = func() uint64 {
		s.Point++
		return joined()
	}
	return d
}

// tableParts is how many parts go side by side.
const tableParts = 8

// composed gives the parameters of the steps of parts of [lo, hi), in their order.
func (d *tabled) composed(lo, hi int, identity uint8) [tableParts]uint8 {
	bytes := d.data.V[d.at.Offset+lo : d.at.Offset+hi]
	if d.Few != nil && simd.Vector() > 0 { // in one part
		return [tableParts]uint8{simd.Steps(d.Few, bytes, identity), identity, identity, identity, identity, identity, identity, identity}
	}
	n := len(bytes) / tableParts
	next, shift := d.Next, d.Shift
	var in [tableParts][]uint8
	for i := range in {
		in[i] = bytes[i*n:][:n]
	}
	step := func(p, y uint8) uint8 { return next[uint16(y)<<(shift&15)|uint16(p)] }
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

// lookUp combines the steps of [lo, hi) with the element, and answers how far it came. Parts are as long as powers are there where parameters are steady.
func (t *tree) lookUp(lo, hi int) int {
	d := t.tabled
	put, get := t.kinds[d.Moving].Put(t.states[d.Moving]), t.kinds[d.Moving].Get(t.states[d.Moving])
	for lo < hi && t.row.w.run.ctx.Err() == nil {
		end, each := min(lo+prepare.TableRow, hi), 0
		if len(d.Steady) > 0 {
			if end-lo < tableParts*tileRows {
				break
			}
			each = bits.Len(uint(end-lo)/tableParts) - 1
			end = lo + tableParts<<each
		}
		parts := d.composed(lo, end, uint8(t.identity[d.Moving]))
		d.advance(t, each)
		put(0, uint64(parts[0]))
		for _, p := range parts[1:] {
			d.left = get(0)
			put(0, uint64(p))
			put(0, d.join())
		}
		d.advance(t, each+bits.Len(tableParts-1))
		t.finish()
		lo = end
	}
	return lo
}

// advance puts a power of steady parameters into lane 0.
func (d *tabled) advance(t *tree, power int) {
	for _, c := range d.Steady {
		t.kinds[c].Put(t.states[c])(0, d.Powers[power][c])
	}
}
