package emit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// plainPart is a component x = x ⊕ h of its own, where ⊕ commutes.
type plainPart struct {
	comp int
	op   ir.Op
	h    ir.Expr
	bits bool // of max(x, abs(y)) on f32: the bit patterns are compared as integers
}

// argPart is a least or greatest value and its payload.
type argPart struct {
	comp    int
	op      ir.Op
	stream  int
	first   bool // on ties the earlier element wins
	element bool // of floats: the value is an element, of zeros, too, not their min or max
	payload []payload
}

type payload struct {
	comp int
	expr ir.Expr
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

// argPart takes min(x, y), or of floats select(y < x, y, x), with its selects apart. How floats
// are treated holds where there is no NaN.
func (k *kernel) argPart(i int) (a argPart, ok bool) {
	e := k.values[i]
	x, op := e.Pool().X(i, e.Type()), e.Op()
	var v ir.Expr
	c, element := fold.Chosen(e, i)
	switch {
	case element:
		v, op, a.first = c.Leaf, c.Op(), !c.Last
	case op != ir.Min && op != ir.Max || e.Arg(0) != x:
		return a, false
	default:
		v = e.Arg(1)
	}
	s := k.streamOf(v)
	if s < 0 && v.Op() == ir.Cast && v.Arg(0).Type().IsInt() && v.Arg(0).Type().Bits() < v.Type().Bits() {
		s = k.streamOf(v.Arg(0))
	}
	if s < 0 {
		return a, false
	}
	a.comp, a.op, a.stream, a.element = i, op, s, element
	for j, q := range k.values {
		if j == i || q.States()&(1<<i) == 0 {
			continue
		}
		p, first, ok := payloadOf(q, j, x, v, op)
		if !ok || (element || len(a.payload) > 0) && first != a.first {
			return a, false
		}
		a.first = first
		a.payload = append(a.payload, payload{j, p})
	}
	return a, element || len(a.payload) > 0
}

// payloadOf takes select(c, x_j, p) apart, where c says that x stays.
func payloadOf(q ir.Expr, j int, x, v ir.Expr, op ir.Op) (p ir.Expr, first, ok bool) {
	if q.Op() != ir.Select || !q.Arg(0).Op().IsComparison() {
		return p, false, false
	}
	c, yes, no := q.Arg(0), q.Arg(1), q.Arg(2)
	cmp, l, r := c.Op(), c.Arg(0), c.Arg(1)
	if l == v && r == x {
		l, r = r, l
		cmp = map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le}[cmp]
	}
	if l != x || r != v {
		return p, false, false
	}
	if yes.IsLeaf() { // the condition says that x goes
		yes, no = no, yes
		cmp = map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt}[cmp]
	}
	if yes.Op() != ir.Var || yes.Kind() != ir.State || yes.Index() != j || !no.IsLeaf() {
		return p, false, false
	}
	keep := map[ir.Op][2]ir.Op{ir.Min: {ir.Lt, ir.Le}, ir.Max: {ir.Gt, ir.Ge}}[op]
	return no, cmp == keep[1], cmp == keep[0] || cmp == keep[1]
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
	switch {
	case f.places(k):
		return loopText{vectors: u, body: f.bodyOf(w, k, 1, u)}
	case len(f.args) > 0:
		return loopText{parts: 1, vectors: 2 * u, body: f.bodyOf(w, k, 1, 2*u), one: f.bodyOf(w, k, 1, 1)}
	}
	one := f.bodyOf(w, k, 1, 1)
	vectors := 2 * u
	if slices.ContainsFunc(f.plain, func(p plainPart) bool { return p.op == ir.BitAnd || p.op == ir.BitOr || p.op == ir.BitXor }) {
		vectors = u // as tupleForm has it
	}
	parts := k.parts(vectors)
	return loopText{parts: parts, vectors: vectors, body: f.bodyOf(w, k, parts, vectors), one: one}
}

