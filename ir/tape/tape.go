// Package tape evaluates expressions at many points at once. It computes what [ir.Eval]
// computes, and tests compare the two.
//
// New compiles expressions of one pool, and Run takes a row of Lanes values for each input of the tape and returns a row
// for each expression. Rows are the tape's own and hold until its next run. A row that is missing is a mistake of the
// caller, and panics.
package tape

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
)

// Lanes is the number of points that a Tape evaluates at once.
const Lanes = 64

// A Tape is a straight-line program that evaluates expressions at many points at once.
// It computes what Eval computes. Opaque calls are inputs of a tape, as variables are. The zero
// Tape evaluates no expression. A Tape is for one goroutine at a time.
type Tape struct {
	Inputs  []ir.Expr // variables and calls, in the order of their first occurrence
	code    []instr
	outputs []int
	regs    []*[Lanes]uint64 // of each instruction: a row of store, or of an input
	store   []*[Lanes]uint64
	shared  *Registers // in place of store, but for literals
	out     []*[Lanes]uint64
	at      []uint32 // by id: the instruction of an expression, plus 1
	ids     []uint32 // that are not 0 there
	lanes   int      // of the last run
	over    []uint64 // of each instruction, scratch of OverflowedEach
	each    []uint64 // of each output
	meter   *effort.Meter
	cost    int // of the instructions; see weight
}

type instr struct {
	op        ir.Op
	typ       ir.Type // of the operands
	to        ir.Type // of the result
	a, b, c   int32
	overflows bool // an assumption on overflow concerns this operation
}

// New returns a tape of expressions of one pool. It panics where Compile does.
func New(es ...ir.Expr) *Tape { return Paid(nil, es...) }

// Paid is New for a tape that a meter is charged for.
func Paid(m *effort.Meter, es ...ir.Expr) *Tape {
	t := &Tape{meter: m}
	t.Compile(es...)
	return t
}

// Registers are memory that tapes share: the results of one of them hold until another runs. The
// zero Registers are ready for use.
type Registers struct {
	// Meter is charged for the runs of tapes that are made from then on; nil for none.
	Meter *effort.Meter

	rows     []*[Lanes]uint64
	at       []uint32
	literals map[uint64]*[Lanes]uint64 // see literal
}

// NewTape is New for a tape that computes in these registers, so that a run of many tapes stays
// in the cache. Of nil Registers it is New.
func (r *Registers) NewTape(es ...ir.Expr) *Tape {
	t := &Tape{shared: r}
	if r != nil {
		t.meter = r.Meter
	}
	t.Compile(es...)
	return t
}

// Charge makes a meter pay for a tape that is compiled and run from now on; nil for none.
func (t *Tape) Charge(m *effort.Meter) { t.meter = m }

// Compile makes t a tape of other expressions of one pool, reusing its memory. It takes time linear
// in their distinct subterms, and panics for the zero Expr and for expressions of two pools.
func (t *Tape) Compile(es ...ir.Expr) {
	for i, e := range es {
		if !e.IsValid() || e.Pool() != es[0].Pool() {
			panic(fmt.Sprintf("tape: expression %d is the zero Expr, or of another pool than the first", i))
		}
	}
	size := 0
	for _, e := range es {
		size = min(size+e.Size(), maxReserved)
	}
	t.Inputs, t.code, t.outputs, t.ids = t.Inputs[:0], slices.Grow(t.code[:0], size), slices.Grow(t.outputs[:0], len(es)), slices.Grow(t.ids, size)
	at := &t.at
	if t.shared != nil {
		at = &t.shared.at
	}
	if len(es) > 0 && len(*at) < es[0].Pool().Len() {
		n := es[0].Pool().Len()
		*at = append(*at, make([]uint32, n+n/2+16-len(*at))...)
	}
	t.at = *at
	for _, e := range es {
		t.outputs = append(t.outputs, t.emit(e))
	}
	for _, id := range t.ids {
		t.at[id] = 0
	}
	if t.shared != nil { // all tapes in these registers have it
		t.at = nil
	}
	t.ids = t.ids[:0]
	t.allocate()
	t.meter.Spend(effort.Points, compiled*len(t.code))
	t.cost = 0
	for i := range t.code {
		t.cost += t.code[i].weight()
	}
}

