package wasm

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

const vectorBits = 128

// v128 is the type of vectors.
const v128 = 0x7b

// Vector instructions of any lanes.
const (
	vLoad, vConst, vNot, vAnd, vOr, vXor, vBitSelect, vAnyTrue = 0, 12, 77, 78, 80, 81, 82, 83
	vLoad32, vLoad64                                           = 92, 93
)

// inLanes is the instructions on the lanes of a type: operations, and comparisons, whose result has ones in the lanes where they hold. Those that are missing
// are computed one after another.
var inLanes = [ir.NumTypes]map[ir.Op]uint32{
	ir.I8:  {ir.Add: 110, ir.Sub: 113, ir.Min: 118, ir.Max: 120, ir.SatAdd: 111, ir.SatSub: 114, ir.Neg: 97, ir.Abs: 96, ir.Eq: 35, ir.Ne: 36, ir.Lt: 37, ir.Gt: 39, ir.Le: 41, ir.Ge: 43},
	ir.U8:  {ir.Add: 110, ir.Sub: 113, ir.Min: 119, ir.Max: 121, ir.SatAdd: 112, ir.SatSub: 115, ir.Eq: 35, ir.Ne: 36, ir.Lt: 38, ir.Gt: 40, ir.Le: 42, ir.Ge: 44},
	ir.I16: {ir.Add: 142, ir.Sub: 145, ir.Mul: 149, ir.Min: 150, ir.Max: 152, ir.SatAdd: 143, ir.SatSub: 146, ir.Neg: 129, ir.Abs: 128, ir.Eq: 45, ir.Ne: 46, ir.Lt: 47, ir.Gt: 49, ir.Le: 51, ir.Ge: 53},
	ir.U16: {ir.Add: 142, ir.Sub: 145, ir.Mul: 149, ir.Min: 151, ir.Max: 153, ir.SatAdd: 144, ir.SatSub: 147, ir.Eq: 45, ir.Ne: 46, ir.Lt: 48, ir.Gt: 50, ir.Le: 52, ir.Ge: 54},
	ir.I32: {ir.Add: 174, ir.Sub: 177, ir.Mul: 181, ir.Min: 182, ir.Max: 184, ir.Neg: 161, ir.Abs: 160, ir.Eq: 55, ir.Ne: 56, ir.Lt: 57, ir.Gt: 59, ir.Le: 61, ir.Ge: 63},
	ir.U32: {ir.Add: 174, ir.Sub: 177, ir.Mul: 181, ir.Min: 183, ir.Max: 185, ir.Eq: 55, ir.Ne: 56, ir.Lt: 58, ir.Gt: 60, ir.Le: 62, ir.Ge: 64},
	ir.I64: {ir.Add: 206, ir.Sub: 209, ir.Mul: 213, ir.Neg: 193, ir.Abs: 192, ir.Eq: 214, ir.Ne: 215, ir.Lt: 216, ir.Gt: 217, ir.Le: 218, ir.Ge: 219},
	ir.U64: {ir.Add: 206, ir.Sub: 209, ir.Mul: 213, ir.Eq: 214, ir.Ne: 215},
	ir.F32: {ir.Add: 228, ir.Sub: 229, ir.Mul: 230, ir.Div: 231, ir.Min: 232, ir.Max: 233, ir.Neg: 225, ir.Abs: 224, ir.Sqrt: 227, ir.Floor: 104, ir.Round: 106, ir.Eq: 65, ir.Ne: 66, ir.Lt: 67, ir.Gt: 68, ir.Le: 69, ir.Ge: 70},
	ir.F64: {ir.Add: 240, ir.Sub: 241, ir.Mul: 242, ir.Div: 243, ir.Min: 244, ir.Max: 245, ir.Neg: 237, ir.Abs: 236, ir.Sqrt: 239, ir.Floor: 117, ir.Round: 148, ir.Eq: 71, ir.Ne: 72, ir.Lt: 73, ir.Gt: 74, ir.Le: 75, ir.Ge: 76},
}

