package funcs

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/internal/shuffle"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// scanWriter writes a scan in lanes of vectors of 256 bits.
type scanWriter struct {
	*scope.Lines
	r      *Scan
	l      shuffle.Lane
	p      *kernel.Printer
	vector string // the letter of the one that is taken
	use    kernel.Use
}

// Vectors writes the function of a scan on archsimd, and for other machines a call of the plain one.
func (r *Scan) Vectors(g *scope.Scope, u *VectorFile, calls *scope.Lines) {
	if r.Lanes == nil {
		return
	}
	calls.WriteString(r.PlainText())
	g.Used = u.Used
	g.Use("archsimd")
	u.least = true
	w := &scanWriter{Lines: &scope.Lines{}, r: r, l: shuffle.Of(kernel.GoType[r.Lanes.Elem]), use: g.Use}
	w.p = &kernel.Printer{Target: u.t, Leaf: w.leaf, Use: g.Use}
	switch {
	case r.Tree:
		w.tree()
	case r.Composed != nil:
		w.composed()
	case r.Lanes.Elem == ir.F32:
		w.extremeOfFloats()
	case r.Lanes.Kind == forms.PlainScan && w.l.Bits >= 32:
		w.windows()
	case r.Lanes.Kind == forms.PlainScan:
		w.plain()
	default:
		w.steps()
	}
	u.WriteString(w.String())
}

func (w *scanWriter) leaf(v *kernel.Value) string {
	if v.Op == kernel.Load {
		return fmt.Sprintf("y%d%s", v.Imm, w.vector)
	}
	return w.r.Scalars[v.Imm].Name
}

// splat is one element in all lanes.
func (w *scanWriter) splat(element string) string {
	return "archsimd.Broadcast" + w.l.Vec + "(" + element + ")"
}

// kept are float arguments that lie in memory while vectors are in use: see floatsInMemory of package kernel.
func (w *scanWriter) kept(t ir.Type) (names []string) {
	if w.r.Lanes.Elem == t {
		names = append(names, w.r.States()...)
	}
	for _, s := range w.r.Scalars {
		if s.Expr.Type() == t {
			names = append(names, s.Name)
		}
	}
	return names
}

// head writes the function up to its loop, which takes so many vectors in a step.
func (w *scanWriter) head(results string, tree bool, vectors int) {
	r := w.r
	plain, args := r.Name+"Portable", r.passed(r.stateNames(), "")
	if tree {
		plain, args = r.Name+"Tree", r.passed(r.treeState("begun"), "")
	}
	w.F("\n// %sKernel is %s on vectors, whose lanes take those below them.", r.Name, plain)
	w.F("func %sKernel%s %s {", r.Name, r.parameters(tree), results)
	w.F("if !atLeast256 || len(dst) < %d {\nreturn %s%s\n}", 2*max(vectors*w.l.Lanes(), plan.TreeLanes), plain, args)
	w.WriteString(r.clampedStreams())
	for _, s := range r.Streams {
		if w.slice(s) != s.Name {
			w.F("%s := %s(%s)", w.slice(s), w.use("bytesOf"), s.Name)
		}
	}
}

// keep keeps float arguments in memory, and declares what the lanes are stored to in the end.
func (w *scanWriter) keep(ends int) {
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		if names := w.kept(t); len(names) > 0 {
			w.F("kept%d := [...]%s{%s, 0}", t.Bits(), kernel.GoType[t], strings.Join(names, ", "))
		}
	}
	if ends == 1 {
		w.F("var end [%d]%s", w.l.Lanes(), w.l.Elem)
		return
	}
	w.F("var ends [%d][%d]%s", ends, w.l.Lanes(), w.l.Elem)
}

func (w *scanWriter) restore() {
	w.F("endVectors()")
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		if names := w.kept(t); len(names) > 0 {
			w.F("%s = %s", strings.Join(names, ", "), scope.List(len(names), func(i int) string { return fmt.Sprintf("kept%d[%d]", t.Bits(), i) }))
		}
	}
}