// bodyOf is the loads and updates of a number of vectors.
func (f *lanesForm) bodyOf(w *vecWriter, k *kernel, parts, vectors int) string {
	var b strings.Builder
	for j := range vectors {
		f.chain(&b, w, k, parts, j)
	}
	return b.String()
}

// loopText is the loop of a kernel over whole vectors.
type loopText struct {
	parts   int    // in which the streams are cut, all of which a step advances in; 1 where they are read from first to last
	vectors int    // that a step takes, from the parts in turn
	body    string // of a step
	one     string // of a step that takes one vector, for what long steps leave; empty where only long steps are taken
}

// parts is in how many parts loops read their streams at once, for so many vectors a step. Processors fetch ahead of each place
// that is read, up to the end of a page: four places at once are a third faster than one where arrays are in memory.
func (k *kernel) parts(vectors int) int {
	parts := 4
	for parts*len(k.streams) > maxPlaces || vectors%parts > 0 {
		parts /= 2
	}
	return max(parts, 1)
}

// maxPlaces is from how many places of memory a loop reads at once.
const maxPlaces = 8

// vectorAt is what vector j of a step is loaded from.
func vectorAt(name string, parts, j int) string {
	if parts > 1 {
		name, j = fmt.Sprintf("%sPart%d", name, j%parts), j/parts
	}
	switch j {
	case 0:
		return name
	case 1:
		return name + "[n:]"
	}
	return fmt.Sprintf("%s[%d*n:]", name, j)
}

// clamp gives the streams of a kernel one length and capacity. The compiler then sees that what is left behind a
// step has elements, and advances a pointer by addition alone, where it otherwise takes five instructions to keep
// the pointer from the end of the array: a fourth of the loop of a sum.
func (k *kernel) clamp(g *generator) {
	for _, s := range k.streams {
		g.file.printf("%[1]s = %[1]s[:len(%[2]s):len(%[2]s)]\n", s.name, k.streams[0].name)
	}
}

// write writes the loop over the streams; part is what their names end in.
func (l loopText) write(g *generator, k *kernel, part string) {
	var names []string
	for _, s := range k.streams {
		names = append(names, s.name+part)
	}
	switch {
	case l.one == "":
		writeLoop(g, names, ">=", l.vectors, l.body)
		return
	case l.parts > 1:
		l.writeParts(g, names)
	default:
		writeLoop(g, names, ">", l.vectors, l.body) // > as clamp says
	}
	writeLoop(g, names, ">=", 1, l.one)
}

// writeParts writes the loop over parts. Each overlaps the next one in an element, as clamp says.
func (l loopText) writeParts(g *generator, names []string) {
	g.file.printf("part := (len(%s) - 1) / (%d*n) * (%d*n)\n", names[0], l.vectors, l.vectors/l.parts)
	var parts []string
	for _, name := range names {
		for i := range l.parts {
			from := []string{"", "[part:]", "[2*part:]", "[3*part:]"}[i]
			parts = append(parts, fmt.Sprintf("%sPart%d", name, i))
			g.file.printf("%sPart%d := %s%s[:part+1 : part+1]\n", name, i, name, from)
		}
	}
	writeLoop(g, parts, ">", l.vectors/l.parts, l.body)
	for _, name := range names {
		g.file.printf("%[1]s = %[1]s[%[2]d*part:]\n", name, l.parts)
	}
}

