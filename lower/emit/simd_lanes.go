package emit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// plainPart is a component x = x ⊕ h of its own, where ⊕ commutes.
type plainPart struct {
	comp int
	op   ir.Op
	h    ir.Expr
	bits bool // of max(x, abs(y)) on f32: the bit patterns are compared as integers
}

// lanesForm runs components that do not depend on one another.
//
//	{x0 + in(r), max(x1, in(r))}   →   s = s.Add(v); m = m.Max(v) on whole vectors v
//
// Each lane has partial results of its own. Values that carry an index go block by block: the least value of a
// block is found without the index, and the block that has the least is searched at the end.
type lanesForm struct {
	plain  []plainPart
	args   []argPart
	bits   int
	chains int
	rounds int // how many vectors a chain takes in one step of the loop
}

// vectors is how many vectors a step of the loop takes.
func (f *lanesForm) vectors() int { return f.chains * f.rounds }

func independent(planned *plan.Plan, k *kernel) vectorForm {
	f := &lanesForm{bits: k.streams[0].call.Type().Bits()}
	for _, s := range k.streams {
		if s.call.Type().Bits() != f.bits || vecTypes[s.call.Type()] == "" {
			return nil
		}
	}
	inGroup := map[int]bool{}
	for i := range k.values {
		if a, ok := k.argPart(i); ok {
			f.args = append(f.args, a)
			inGroup[i] = true
			for _, p := range a.payload {
				inGroup[p.comp] = true
			}
		}
	}
	for i := range k.values {
		if inGroup[i] {
			continue
		}
		p, ok := k.plainPart(planned, i)
		if !ok || k.types[i].Bits() != f.bits {
			return nil
		}
		f.plain = append(f.plain, p)
	}
	if len(f.plain) > 0 && slices.ContainsFunc(f.args, func(a argPart) bool { return k.types[a.comp].IsFloat() }) {
		return nil // a block with NaN would be added twice
	}
	switch n := len(f.plain) + len(f.args); {
	case n == 1:
		f.chains, f.rounds = 4, 1
	case n <= 4:
		f.chains, f.rounds = 2, 1
	default: // more chains would not stay in 16 registers
		f.chains, f.rounds = 1, 2
	}
	w := f.writer(k, "a")
	for _, p := range f.plain {
		if f.update(w, k, p, "x"); w.failed {
			return nil
		}
	}
	return f
}

// writer writes the expressions of the kernel for one chain, and coordinates of elements, which the blocks of
// searches do not count.
func (f *lanesForm) writer(k *kernel, chain string) *vecWriter {
	w := k.vecWriter(f.bits, chain)
	inner := w.leaf
	w.leaf = func(e ir.Expr) string {
		if e == k.loop.Var && f.bits == 32 && len(f.args) == 0 {
			return "place" + chain
		}
		return inner(e)
	}
	return w
}

// plainPart takes x = x ⊕ h apart.
func (k *kernel) plainPart(planned *plan.Plan, i int) (p plainPart, ok bool) {
	e, t := k.values[i], k.types[i]
	if e.NumArgs() != 2 || e.Op() == ir.Call || e.States() != 1<<i {
		return p, false
	}
	x, h := e.Arg(0), e.Arg(1)
	if e.Op().Commutes() && x.States() == 0 {
		x, h = h, x
	}
	if x.Op() != ir.Var || x.Kind() != ir.State || !h.IsLeaf() {
		return p, false
	}
	p = plainPart{comp: i, op: e.Op(), h: h}
	switch p.op {
	case ir.Add, ir.Sub, ir.Mul:
		if t.IsFloat() && !regroups(planned, k) {
			return p, false
		}
	case ir.Max:
		p.bits = t == ir.F32 && h.Op() == ir.Abs
	case ir.Min, ir.BitAnd, ir.BitOr, ir.BitXor:
	default:
		return p, false
	}
	return p, true
}

// regroups reports whether the stage's operator was found under the assumption that float
// arithmetic may be regrouped.
func regroups(p *plan.Plan, k *kernel) bool {
	a := p.Answers[k.nest.From]
	return a != nil && k.factored() && a.Assumes.Has(ir.Reassoc)
}

// vecWriter writes the expressions of the kernel for one chain; the vectors of streams are
// called by the stream and the chain.
func (k *kernel) vecWriter(bits int, chain string) *vecWriter {
	return &vecWriter{bits: bits,
		leaf: func(e ir.Expr) string {
			if s := k.streamOf(e); s >= 0 && laneBits(e.Type()) == bits {
				return fmt.Sprintf("y%d%s", s, chain)
			}
			return ""
		},
		scalar: func(e ir.Expr) string {
			for _, s := range k.scalars {
				if s.expr == e {
					return s.name
				}
			}
			return ""
		}}
}