// bitwise are instructions on bits, of integers and of masks.
var bitwise = map[ir.Op]uint32{ir.BitAnd: vAnd, ir.BitOr: vOr, ir.BitXor: vXor, ir.BitNot: vNot, ir.And: vAnd, ir.Or: vOr, ir.Not: vNot}

// lanesOf is what is done with the lanes of a type beside operations: putting a number into all, taking one out of one, and shifts.
var lanesOf = [ir.NumTypes]struct{ splat, extract, shl, shr uint32 }{
	ir.Bool: {15, 22, 0, 0},
	ir.I8:   {15, 21, 107, 108}, ir.U8: {15, 22, 107, 109}, ir.I16: {16, 24, 139, 140}, ir.U16: {16, 25, 139, 141},
	ir.I32: {17, 27, 171, 172}, ir.U32: {17, 27, 171, 173}, ir.I64: {18, 29, 203, 204}, ir.U64: {18, 29, 203, 205},
	ir.F32: {19, 31, 0, 0}, ir.F64: {20, 33, 0, 0},
}

// widening loads a half or a quarter of a vector, as numbers of twice the width; a second one makes them four times as wide.
var widening = map[[2]int][2]struct{ signed, unsigned uint32 }{
	{8, 16}: {{1, 2}}, {16, 32}: {{3, 4}}, {32, 64}: {{5, 6}}, {8, 32}: {{vLoad32, vLoad32}, {135, 137}},
}

func (f *function) vector(code uint32) {
	f.code = binary.AppendUvarint(append(f.code, 0xfd), uint64(code))
}

// lanes computes values of several iterations at once, in the lanes of vectors.
type lanes struct {
	*row
	bits   int // of a lane
	behind int // iterations behind the one at which pointers are
	done   map[ir.Expr]uint32
	state  bool     // values may depend on the state, as it is ahead of them
	chain  []uint32 // the state, in the first lane, where each iteration follows the last; nil where lanes are iterations
}

func (l *lanes) count() int { return vectorBits / l.bits }

// varies reports whether a value differs from lane to lane.
func (r *row) varies(e ir.Expr) bool {
	v, ok := r.moves[e]
	if !ok {
		v = access.IsRead(e) && !slices.Contains(r.s.still, e) || e == r.s.vars[len(r.s.vars)-1]
		for i := range e.NumArgs() {
			v = v || r.varies(e.Arg(i))
		}
		r.moves[e] = v
	}
	return v
}

// differs reports whether a value is computed in lanes, and not put into all of them.
func (l *lanes) differs(e ir.Expr) bool { return l.varies(e) || l.chain != nil && e.States() != 0 }

// stream is the pointer of a read that steps from element to element; not ok for others.
func (r *row) stream(e ir.Expr) (p pointer, ok bool) {
	if i := slices.IndexFunc(r.reads, func(f form) bool { return f.call == e }); i >= 0 {
		p = r.moving[i]
	}
	return p, p.literal && p.by == 1<<loads[e.Type()].shift
}

// can reports whether a value is computed in lanes.
func (l *lanes) can(e ir.Expr) bool {
	t, op := e.Type(), e.Op()
	if e.States() != 0 && !l.state && l.chain == nil {
		return false
	}
	if !l.differs(e) {
		return t == ir.Bool || t.Bits() == l.bits
	}
	all := func() bool {
		for i := range e.NumArgs() {
			if !l.can(e.Arg(i)) {
				return false
			}
		}
		return true
	}
	switch {
	case access.IsRead(e):
		_, ok := l.stream(e)
		return ok && (t.Bits() == l.bits || t == ir.Bool && l.bits == 8)
	case op == ir.Var && e.Kind() == ir.State:
		return t.Bits() == l.bits
	case op == ir.Var:
		return l.bits == 32
	case op == ir.Cast:
		from := e.Arg(0)
		if from.Type().IsInt() && t.IsInt() && from.Type().Bits() == t.Bits() {
			return t.Bits() == l.bits && all()
		}
		if _, ok := l.stream(from); !ok || !t.IsInt() || t.Bits() != l.bits || !from.Type().IsInt() {
			return false
		}
		_, ok := widening[[2]int{from.Type().Bits(), t.Bits()}]
		return ok
	case op == ir.Select:
		return t.Bits() == l.bits && all()
	case op == ir.And || op == ir.Or || op == ir.Not:
		return all()
	case op == ir.Shl || op == ir.Shr:
		return t.Bits() == l.bits && e.Arg(1).Op() == ir.Const && e.Arg(1).Value() < uint64(t.Bits()) && l.can(e.Arg(0))
	case op == ir.BitAnd || op == ir.BitOr || op == ir.BitXor || op == ir.BitNot:
		return t.Bits() == l.bits && all()
	case op == ir.IsNaN:
		return e.Arg(0).Type().IsFloat() && all()
	}
	return e.Arg(0).Type().Bits() == l.bits && inLanes[e.Arg(0).Type()][op] != 0 && all()
}