// values is what vectors inject, as Go, and the loads that it needs. What is hoisted is known afterwards.
func (w *scanWriter) values(vectors int) (loads string, values [][]string) {
	var b scope.Lines
	for j := range vectors {
		w.vector = letter(j)
		for i, s := range w.r.Streams {
			if !kernel.Uses(w.r.Lanes.Values, kernel.Load, i) {
				continue
			}
			t, as := kernel.LaneType(s.Call.Type()), kernel.LaneType(w.r.Lanes.Streams[i])
			from := w.slice(s)
			if j > 0 {
				from += fmt.Sprintf("[%d:]", j*w.l.Lanes())
			}
			load := w.p.Target.Load(t, from)
			if t != as {
				load = w.p.Target.Extended(t, as, from)
			}
			b.F("y%d%s := %s", i, w.vector, load)
		}
		var texts []string
		for _, v := range w.r.Lanes.Values {
			texts = append(texts, w.p.Text(v))
		}
		values = append(values, texts)
	}
	return b.String(), values
}

// loop writes the head of a loop that takes some vectors in each turn. The loop goes on while dst is longer than a turn takes, and
// each stream longer by ahead. Since something is left after each turn, the compiler advances slices by an addition: see vectorWriter.clamp.
func (w *scanWriter) loop(vectors, ahead int) {
	step := vectors * w.l.Lanes()
	conds, names, rests := []string{fmt.Sprintf("len(dst) > %d", step)}, []string{"dst"}, []string{fmt.Sprintf("dst[%d:]", step)}
	for i, s := range w.r.Streams {
		need := step + ahead
		if t := kernel.LaneType(s.Call.Type()); t != kernel.LaneType(w.r.Lanes.Streams[i]) { // which is read by 16 bytes
			need += 128/t.Bits() - w.l.Lanes()
		}
		conds = append(conds, fmt.Sprintf("len(%s) > %d", w.slice(s), need))
		names, rests = append(names, s.Name), append(rests, fmt.Sprintf("%s[%d:]", s.Name, step))
		if w.slice(s) != s.Name {
			names, rests = append(names, w.slice(s)), append(rests, fmt.Sprintf("%s[%d:]", w.slice(s), step))
		}
	}
	if w.r.First {
		names, rests = append(names, "first"), append(rests, fmt.Sprintf("first+%d", step))
	}
	w.F("for ; %s; %s = %s {", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "))
}

// advance leaves out so many elements before the loop.
func (w *scanWriter) advance(n int) {
	w.F("dst = dst[%d:]", n)
	w.WriteString(w.r.behind(fmt.Sprint(n)))
	for _, s := range w.r.Streams {
		if w.slice(s) != s.Name {
			w.F("%[1]s = %[1]s[%[2]d:]", w.slice(s), n)
		}
	}
}

// slice is what vectors load the elements of a stream from: truth values as bytes.
func (w *scanWriter) slice(s Stream) string {
	if s.Call.Type() == ir.Bool {
		return s.Name + "InBytes"
	}
	return s.Name
}

func (w *scanWriter) hoisted() {
	for _, h := range w.p.Hoisted {
		w.F("%s", h)
	}
}

// table declares what lanes that are narrower than 32 bits are shuffled by.
func (w *scanWriter) table() {
	if w.l.Bits < 32 {
		w.F("last := archsimd.LoadInt8x32Array(&[32]int8{%s})", w.l.Table())
	}
}

// store stores a vector to those of dst from an element on.
func (w *scanWriter) store(v string, at int) {
	to := "dst"
	if at > 0 {
		to = fmt.Sprintf("dst[%d:]", at)
	}
	w.F("%s", w.p.Target.Store(w.r.Lanes.Elem, v, to))
}

// identity is what leaves lanes as they are, in all of them.
func (w *scanWriter) identity() string {
	return w.splat(w.use.GoLiteral(w.r.Lanes.Elem, folds.NeutralValue(w.r.Lanes.Op, w.r.Lanes.Elem), false))
}

// windows writes the scan of an operation of integers of 32 bits or more, by two vectors a turn. A lane combines its element with those before it, as
// many as a vector has, and the state behind them, which the vector of states before has in the same lane: nothing is moved from the last lane to
// all, and of the lanes that move those of the first step are loaded, where elements are injected as they are.
//
//	out[i] = out[i-8] + (in[i-7] + … + in[i])
func (w *scanWriter) windows() {
	op, n, shifts := methodOf[w.r.Lanes.Op], w.l.Lanes(), w.l.Shifts()
	w.head(w.l.Elem, false, 2)
	firstLoad, first := w.values(1)
	loads, values := w.values(2)
	w.keep(1)
	w.hoisted()
	w.F("id := %s", w.identity())
	w.WriteString(firstLoad)
	w.F("u := %s", first[0][0])
	behind := func(at int) string {
		return w.p.Target.Load(w.r.Lanes.Elem, fmt.Sprintf("%s[%d:]", w.r.Streams[0].Name, at))
	}
	loaded, ahead := w.bare(), 0
	if loaded { // dst may be what is read, so that it is loaded before anything is stored
		w.F("back := %s", behind(n-1))
		ahead = n
	}
	w.F("%sPortable%s\nout := %s", w.r.Name, w.r.passed("x0", fmt.Sprintf("[:%d]", n)), w.p.Target.Load(w.r.Lanes.Elem, "dst"))
	for i, d := range shifts {
		w.F("u%d := %s.%s(%s)", d, level("u", shifts, i), op, w.l.From("id", level("u", shifts, i), d))
	}
	w.advance(n)
	w.loop(2, ahead)
	w.WriteString(loads)
	w.F("v, w := %s, %s", values[0][0], values[1][0])
	for i, d := range append(shifts, n/2) {
		u, v, x := level("u", shifts, i), level("v", shifts, i), level("w", shifts, i)
		if i == 0 && loaded {
			w.F("v%d, w%d := v.%s(back), w.%s(%s)\nback = %s", d, d, op, op, behind(n-1), behind(2*n-1))
			continue
		}
		w.F("v%d, w%d := %s.%s(%s), %s.%s(%s)", d, d, v, op, w.l.From(u, v, d), x, op, w.l.From(v, x, d))
	}
	w.F("out = out.%s(v%d)", op, n/2)
	w.store("out", 0)
	w.F("out = out.%s(w%d)", op, n/2)
	w.store("out", n)
	for i := range len(shifts) + 1 {
		if i > 0 || !loaded {
			w.F("%s = %s", level("u", shifts, i), level("w", shifts, i))
		}
	}
	w.F("}\nout.StoreArray(&end)")
	w.restore()
	w.F("return %sPortable%s\n}", w.r.Name, w.r.passed(fmt.Sprintf("end[%d]", n-1), ""))
}

// level names a vector behind so many steps.
func level(name string, shifts []int, steps int) string {
	if steps == 0 {
		return name
	}
	return fmt.Sprintf("%s%d", name, shifts[steps-1])
}

// bare reports whether lanes inject elements of the one stream as they are.
func (w *scanWriter) bare() bool {
	v := w.r.Lanes.Values[0]
	return v.Op == kernel.Load && len(w.r.Streams) == 1 && kernel.LaneType(w.r.Streams[0].Call.Type()) == kernel.LaneType(w.r.Lanes.Streams[0]) && w.r.Lanes.Streams[0] == w.r.Lanes.Elem
}

// plain writes the scan of an operation of narrow integers, by two vectors a turn.
func (w *scanWriter) plain() {
	op := methodOf[w.r.Lanes.Op]
	w.head(w.l.Elem, false, 2)
	loads, values := w.values(2)
	w.keep(1)
	w.hoisted()
	w.F("id, carry := %s, %s", w.identity(), w.splat("x0"))
	w.F("low := %s", w.l.Bytes("id"))
	w.table()
	w.loop(2, 0)
	w.WriteString(loads)
	w.F("v, w := %s, %s", values[0][0], values[1][0])
	w.WriteString(w.l.Combine(op, "v") + w.l.Combine(op, "w"))
	w.F("s, t := %s, %s", w.l.Total("v"), w.l.Total("w"))
	w.store(fmt.Sprintf("v.%s(carry)", op), 0)
	w.F("carry = carry.%s(s)", op)
	w.store(fmt.Sprintf("w.%s(carry)", op), w.l.Lanes())
	w.F("carry = carry.%s(t)\n}\ncarry.StoreArray(&end)", op)
	w.restore()
	w.F("return %sPortable%s\n}", w.r.Name, w.r.passed("end[0]", ""))
}

// methodOf names the methods of vectors.
var methodOf = map[ir.Op]string{ir.Add: "Add", ir.Mul: "Mul", ir.Min: "Min", ir.Max: "Max", ir.BitAnd: "And", ir.BitOr: "Or", ir.BitXor: "Xor"}

// uniform reports whether the factor of steps is the same at all elements, so that its powers are.
func (w *scanWriter) uniform() bool { return w.r.Lanes.Values[0].Op == kernel.Broadcast }

// steps writes the scan of steps x ↦ x·a + b of integers, or x&a + b. Powers of a factor that does not change are computed before the loop.
func (w *scanWriter) steps() {
	op, one := "Mul", "1"
	if w.r.Lanes.Kind == forms.StopScan {
		op, one = "And", w.use.GoLiteral(w.r.Lanes.Elem, w.r.Lanes.Elem.Wrap(^uint64(0)), false)
	}
	w.head(w.l.Elem, false, 1)
	loads, values := w.values(1)
	w.keep(1)
	w.hoisted()
	w.F("zero, one, carry := %s, %s, %s", w.splat("0"), w.splat(one), w.splat("x0"))
	w.F("low, ones := %s, %s", w.l.Bytes("zero"), w.l.Bytes("one"))
	w.table()
	across := func(v, id string) string { return id + ".ConcatPermute128Scalars(0, 2, " + w.l.Last(v) + ")" }
	var before, inside scope.Lines
	factors := &inside
	if w.uniform() {
		factors = &before
	}
	factors.F("p := %s", values[0][0])
	inside.F("q := %s", values[0][1])
	power := func(name string) string { // of the factor, as the next step of the tree takes it
		if w.uniform() {
			before.F("%s := p", name)
			return name
		}
		return "p"
	}
	for _, d := range w.l.Shifts() {
		inside.F("q = %s.%s(%s).Add(q)", w.l.Up("q", "low", d), op, power(fmt.Sprintf("by%d", d)))
		factors.F("p = p.%s(%s)", op, w.l.Up("p", "ones", d))
	}
	inside.F("q = %s.%s(%s).Add(q)", across("q", "zero"), op, power(fmt.Sprintf("by%d", w.l.Lanes()/2)))
	factors.F("p = p.%s(%s)", op, across("p", "one"))
	factors.F("s := %s", w.l.Total("p"))
	inside.F("t := %s", w.l.Total("q"))
	w.WriteString(before.String())
	w.loop(1, 0)
	w.WriteString(loads + inside.String())
	w.store(fmt.Sprintf("carry.%s(p).Add(q)", op), 0)
	w.F("carry = carry.%s(s).Add(t)\n}\ncarry.StoreArray(&end)", op)
	w.restore()
	w.F("return %sPortable%s\n}", w.r.Name, w.r.passed("end[0]", ""))
}

// extremeOfFloats writes the scan of an extremum of float32 by integers of the same order, in which −0 is below +0. NaN has no place in it: the
// rest, from the vectors on that have one, is the plain loop's.
func (w *scanWriter) extremeOfFloats() {
	op, identity := methodOf[w.r.Lanes.Op], ir.I32.Max()
	if w.r.Lanes.Op == ir.Max {
		identity = ir.I32.Min()
	}
	k := shuffle.Of("int32")
	back := func(v string) string {
		return v + ".Xor(" + v + ".ShiftAllRight(31).And(sign)).ToBits().BitsToFloat32()"
	}
	w.head(w.l.Elem, false, 2)
	w.F("if x0 != x0 {\nreturn %sPortable%s\n}", w.r.Name, w.r.passed("x0", ""))
	loads, values := w.values(2)
	w.F("from := int32(%s.Float32bits(x0))", w.use("math"))
	w.keep(1)
	w.hoisted()
	w.F("sign := archsimd.BroadcastInt32x8(1<<31 - 1)")
	w.F("id, carry := archsimd.BroadcastInt32x8(%s), archsimd.BroadcastInt32x8(from ^ from>>31&(1<<31-1))", w.use.GoLiteral(ir.I32, identity, false))
	w.F("low := %s", k.Bytes("id"))
	w.loop(2, 0)
	w.WriteString(loads)
	w.F("f, g := %s, %s", values[0][0], values[1][0])
	w.F("if f.Equal(f).And(g.Equal(g)).ToBits() != 1<<8-1 {\nbreak\n}")
	w.F("v, w := f.ToBits().BitsToInt32(), g.ToBits().BitsToInt32()\nv, w = v.Xor(v.ShiftAllRight(31).And(sign)), w.Xor(w.ShiftAllRight(31).And(sign))")
	w.WriteString(k.Combine(op, "v") + k.Combine(op, "w"))
	w.F("s, t := %s, %s", k.Total("v"), k.Total("w"))
	w.F("v = v.%[1]s(carry)\ncarry = carry.%[1]s(s)\nw = w.%[1]s(carry)\ncarry = carry.%[1]s(t)", op)
	w.store(back("v"), 0)
	w.store(back("w"), 8)
	w.F("}\n%s.StoreArray(&end)", back("carry"))
	w.restore()
	w.F("return %sPortable%s\n}", w.r.Name, w.r.passed("end[0]", ""))
}