// maxReserved is for how many instructions there is room from the start: terms of this size seldom have as many.
const maxReserved = 32

// compiled is how many points cost what it takes to compile an instruction, by eights.
const compiled = 2

// weight returns what an instruction costs at eight points, in additions.
func (c *instr) weight() int {
	switch {
	case c.op == ir.Const || c.op == ir.Var:
		return 0
	case c.op.ByMachine():
		return 16
	case c.op == ir.Div || c.op == ir.Mod || c.op == ir.Sqrt:
		return 4
	}
	return 1
}

// Compares reports whether a comparison is among what the tape computes.
func (t *Tape) Compares() bool {
	return slices.ContainsFunc(t.code, func(c instr) bool { return c.op.IsComparison() })
}

// allocate gives each instruction its register.
func (t *Tape) allocate() {
	store := &t.store
	if t.shared != nil {
		store = &t.shared.rows
	}
	for len(*store) < len(t.code) {
		*store = append(*store, new([Lanes]uint64))
	}
	t.regs = append(t.regs[:0], (*store)[:len(t.code)]...)
	for i := range t.code {
		c := &t.code[i]
		if c.op != ir.Const {
			continue
		}
		v := uint64(uint32(c.a)) | uint64(uint32(c.b))<<32
		if t.shared != nil {
			t.regs[i] = t.shared.literal(v)
			continue
		}
		for l := range t.regs[i] {
			t.regs[i][l] = v
		}
	}
}

// maxLiterals bounds the rows of literals that registers keep.
const maxLiterals = 1 << 10

// literal returns a row of one value, which nothing writes to.
func (r *Registers) literal(v uint64) *[Lanes]uint64 {
	row := r.literals[v]
	if row != nil {
		return row
	}
	row = new([Lanes]uint64)
	for l := range row {
		row[l] = v
	}
	if r.literals == nil {
		r.literals = map[uint64]*[Lanes]uint64{}
	}
	if len(r.literals) < maxLiterals {
		r.literals[v] = row
	}
	return row
}

func (t *Tape) emit(e ir.Expr) int {
	if r := t.at[e.ID()]; r != 0 {
		return int(r) - 1
	}
	in := instr{op: e.Op(), typ: e.Type(), to: e.Type()}
	switch in.op {
	case ir.Const:
		in.a, in.b = int32(uint32(e.Value())), int32(uint32(e.Value()>>32))
	case ir.Var, ir.Call:
		in.op = ir.Var
		in.a = int32(len(t.Inputs))
		t.Inputs = append(t.Inputs, e)
	default:
		var k [3]int32
		for i := range e.NumArgs() {
			k[i] = int32(t.emit(e.Arg(i)))
		}
		in.typ, in.a, in.b, in.c = e.Arg(0).Type(), k[0], k[1], k[2]
		switch in.op { // a > b is b < a
		case ir.Gt:
			in.op, in.a, in.b = ir.Lt, in.b, in.a
		case ir.Ge:
			in.op, in.a, in.b = ir.Le, in.b, in.a
		}
		in.overflows = in.op.MayOverflow() && in.typ.IsInt()
	}
	t.code = append(t.code, in)
	t.at[e.ID()] = uint32(len(t.code))
	t.ids = append(t.ids, uint32(e.ID()))
	return len(t.code) - 1
}

// Run evaluates at the points of in, one row of lanes for each input, and returns the rows
// of the outputs. They are the tape's own, or an input's, and hold until the next Run. It panics
// where in has fewer rows than there are Inputs, or a nil one among them; it ignores further rows.
func (t *Tape) Run(in []*[Lanes]uint64) []*[Lanes]uint64 { return t.run(in, Lanes) }