// vectorOf is a local with a value in lanes; of a truth value its mask.
func (l *lanes) vectorOf(e ir.Expr) uint32 {
	if v, ok := l.done[e]; ok {
		return v
	}
	t, op := e.Type(), e.Op()
	arg := func(i int) uint32 { return l.vectorOf(e.Arg(i)) }
	switch {
	case !l.differs(e):
		l.splat(l.term(e))
	case access.IsRead(e):
		p, _ := l.stream(e)
		l.get(p.at)
		if l.chain != nil {
			l.vectorLoad(map[int]uint32{32: vLoad32, 64: vLoad64}[l.bits], l.behind*p.by)
			break
		}
		l.vectorLoad(vLoad, l.behind*p.by)
		if t == ir.Bool {
			v := l.takeVector()
			l.number(i32, 0)
			l.vector(lanesOf[ir.U8].splat)
			l.get(v)
			l.vector(inLanes[ir.I8][ir.Lt]) // 0 < v, of bytes that are 0 or 1
		}
	case op == ir.Var && e.Kind() == ir.State:
		return l.chain[e.Index()]
	case op == ir.Var:
		l.coordinate()
		l.number(i32, int64(l.behind))
		l.emit(add32)
		l.vector(lanesOf[ir.I32].splat)
		l.vector(vConst)
		for i := range 4 {
			l.code = binary.LittleEndian.AppendUint32(l.code, uint32(i))
		}
		l.vector(inLanes[ir.I32][ir.Add])
	case op == ir.Cast:
		l.cast(e)
	case op == ir.Select:
		c, a, b := arg(0), arg(1), arg(2)
		l.get(a, b, c)
		l.vector(vBitSelect)
	case op == ir.IsNaN:
		x := arg(0)
		l.get(x, x)
		l.vector(inLanes[e.Arg(0).Type()][ir.Ne])
	case op == ir.Shl || op == ir.Shr:
		l.get(arg(0))
		l.number(i32, e.Arg(1).Int())
		l.vector(map[ir.Op]uint32{ir.Shl: lanesOf[t].shl, ir.Shr: lanesOf[t].shr}[op])
	default:
		var args []uint32
		for i := range e.NumArgs() {
			args = append(args, arg(i))
		}
		l.get(args...)
		l.apply(op, e.Arg(0).Type())
	}
	v := l.takeVector()
	l.done[e] = v
	return v
}

func (l *lanes) apply(op ir.Op, t ir.Type) {
	if code, ok := bitwise[op]; ok {
		l.vector(code)
		return
	}
	l.vector(inLanes[t][op])
}

// splat puts a value into all lanes.
func (l *lanes) splat(v value) {
	if v.t != ir.Bool {
		l.push(v)
		l.vector(lanesOf[v.t].splat)
		return
	}
	lane := map[int]ir.Type{8: ir.I8, 16: ir.I16, 32: ir.I32, 64: ir.I64}[l.bits]
	l.constant(lane, 0)
	l.widthOf(v, lane)
	l.emit(instruction(ir.Sub, lane))
	l.vector(lanesOf[lane].splat)
}

