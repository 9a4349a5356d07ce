package exec

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// stepTable is the steps of a lift with one parameter of few values, each of which a byte decides. Its other parameters are steady.
//
//	a CRC of 8 bits   →   next[256*y + x], and powers of the matrix of a step
type stepTable struct {
	next   *[256 * folds.ByteStates]uint8 // see folds.StepTable
	shift  uint                           // of elements in its index
	read   ir.Expr                        // of the byte
	moving int                            // the parameter
	steady []int
	powers [][]uint64 // of steady parameters, behind 1, 2, 4, … steps
}

// tabledPasses of lanes take as long as it takes to look a step up among those of all bytes.
const tabledPasses = 16

// tabulate finds the table of a stage's steps, once for all runs. It is nil where steps are computed.
func (n *prepared) tabulate() *stepTable {
	s := n.stage
	if !n.composes() || n.seen() || len(s.Where) > 0 || len(s.Operator) != len(s.Values) {
		return nil
	}
	reads := access.Reads(&plan.Stage{Buffer: s.Buffer, Values: s.Values})
	if len(reads) != 1 || reads[0].Call.Type() != ir.U8 {
		return nil
	}
	d := &stepTable{read: reads[0].Call, steady: n.steady()}
	for len(d.steady) > d.moving && d.steady[d.moving] == d.moving {
		d.moving++
	}
	if len(d.steady) != len(s.Values)-1 || !d.tabulate(n) {
		return nil
	}
	d.raise(n)
	return d
}

// tabulate tries few states, and those of a byte where steps are of many operations.
func (d *stepTable) tabulate(n *prepared) bool {
	s, m := n.stage, d.moving
	if s.Values[m].Type() != ir.U8 || slices.ContainsFunc(d.steady, func(c int) bool { return access.Mentions(s.Operator[m], n.x[c]) }) {
		return false
	}
	next, ok := folds.StepTable(s.Values[m], n.x[m], d.read, n.identity[m])
	d.shift = uint(bits.Len(folds.TableStates - 1))
	if !ok && n.powers == nil && passes(s.Values) >= tabledPasses {
		next, ok = folds.ByteTable(s.Values[m], n.x[m], d.read, n.identity[m])
		d.shift = uint(bits.Len(folds.ByteStates - 1))
	}
	if ok {
		d.next = new([256 * folds.ByteStates]uint8)
		copy(d.next[:], next)
	}
	return ok
}

// passes is how many operations lanes need for values.
func passes(values []ir.Expr) int {
	count := 0
	ir.Walk(values, func(e ir.Expr) {
		if e.NumArgs() > 0 && !access.IsRead(e) {
			count++
		}
	})
	return count
}

// raise computes the powers that rows need.
func (d *stepTable) raise(n *prepared) {
	power := n.steadyStep(d.steady)
	for steps := 1; len(d.steady) > 0 && steps <= tableRow; steps *= 2 {
		d.powers = append(d.powers, power)
		power = n.join(d.steady, power, power)
	}
}

// tabled looks steps up, in parts of the row side by side: each would else wait for its last step.
type tabled struct {
	*stepTable
	data *kernel.Vector[uint8]
	at   *cursor
	left uint64        // the parameter of the parts before
	join func() uint64 // with that of lane 0
}

// newTabled is nil where steps are computed.
func (t *tree) newTabled() *tabled {
	r := t.row
	n := r.w.nest
	if n.tabled == nil {
		return nil
	}
	d := &tabled{stepTable: n.tabled}
	c := newCode(r.w)
	a := c.source(d.read)
	if d.at = c.cursor(n.forms[r.w.inner][d.read], a); d.at == nil {
		return nil
	}
	r.cursors = append(r.cursors, d.at)
	d.data = a.data[d.read.Index()].(*kernel.Vector[uint8])
	s := newScalars(r.w.run)
	s.slots = r.w.slots
	s.memo[n.x[d.moving]] = func() uint64 { return d.left }
	for i, z := range t.kinds {
		s.memo[n.y[i]] = z.At(t.states[i], &t.zero)
	}
	joined := s.compile(n.stage.Operator[d.moving])
	d.join = func() uint64 {
		s.point++
		return joined()
	}
	return d
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
	next, shift := d.next, d.shift
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
	put, get := t.kinds[d.moving].Put(t.states[d.moving]), t.kinds[d.moving].Get(t.states[d.moving])
	for lo < hi && t.row.w.run.ctx.Err() == nil {
		end, each := min(lo+tableRow, hi), 0
		if len(d.steady) > 0 {
			if end-lo < tableParts*tileRows {
				break
			}
			each = bits.Len(uint(end-lo)/tableParts) - 1
			end = lo + tableParts<<each
		}
		parts := d.composed(lo, end, uint8(t.identity[d.moving]))
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
	for _, c := range d.steady {
		t.kinds[c].Put(t.states[c])(0, d.powers[power][c])
	}
}