// Few is a number of points that is enough to tell most expressions apart.
const Few = 4

// RunFirst is Run at the first points alone, for a fraction of the time. The other lanes of the
// rows hold anything. It panics unless 0 ≤ lanes ≤ Lanes.
func (t *Tape) RunFirst(in []*[Lanes]uint64, lanes int) []*[Lanes]uint64 { return t.run(in, lanes) }

func (t *Tape) run(in []*[Lanes]uint64, lanes int) []*[Lanes]uint64 {
	if len(in) < len(t.Inputs) || uint(lanes) > Lanes {
		panic(fmt.Sprintf("tape: a run at %d points of %d rows, with %d inputs", lanes, len(in), len(t.Inputs)))
	}
	t.lanes = lanes
	t.meter.Spend(effort.Points, t.cost*(lanes/8+1))
	for i := range t.code {
		switch c := &t.code[i]; c.op {
		case ir.Const:
		case ir.Var:
			if in[c.a] == nil {
				panic(fmt.Sprintf("tape: the row of input %d is nil", c.a))
			}
			t.regs[i] = in[c.a]
		default:
			t.step(c, t.regs[i][:lanes])
		}
	}
	t.out = t.out[:0]
	for _, r := range t.outputs {
		t.out = append(t.out, t.regs[r])
	}
	return t.out
}

// OverflowedEach returns a mask for each output of the last Run or RunFirst: the lanes in which an
// operation that the output depends on overflowed, as Overflowed says. The masks hold until the
// next call.
func (t *Tape) OverflowedEach(assume ir.Assume) []uint64 {
	t.each = append(t.each[:0], make([]uint64, len(t.outputs))...)
	if assume&(ir.NSW|ir.NUW) == 0 {
		return t.each
	}
	t.over = append(t.over[:0], make([]uint64, len(t.code))...)
	for i := range t.code {
		c := &t.code[i]
		if c.op == ir.Const || c.op == ir.Var {
			continue
		}
		over := t.over[c.a] | t.over[c.b] | t.over[c.c] // the first instruction is a leaf: never its bit
		if c.overflows && assume.Unbounded(c.typ) {
			over |= t.overflowed(i)
		}
		t.over[i] = over
	}
	for i, r := range t.outputs {
		t.each[i] = t.over[r]
	}
	return t.each
}

// Overflowed returns the mask of the lanes in which, in the last Run or RunFirst, an operation of
// which [ir.Op.MayOverflow] holds left the range of a type whose integers are assumed unbounded. It
// is 0 where assume has neither NSW nor NUW, and before the first run.
func (t *Tape) Overflowed(assume ir.Assume) (over uint64) {
	if assume&(ir.NSW|ir.NUW) == 0 {
		return 0
	}
	for i := range t.code {
		if c := &t.code[i]; c.overflows && assume.Unbounded(c.typ) {
			over |= t.overflowed(i)
		}
	}
	return over
}

// Poisoned returns the mask of the lanes in which, in the last Run or RunFirst, an input or an operation
// gave a NaN or an infinity that is assumed away. It is 0 where assume has neither NNaN nor NInf. A literal
// is what the source says, and poisons no lane.
func (t *Tape) Poisoned(assume ir.Assume) (poisoned uint64) {
	noNaN, noInf := assume.Has(ir.NNaN), assume.Has(ir.NInf)
	if !noNaN && !noInf {
		return 0
	}
	for i := range t.code {
		c := &t.code[i]
		if c.op == ir.Const || !c.to.IsFloat() {
			continue
		}
		for lane, bits := range t.regs[i][:t.lanes] {
			if f := ir.Float(c.to, bits); noNaN && f != f || noInf && math.IsInf(f, 0) {
				poisoned |= 1 << lane
			}
		}
	}
	return poisoned
}