// widthOf puts a truth value on the stack as a number of a lane.
func (l *lanes) widthOf(v value, lane ir.Type) {
	if l.push(v); lane == ir.I64 {
		l.emit(extendU)
	}
}

// cast puts integers of another width, or with another sign, on the stack.
func (l *lanes) cast(e ir.Expr) {
	from := e.Arg(0)
	if from.Type().Bits() == e.Type().Bits() {
		l.get(l.vectorOf(from))
		return
	}
	p, _ := l.stream(from)
	l.get(p.at)
	if l.chain != nil { // of one element
		l.load(from.Type(), l.behind*p.by)
		x := l.take(from.Type())
		l.function.cast(x, e.Type())
		l.vector(lanesOf[e.Type()].splat)
		return
	}
	for i, w := range widening[[2]int{from.Type().Bits(), e.Type().Bits()}] {
		code := w.unsigned
		if from.Type().IsSigned() {
			code = w.signed
		}
		switch {
		case i == 0:
			l.vectorLoad(code, l.behind*p.by)
		case code != 0: // and once more, from 16 to 32 bits
			l.vector(code)
			l.vector(map[bool]uint32{true: 167, false: 169}[from.Type().IsSigned()])
		}
	}
}

func (l *lanes) vectorLoad(code uint32, behind int) {
	l.vector(code)
	l.emit(0)
	l.code = binary.AppendUvarint(l.code, uint64(behind))
}

func (l *lanes) takeVector() uint32 {
	v := l.local(v128)
	l.with(opSet, v)
	return v
}

// enter writes a loop that runs while so many iterations are left, whose body leaves them to the next ones.
func (l *lanes) enter(n int, body func()) {
	l.within(opBlock, func(few int) {
		l.within(opLoop, func(again int) {
			l.get(l.rest)
			l.number(i32, int64(n))
			l.emit(ltu32)
			l.branch(opBrIf, few)
			l.scope(body)
			l.branch(opBr, again)
		})
	})
}

// pass moves on by so many iterations.
func (l *lanes) pass(n int) {
	l.get(l.rest)
	l.number(i32, int64(n))
	l.emit(sub32)
	l.with(opSet, l.rest)
	for _, p := range append(slices.Clone(l.moving), l.targets...) {
		l.move(p, n)
	}
}

// fold folds most of a row in lanes, where each component is a fold of its own whose order does not show.
func (r *row) fold() {
	s := r.s
	if s.parts == nil || !r.held || s.ends != nil || s.counter != "" {
		return
	}
	l := &lanes{row: r, bits: s.buffer.Types[0].Bits()}
	for i, p := range s.parts {
		t := s.buffer.Types[i]
		if t.Bits() != l.bits || !l.folds(p.Op, t) || !l.can(p.Leaf) {
			return
		}
	}
	copies := 4
	if len(s.parts) > 2 {
		copies = 2
	}
	n := copies * l.count()
	r.get(r.rest)
	r.number(i32, int64(n))
	r.emit(geu32)
	r.within(opIf, func(int) {
		r.scope(func() { l.sums(n, copies) })
	})
}

// sums folds in lanes, so many iterations at once, and then what the lanes have.
func (l *lanes) sums(n, copies int) {
	r, s := l.row, l.s
	sums := make([][]uint32, len(s.parts))
	for i, p := range s.parts {
		for range copies {
			r.constant(s.buffer.Types[i], folds.NeutralValue(p.Op, s.buffer.Types[i]))
			r.vector(lanesOf[s.buffer.Types[i]].splat)
			sums[i] = append(sums[i], l.takeVector())
		}
	}
	l.done = map[ir.Expr]uint32{}
	for _, p := range s.parts {
		l.spread(p.Leaf)
	}
	l.enter(n, func() {
		for c := copies - 1; c >= 0; c-- {
			l.behind, l.done = c*l.count(), l.kept(l.done)
			for i, p := range s.parts {
				leaf := l.vectorOf(p.Leaf)
				r.get(sums[i][c], leaf)
				l.apply(p.Op, s.buffer.Types[i])
				r.with(opSet, sums[i][c])
			}
		}
		l.pass(n)
	})
	for i, p := range s.parts {
		for _, c := range sums[i][1:] {
			r.get(sums[i][0], c)
			l.apply(p.Op, s.buffer.Types[i])
			r.with(opSet, sums[i][0])
		}
		for k := range l.count() {
			r.get(sums[i][0])
			r.vector(lanesOf[s.buffer.Types[i]].extract)
			r.emit(byte(k))
			operation(&r.function, p.Op, s.buffer.Types[i], []value{r.state[i], r.take(s.buffer.Types[i])})
			r.with(opSet, r.state[i].local)
		}
	}
}