// update is the text of x ⊕ h on vectors.
func (f *lanesForm) update(w *vecWriter, k *kernel, p plainPart, x string) string {
	t := k.types[p.comp]
	if p.bits {
		without := w.spread(ir.U32, "1<<31 - 1")
		return fmt.Sprintf("%s.Max(%s.ToBits().And(%s).BitsToInt32())", x, w.vec(p.h.Arg(0)), without)
	}
	pool := p.h.Pool()
	state := pool.X(p.comp, t)
	inner := w.leaf
	w.leaf = func(e ir.Expr) string {
		if e == state {
			return x
		}
		return inner(e)
	}
	defer func() { w.leaf = inner }()
	return w.vec(ir.Make(p.op, state, p.h))
}

// identityOf is where lanes start.
func identityOf(op ir.Op, t ir.Type) uint64 {
	switch {
	case op == ir.Mul && t.IsFloat():
		return ir.FloatBits(t, 1)
	case op == ir.Mul:
		return 1
	case op == ir.Min:
		return t.Max()
	case op == ir.Max:
		return t.Min()
	case op == ir.BitAnd:
		return t.Wrap(^uint64(0))
	case op == ir.Add && t.IsFloat():
		return ir.FloatBits(t, math.Copysign(0, -1))
	}
	return 0
}

var chainNames = []string{"a", "b", "c", "d", "e", "f", "g", "h"}

func (f *lanesForm) write(g *generator, k *kernel) {
	u := f.vectors()
	lead := k.streams[0].name
	step := fmt.Sprintf("%d*n", u)
	note := "lanes hold partial results of their own, which are combined at the end"
	if len(f.args) > 0 {
		note = "blocks are searched for the value alone, and the one that has it for its place"
	}
	g.file.printf("\n// %sKernel is %sPortable on vectors: %s.\n", k.name, k.name, note)
	g.file.printf("func %sKernel%s {\n", k.name, k.params())
	g.file.printf("var v simd.%s\nn := v.Len()\n", vecTypes[k.streams[0].call.Type()])
	g.file.printf("if simd.Emulated() || len(%s) < %s {\nreturn %sPortable%s\n}\n", lead, step, k.name, k.arguments(k.states(), "", ""))
	k.clamp(g)
	// The loops are written first, so that what they hoist is known.
	w := k.vecWriter(f.bits, "")
	loop := f.loopOf(w, k)
	firstPlus := ""
	if k.first && len(f.args) == 0 {
		g.file.printf("count := len(%s)\n", lead)
		firstPlus = fmt.Sprintf(" + count - len(%s)", lead)
	}
	if f.places(k) {
		g.file.printf("var ramp [16]int32\nfor i := range ramp {\nramp[i] = int32(first + i)\n}\n")
	}
	g.keep(k, f.components())
	if f.places(k) {
		g.file.printf("ahead := simd.BroadcastInt32s(int32(n))\nplacea := simd.LoadInt32s(ramp[:])\n")
		for j, c := range chainNames[1:u] {
			g.file.printf("place%s := place%s.Add(ahead)\n", c, chainNames[j])
		}
		g.file.printf("ahead = simd.BroadcastInt32s(%d * int32(n))\n", u)
	}
	for _, h := range w.hoisted {
		g.file.printf("%s\n", h)
	}
	for _, p := range f.plain {
		f.startPlain(g, k, p)
	}
	if len(f.args) == 0 {
		loop.write(g, k, "")
	} else {
		f.blocks(g, k, loop, step)
	}
	f.finish(g, k)
	if len(f.args) == 0 {
		g.file.printf("return %sPortable%s\n}\n", k.name, k.arguments(k.states(), "", firstPlus))
		return
	}
	for _, a := range f.args {
		f.searchWith(g, k, a, k.writer(g, fmt.Sprintf("at%d", a.comp)))
	}
	g.file.printf("return %sPortable%s\n}\n", k.name, k.arguments(k.states(), "[whole:]", " + whole"))
	for _, t := range f.searched(k) {
		g.searchFunction(t.t, t.first)
	}
}

// loopOf is the loop of a kernel. Coordinates, and places in blocks, advance from one element to the next.
func (f *lanesForm) loopOf(w *vecWriter, k *kernel) loopText {
	u := f.vectors()
	chain := func(b *strings.Builder, parts, j int) { f.chain(b, w, k, parts, j) }
	switch {
	case f.places(k):
		return loopText{vectors: u, body: bodyOf(1, u, chain)}
	case len(f.args) > 0:
		return loopText{parts: 1, vectors: 2 * u, body: bodyOf(1, 2*u, chain), one: bodyOf(1, 1, chain)}
	}
	bitwise := func(string) bool {
		return slices.ContainsFunc(f.plain, func(p plainPart) bool { return p.op == ir.BitAnd || p.op == ir.BitOr || p.op == ir.BitXor })
	}
	return k.partsLoop(u, bitwise, chain)
}

// part is what the names of streams end in inside the loop.
func (f *lanesForm) part() string {
	if len(f.args) > 0 {
		return "Block"
	}
	return ""
}