// step computes a row, or the first lanes of it.
func (t *Tape) step(c *instr, r []uint64) {
	a := t.regs[c.a][:len(r)]
	if c.op.Arity() == 1 {
		if !c.unary(r, a) {
			for l := range r {
				r[l] = ir.Apply1(c.op, c.typ, c.to, a[l])
			}
		}
		return
	}
	b := t.regs[c.b][:len(r)]
	if c.op != ir.Select {
		c.apply(r, a, b)
		return
	}
	other := t.regs[c.c][:len(r)]
	for l := range r { // without a branch, which conditions at random points mispredict
		no := a[l] - 1
		r[l] = b[l]&^no | other[l]&no
	}
}

// unary has the loops of the commonest operations on one row of integers.
func (c *instr) unary(r, a []uint64) bool {
	a = a[:len(r)]
	switch c.op {
	case ir.Not:
		for l := range r {
			r[l] = a[l] ^ 1
		}
		return true
	case ir.Neg:
		if !c.typ.IsInt() {
			return false
		}
		for l := range r {
			r[l] = -a[l]
		}
	case ir.Cast:
		if c.to == ir.Bool || c.typ.IsFloat() || c.to.IsFloat() {
			return false
		}
		copy(r, a)
	default:
		return false
	}
	wrap(c.to, r)
	return true
}

// wrap wraps a row of sums, differences or products to an integer type.
func wrap(t ir.Type, r []uint64) {
	shift := 64 - t.Bits()
	switch {
	case shift == 0:
	case t.IsSigned():
		for l := range r {
			r[l] = uint64(int64(r[l]<<(shift&63)) >> (shift & 63))
		}
	default:
		for l := range r {
			r[l] &= 1<<(64-shift&63) - 1
		}
	}
}

// Apply2 applies a binary operator to the values of type t in two rows of one length, as [ir.Apply2] does to each pair, and
// writes the results to a third, which may be one of them. It panics where that does, and for rows that are shorter than r.
func Apply2(op ir.Op, t ir.Type, r, a, b []uint64) {
	c := instr{op: op, typ: t}
	for ; len(r) > Lanes; r, a, b = r[Lanes:], a[Lanes:], b[Lanes:] {
		c.apply(r[:Lanes], a, b)
	}
	c.apply(r, a, b)
}

// apply applies a binary operator to a row of at most Lanes values.
func (c *instr) apply(r, a, b []uint64) {
	if c.typ.IsFloat() {
		if len(r) > Few && c.floats(r, a, b) { // fewer lanes are not worth the conversion of rows
			return
		}
	} else if c.fast(r, a, b) {
		return
	}
	for l := range r {
		r[l] = ir.Apply2(c.op, c.typ, a[l], b[l])
	}
}

// fast has the loops of the commonest integer operations.
func (c *instr) fast(r, a, b []uint64) bool {
	a, b = a[:len(r)], b[:len(r)]
	switch c.op {
	case ir.Add:
		for l := range r {
			r[l] = a[l] + b[l]
		}
	case ir.Sub:
		for l := range r {
			r[l] = a[l] - b[l]
		}
	case ir.Mul:
		for l := range r {
			r[l] = a[l] * b[l]
		}
	case ir.And, ir.BitAnd:
		for l := range r {
			r[l] = a[l] & b[l]
		}
		return true
	case ir.Or, ir.BitOr:
		for l := range r {
			r[l] = a[l] | b[l]
		}
		return true
	case ir.BitXor:
		for l := range r {
			r[l] = a[l] ^ b[l]
		}
		return true
	case ir.Eq:
		for l := range r {
			r[l] = bit(a[l] == b[l])
		}
		return true
	case ir.Ne:
		for l := range r {
			r[l] = bit(a[l] != b[l])
		}
		return true
	default:
		return c.typ != ir.Bool && c.ordered(r, a, b)
	}
	wrap(c.typ, r)
	return true
}