// spread puts what is the same in all iterations into lanes, ahead of them.
func (l *lanes) spread(e ir.Expr) {
	if !l.differs(e) {
		l.vectorOf(e)
		return
	}
	for i := range e.NumArgs() {
		if !access.IsRead(e) {
			l.spread(e.Arg(i))
		}
	}
}

// folds reports whether lanes fold by an operation, of which the order does not show.
func (l *lanes) folds(op ir.Op, t ir.Type) bool {
	if t.IsFloat() && op != ir.Min && op != ir.Max && !l.s.regroup {
		return false
	}
	_, ok := bitwise[op]
	return t.IsNumeric() && (ok || inLanes[t][op] != 0) && slices.Contains([]ir.Op{ir.Add, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor}, op)
}

// inALane computes most of a row in the first lane of vectors, one iteration after another: there the least and the greatest of two integers are an instruction,
// where others compare and choose.
func (r *row) inALane() {
	s := r.s
	if !r.held || s.ends != nil || s.counter != "" || len(s.where) > 0 {
		return
	}
	l := &lanes{row: r, bits: 32, chain: []uint32{}}
	extremum := false
	ir.Walk(s.values, func(e ir.Expr) {
		extremum = extremum || (e.Op() == ir.Min || e.Op() == ir.Max) && e.States() != 0
	})
	for i, v := range s.values {
		if t := s.buffer.Types[i]; !extremum || !t.IsInt() || t.Bits() != l.bits || !l.can(v) {
			return
		}
	}
	r.get(r.rest)
	r.number(i32, unrolled)
	r.emit(geu32)
	r.within(opIf, func(int) {
		r.scope(func() {
			for _, v := range r.state {
				l.splat(v)
				l.chain = append(l.chain, l.takeVector())
			}
			l.done = map[ir.Expr]uint32{}
			for _, v := range s.values {
				l.spread(v)
			}
			l.enter(unrolled, l.iterations)
			for i, v := range l.chain {
				r.get(v)
				r.vector(lanesOf[s.buffer.Types[i]].extract)
				r.emit(0)
				r.with(opSet, r.state[i].local)
			}
		})
	})
}

// iterations writes some iterations of inALane.
func (l *lanes) iterations() {
	loaded := make([]map[ir.Expr]uint32, unrolled)
	same := l.kept(l.done)
	for k := unrolled - 1; k >= 0; k-- { // the highest address first: it alone is compared with the end of memory
		l.behind, l.done = k, maps.Clone(same)
		for _, f := range l.reads {
			if l.can(f.call) {
				l.vectorOf(f.call)
			}
		}
		loaded[k] = l.done
	}
	for k := range unrolled {
		l.behind, l.done = k, loaded[k]
		var values []uint32
		for _, v := range l.s.values {
			values = append(values, l.vectorOf(v))
		}
		l.get(values...)
		for _, v := range slices.Backward(l.chain) {
			l.with(opSet, v)
		}
	}
	l.done = same
	l.pass(unrolled)
}

// skipped is how many vectors are looked at before a branch.
const skipped = 8

