package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
)

// argPart is a least or greatest value and its payload. It is searched block by block:
//
//	the least value of each block, without places   →   the block that has it   →   its place in that block
//
// Of equal values the earlier element wins where first is set, else the later one.
type argPart struct {
	comp    int
	op      ir.Op
	stream  int
	first   bool
	element bool // of floats: the value is an element, of zeros, too, not their min or max
	payload []payload
}

// payload is a component that belongs to the value: that of the same element.
type payload struct {
	comp int
	expr ir.Expr
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

// searchBlock is how many elements are reduced before their least value is compared; those
// of 8 bits have more lanes, which take longer to combine.
func (f *lanesForm) searchBlock() int { return 2048 * 32 / f.bits }

// blocks writes the loop over blocks.
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

// searched is a type of elements, and from which end they are searched.
type searched struct {
	t     ir.Type
	first bool
}

// searched lists the searches of the form, each once.
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