// floats has the loops of the commonest operations on floats. Sums, products and quotients of f32 are rounded
// twice, to the same number: f64 has more than twice their bits.
func (c *instr) floats(r, a, b []uint64) bool {
	a, b = a[:len(r)], b[:len(r)]
	var left, right [Lanes]float64
	x, y := left[:len(r)], right[:len(r)]
	if c.typ == ir.F32 {
		for l := range x {
			x[l], y[l] = float64(math.Float32frombits(uint32(a[l]))), float64(math.Float32frombits(uint32(b[l])))
		}
	} else {
		for l := range x {
			x[l], y[l] = math.Float64frombits(a[l]), math.Float64frombits(b[l])
		}
	}
	switch c.op {
	case ir.Add:
		for l := range x {
			x[l] += y[l]
		}
	case ir.Sub:
		for l := range x {
			x[l] -= y[l]
		}
	case ir.Mul:
		for l := range x {
			x[l] *= y[l]
		}
	case ir.Div:
		for l := range x {
			x[l] /= y[l]
		}
	case ir.Min:
		for l := range x {
			x[l] = min(x[l], y[l])
		}
	case ir.Max:
		for l := range x {
			x[l] = max(x[l], y[l])
		}
	case ir.Lt:
		for l := range r {
			r[l] = bit(x[l] < y[l])
		}
		return true
	case ir.Le:
		for l := range r {
			r[l] = bit(x[l] <= y[l])
		}
		return true
	default:
		return false
	}
	for l, f := range x {
		r[l] = ir.FloatBits(c.typ, f)
	}
	return true
}

// ordered has the loops of comparisons of integers. Unsigned numbers are in the order of
// signed ones after the sign bit is flipped.
func (c *instr) ordered(r, a, b []uint64) bool {
	a, b = a[:len(r)], b[:len(r)]
	flip := uint64(0)
	if c.typ.IsUnsigned() {
		flip = 1 << 63
	}
	switch c.op {
	case ir.Lt:
		for l := range r {
			r[l] = bit(int64(a[l]^flip) < int64(b[l]^flip))
		}
	case ir.Le:
		for l := range r {
			r[l] = bit(int64(a[l]^flip) <= int64(b[l]^flip))
		}
	case ir.Min:
		for l := range r {
			r[l] = uint64(min(int64(a[l]^flip), int64(b[l]^flip))) ^ flip
		}
	case ir.Max:
		for l := range r {
			r[l] = uint64(max(int64(a[l]^flip), int64(b[l]^flip))) ^ flip
		}
	default:
		return false
	}
	return true
}

// overflowed is the mask of the lanes whose exact result does not fit the type.
func (t *Tape) overflowed(i int) (mask uint64) {
	c := &t.code[i]
	a, b, r := t.regs[c.a][:t.lanes], t.regs[c.b][:t.lanes], t.regs[i][:t.lanes]
	if c.typ.Bits() < 64 { // the exact result is one of 64 bits
		switch c.op {
		case ir.Add:
			for l := range r {
				mask |= bit(a[l]+b[l] != r[l]) << l
			}
			return mask
		case ir.Sub:
			for l := range r {
				mask |= bit(a[l]-b[l] != r[l]) << l
			}
			return mask
		case ir.Mul:
			for l := range r {
				mask |= bit(a[l]*b[l] != r[l]) << l
			}
			return mask
		}
	}
	switch {
	case c.typ.Bits() == 64 && c.op == ir.Add && c.typ.IsSigned():
		for l := range r {
			mask |= (a[l] ^ r[l]) & (b[l] ^ r[l]) >> 63 << l
		}
	case c.typ.Bits() == 64 && c.op == ir.Add:
		for l := range r {
			mask |= bit(r[l] < a[l]) << l
		}
	case c.typ.Bits() == 64 && c.op == ir.Sub && c.typ.IsSigned():
		for l := range r {
			mask |= (a[l] ^ b[l]) & (a[l] ^ r[l]) >> 63 << l
		}
	case c.typ.Bits() == 64 && c.op == ir.Sub:
		for l := range r {
			mask |= bit(a[l] < b[l]) << l
		}
	default:
		for l := range a {
			mask |= bit(!ir.Fits(c.op, c.typ, a[l], b[l])) << l
		}
	}
	return mask
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