// skip leaves out elements that change nothing: those of some vectors, where in no lane the condition holds under which the state changes.
func (r *row) skip() {
	s := r.s
	if !s.changes.IsValid() || !r.held || s.counter != "" {
		return
	}
	l := &lanes{row: r, state: true}
	ir.Walk([]ir.Expr{s.changes}, func(e ir.Expr) {
		if e.Op().IsComparison() && r.varies(e) {
			l.bits = e.Arg(0).Type().Bits()
		} else if _, ok := r.stream(e); ok && e.Type() == ir.Bool && l.bits == 0 {
			l.bits = 8
		}
	})
	if l.bits < 8 || !r.varies(s.changes) || !l.can(s.changes) {
		return
	}
	n := skipped * l.count()
	l.enter(n, func() {
		hits := r.local(v128)
		r.scope(func() { // of values of the state as it is now
			l.done = nil
			for c := skipped - 1; c >= 0; c-- {
				l.behind, l.done = c*l.count(), l.kept(l.done)
				r.get(l.vectorOf(s.changes))
				if c < skipped-1 {
					r.get(hits)
					r.vector(vOr)
				}
				r.with(opSet, hits)
			}
		})
		r.get(hits)
		r.vector(vAnyTrue)
		r.emit(opIf, noResult)
		r.opened++
		r.stop = r.local(i32)
		r.get(r.rest)
		r.number(i32, int64(n))
		r.emit(sub32)
		r.with(opSet, r.stop)
		r.steps(1)
		r.stop = 0
		r.emit(opElse)
		l.pass(n)
		r.opened--
		r.emit(opEnd)
	})
}

// kept are the vectors that are the same for other lanes.
func (l *lanes) kept(done map[ir.Expr]uint32) map[ir.Expr]uint32 {
	out := map[ir.Expr]uint32{}
	for e, v := range done {
		if !l.differs(e) {
			out[e] = v
		}
	}
	return out
}

// changesOf is the condition under which a step changes some component of an element that has not ended; the zero Expr where it may always.
func (s *Stage) changesOf() (changes ir.Expr) {
	values := s.values
	if s.ends != nil {
		values = s.ends.Before(values...)
	}
	for i, v := range values {
		var c ir.Expr
		ok := true
		switch x := v.Pool().X(i, v.Type()); {
		case s.ends != nil && i == s.ends.Component:
			if c = v; !s.ends.Value {
				c = ir.NotOf(c)
			}
		case (v.Op() == ir.Or || v.Op() == ir.And) && v.Arg(0) == x:
			if c = v.Arg(1); v.Op() == ir.And {
				c = ir.NotOf(c)
			}
		case (v.Op() == ir.Min || v.Op() == ir.Max) && v.Type().IsFloat() && v.Arg(0) == x: // of two zeros either may be the result, and NaN is
			y, zero := v.Arg(1), v.Pool().Float(v.Type(), 0)
			kept := ir.Make(map[ir.Op]ir.Op{ir.Min: ir.Ge, ir.Max: ir.Le}[v.Op()], y, x)
			c = ir.OrOf(ir.NotOf(kept), ir.AndOf(ir.EqOf(x, zero), ir.EqOf(y, x)))
			ok = folds.Holds(0, v, x, ir.NotOf(c))
		default:
			c, ok = folds.Change(v, i)
		}
		switch {
		case !ok:
			return ir.Expr{}
		case !c.IsValid() || c == changes:
		case changes.IsValid():
			changes = ir.OrOf(changes, c)
		default:
			changes = c
		}
	}
	for _, w := range s.where {
		if changes.IsValid() {
			changes = ir.AndOf(changes, w)
		}
	}
	return changes
}

// partsOf are the folds that all components are, each on its own; nil where one is none.
func partsOf(where, values []ir.Expr) (parts []folds.Part) {
	for i, v := range values {
		p, ok := folds.Of(v, i)
		if ok && p.Op != ir.Const && len(where) > 0 {
			v, ok = p.Guarded(folds.Conjunction(where), v.Pool().X(i, v.Type()))
			if ok {
				p, ok = folds.Of(v, i)
			}
		}
		if !ok || p.Op == ir.Const {
			return nil
		}
		parts = append(parts, p)
	}
	return parts
}