// writeLoop writes the loop that advances in some slices by so many vectors.
func writeLoop(g *generator, names []string, reach string, vectors int, body string) {
	step := "n"
	if vectors > 1 {
		step = fmt.Sprintf("%d*n", vectors)
	}
	var conds, rests []string
	for _, name := range names {
		conds = append(conds, fmt.Sprintf("len(%s) %s %s", name, reach, step))
		rests = append(rests, fmt.Sprintf("%s[%s:]", name, step))
	}
	g.file.printf("for ; %s; %s = %s {\n%s}\n", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "), body)
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
	return strings.Contains(f.bodyOf(k.vecWriter(f.bits, ""), k, 1, f.vectors()), "place")
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

// searchBlock is how many elements are reduced before their least value is compared; those
// of 8 bits have more lanes, which take longer to combine.
func (f *lanesForm) searchBlock() int { return 2048 * 32 / f.bits }

func (f *lanesForm) blocks(g *generator, k *kernel, loop loopText, step string) {
	lead := k.streams[0].name
	g.file.printf("whole := len(%s) / (%s) * (%s)\n", lead, step, step)
	for _, a := range f.args {
		g.file.printf("at%d := -1\n", a.comp)
	}
	g.file.printf("for start := 0; start < whole; start += %d {\nend := min(start+%d, whole)\n", f.searchBlock(), f.searchBlock())
	for _, s := range k.streams {
		g.file.printf("%sBlock := %s[start:end:end]\n", s.name, s.name)
	}
	for _, a := range f.args {
		t := k.streams[a.stream].call.Type()
		f.accumulators(g, a.comp, fmt.Sprintf("simd.Broadcast%s(%s)", vecTypes[t], (&exprWriter{}).literal(t, identityOf(a.op, t), false)))
	}
	loop.write(g, k, "Block")
	for _, a := range f.args {
		f.storeBlock(g, k, a)
	}
	floats := slices.ContainsFunc(f.args, func(a argPart) bool { return k.types[a.comp].IsFloat() })
	if floats {
		g.restore(k)
	}
	for _, a := range f.args {
		f.combineBlock(g, k, a)
	}
	f.leaveAtNaN(g, k)
	for _, a := range f.args {
		f.compareBlock(g, k, a)
	}
	if floats {
		g.save(k)
	}
	g.file.printf("}\n")
	if !floats && len(f.plain) == 0 {
		g.restore(k)
	}
}

// leaveAtNaN lets the plain kernel do what begins with a block that has NaN.
func (f *lanesForm) leaveAtNaN(g *generator, k *kernel) {
	var nan []string
	for _, a := range f.args {
		if k.types[a.comp].IsFloat() {
			nan = append(nan, fmt.Sprintf("m%[1]d != m%[1]d || x%[1]d != x%[1]d", a.comp))
		}
	}
	if len(nan) > 0 {
		g.file.printf("if %s {\nwhole = start // NaN is left to the plain kernel\nbreak\n}\n", strings.Join(nan, " || "))
	}
}

// storeBlock combines the chains of a block.
func (f *lanesForm) storeBlock(g *generator, k *kernel, a argPart) {
	t := k.streams[a.stream].call.Type()
	first := fmt.Sprintf("s%da", a.comp)
	for _, c := range chainNames[1:f.chains] {
		g.file.printf("%s = %s\n", first, (&vecWriter{}).order(a.op, t, first, fmt.Sprintf("s%d%s", a.comp, c)))
	}
	g.file.printf("%s.Store(lanes%d[:])\n", first, a.comp)
}

// combineBlock finds the least value of a block.
func (f *lanesForm) combineBlock(g *generator, k *kernel, a argPart) {
	lanes, m := fmt.Sprintf("lanes%d", a.comp), fmt.Sprintf("m%d", a.comp)
	g.file.printf("%s := %s[0]\nfor _, y := range %s[1:n] {\n%s = %s(%s, y)\n}\n", m, lanes, lanes, m, a.op, m)
}

// compareBlock compares the least value of a block with the one so far.
func (f *lanesForm) compareBlock(g *generator, k *kernel, a argPart) {
	t, m := k.streams[a.stream].call.Type(), fmt.Sprintf("m%d", a.comp)
	cmp := map[ir.Op]string{ir.Min: "<", ir.Max: ">"}[a.op]
	if !a.first {
		cmp += "="
	}
	value := m
	if t != k.types[a.comp] {
		value = goTypes[k.types[a.comp]] + "(" + m + ")"
	}
	if t.IsFloat() && !a.element {
		g.file.printf("if %[2]s %[3]s x%[1]d {\nat%[1]d = start\n}\nx%[1]d = %[4]s(x%[1]d, %[2]s)\n", a.comp, value, cmp, a.op)
		return
	}
	g.file.printf("if %s %s x%d {\nx%d, at%d = %s, start\n}\n", value, cmp, a.comp, a.comp, a.comp, value)
}

// searchWith finds the place in the block that has the value; w writes the payload.
func (f *lanesForm) searchWith(g *generator, k *kernel, a argPart, w *exprWriter) {
	s := k.streams[a.stream]
	t := s.call.Type()
	name := map[bool]string{true: "index", false: "lastIndex"}[a.first] + title(goTypes[t])
	value := fmt.Sprintf("x%d", a.comp)
	if t != k.types[a.comp] {
		value = goTypes[t] + "(" + value + ")"
	}
	at := fmt.Sprintf("at%d", a.comp)
	g.file.printf("if %s >= 0 {\n%s += %s(%s[%s:min(%s+%d, whole)], %s)\n", at, at, name, s.name, at, at, f.searchBlock(), value)
	w.temp = map[ir.Expr]string{k.streams[0].call: k.streams[0].name + "[" + at + "]"}
	var left, right []string
	if a.element {
		left, right = []string{fmt.Sprintf("x%d", a.comp)}, []string{s.name + "[" + at + "]"}
	}
	for _, p := range a.payload {
		left, right = append(left, fmt.Sprintf("x%d", p.comp)), append(right, w.typed(p.expr))
	}
	g.file.printf("%s = %s\n}\n", strings.Join(left, ", "), strings.Join(right, ", "))
}

type searched struct {
	t     ir.Type
	first bool
}

func (f *lanesForm) searched(k *kernel) (out []searched) {
	for _, a := range f.args {
		if s := (searched{k.streams[a.stream].call.Type(), a.first}); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// searchFunction writes the search for a value that occurs.
func (g *generator) searchFunction(t ir.Type, first bool) {
	name := map[bool]string{true: "index", false: "lastIndex"}[first] + title(goTypes[t])
	if strings.Contains(g.file.b.String(), "func "+name+"(") {
		return
	}
	v := vecTypes[t]
	load := func(part string) string { return fmt.Sprintf("simd.Load%s(%s).Equal(k)", v, part) }
	mask := fmt.Sprintf("%s.Or(%s).Or(%s.Or(%s))", load("part"), load("part[n:]"), load("part[2*n:]"), load("part[3*n:]"))
	signed := fmt.Sprintf("Int%ds", t.Bits())
	bits := ".ToBits()"
	if t.Bits() != 64 {
		bits += ".ReshapeToUint64s()"
	}
	where, part, next, scan := "first", "x[skip:]", "skip += 4 * n", "for x[skip] != value {\nskip++\n}\nreturn skip"
	head, cond := "skip := 0\n", "len(x)-skip >= 4*n"
	if !first {
		where, part, next = "last", "x[len(x)-4*n:]", "x = x[:len(x)-4*n]"
		scan = "i := len(x) - 1\nfor x[i] != value {\ni--\n}\nreturn i"
		head, cond = "", "len(x) >= 4*n"
	}
	g.file.printf(`
// %s is the place of the %s value in x, where it occurs.
func %s(x []%s, value %s) int {
	var words [8]uint64
	k := simd.Broadcast%s(value)
	n := k.Len()
	%sfor %s {
		part := %s
		%s.To%s()%s.Store(words[:])
		if (words[0]|words[1])|(words[2]|words[3])|(words[4]|words[5])|(words[6]|words[7]) != 0 {
			break
		}
		%s
	}
	endVectors()
	%s
}
`, name, where, name, goTypes[t], goTypes[t], v, head, cond, part, mask, signed, bits, next, scan)
}