// chain writes the loads and updates of vector j of a step.
func (f *lanesForm) chain(b *strings.Builder, w *vecWriter, k *kernel, parts, j int) {
	c, chain := chainNames[j], chainNames[j%f.chains]
	w.leaf = f.writer(k, c).leaf
	var body strings.Builder
	for _, p := range f.plain {
		x := fmt.Sprintf("s%d%s", p.comp, chain)
		fmt.Fprintf(&body, "%s = %s\n", x, f.update(w, k, p, x))
	}
	for _, a := range f.args {
		x := fmt.Sprintf("s%d%s", a.comp, chain)
		y := fmt.Sprintf("y%d%s", a.stream, c)
		fmt.Fprintf(&body, "%s = %s\n", x, w.order(a.op, k.streams[a.stream].call.Type(), x, y))
	}
	for i, s := range k.streams {
		y := fmt.Sprintf("y%d%s", i, c)
		if strings.Contains(body.String(), y) { // what belongs to a best element is read behind the loop
			fmt.Fprintf(b, "%s := simd.Load%s(%s)\n", y, vecTypes[s.call.Type()], vectorAt(s.name+f.part(), parts, j))
		}
	}
	b.WriteString(body.String())
	if strings.Contains(body.String(), "place"+c) {
		fmt.Fprintf(b, "place%[1]s = place%[1]s.Add(ahead)\n", c)
	}
}

// places reports whether the kernel looks at coordinates: those of the elements of a vector are one, too.
func (f *lanesForm) places(k *kernel) bool {
	w := k.vecWriter(f.bits, "")
	return strings.Contains(bodyOf(1, f.vectors(), func(b *strings.Builder, parts, j int) { f.chain(b, w, k, parts, j) }), "place")
}

// accumulators declares one vector for each chain.
func (f *lanesForm) accumulators(g *generator, comp int, start string) {
	var rest []string
	first := fmt.Sprintf("s%da", comp)
	for _, c := range chainNames[1:f.chains] {
		rest = append(rest, fmt.Sprintf("s%d%s", comp, c))
	}
	g.file.printf("%s := %s\n", first, start)
	if len(rest) > 0 {
		g.file.printf("%s := %s\n", strings.Join(rest, ", "), strings.Join(slices.Repeat([]string{first}, len(rest)), ", "))
	}
}

func (f *lanesForm) startPlain(g *generator, k *kernel, p plainPart) {
	t := k.types[p.comp]
	if p.bits { // |y| is at least 0
		g.file.printf("// Without the sign, bit patterns are ordered as the numbers are, and NaN lies above infinity.\n")
		f.accumulators(g, p.comp, fmt.Sprintf("simd.BroadcastInt%ds(0)", t.Bits()))
		return
	}
	f.accumulators(g, p.comp, fmt.Sprintf("simd.Broadcast%s(%s)", vecTypes[t], (&exprWriter{}).literal(t, identityOf(p.op, t), false)))
}

// components lists those that have lanes.
func (f *lanesForm) components() (out []int) {
	for _, p := range f.plain {
		out = append(out, p.comp)
	}
	for _, a := range f.args {
		out = append(out, a.comp)
	}
	return out
}

// finish combines what the chains and then what the lanes of components hold.
func (f *lanesForm) finish(g *generator, k *kernel) {
	for _, p := range f.plain {
		f.storePlain(g, k, p)
	}
	if len(f.plain) > 0 {
		g.restore(k)
	}
	for _, p := range f.plain {
		f.finishPlain(g, k, p)
	}
}

// storePlain combines chains.
func (f *lanesForm) storePlain(g *generator, k *kernel, p plainPart) {
	t, op := k.types[p.comp], p.op
	if op == ir.Sub {
		op = ir.Add // lanes hold 0 − h − …
	}
	first := fmt.Sprintf("s%da", p.comp)
	for _, c := range chainNames[1:f.chains] {
		other := fmt.Sprintf("s%d%s", p.comp, c)
		text := fmt.Sprintf("%s.%s(%s)", first, vecOps[op], other)
		if (op == ir.Min || op == ir.Max) && !p.bits {
			text = (&vecWriter{}).order(op, t, first, other)
		}
		g.file.printf("%s = %s\n", first, text)
	}
	if p.bits {
		first += fmt.Sprintf(".ToBits().BitsToFloat%d()", t.Bits())
	}
	g.file.printf("%s.Store(lanes%d[:])\n", first, p.comp)
}

// finishPlain combines lanes.
func (f *lanesForm) finishPlain(g *generator, k *kernel, p plainPart) {
	t, op := k.types[p.comp], p.op
	if op == ir.Sub {
		op = ir.Add
	}
	g.file.printf("for _, y := range lanes%d[:n] {\n", p.comp)
	pool := p.h.Pool()
	x, y := pool.X(p.comp, t), pool.Y(0, t)
	w := &exprWriter{leaf: func(e ir.Expr) string {
		if e == y {
			return "y"
		}
		return fmt.Sprintf("x%d", e.Index())
	}}
	if v := ir.Make(op, x, y); !g.shortAssign(w, v, fmt.Sprintf("x%d", p.comp)) {
		g.file.printf("x%d = %s\n", p.comp, w.goExpr(v))
	}
	g.file.printf("}\n")
}
