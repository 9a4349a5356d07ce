package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// tupleForm runs components that depend on one another, of an operator that commutes. Each lane
// has a tuple of its own, which starts as the identity.
//
//	{x0*y0 - x1*y1, x0*y1 + x1*y0}   →   re = re.Mul(a).Sub(im.Mul(b)), … on whole vectors
type tupleForm struct {
	bits   int
	chains int
	start  []ir.Expr
}

func coupled(p *plan.Plan, k *kernel) vectorForm {
	answer := p.Answers[k.nest.From]
	if answer == nil || !k.factored() || k.nest.Buffer.Seen || !answer.Operator.Commutative || k.first || len(k.nest.Operator) != len(k.types) {
		return nil
	}
	f := &tupleForm{bits: k.types[0].Bits(), chains: 3, start: identityValues(p, k.nest)}
	if len(k.types) > 2 {
		f.chains = 2
	}
	if len(k.types) > 4 {
		f.chains = 1
	}
	for i, t := range k.types {
		if t.Bits() != f.bits || t == ir.Bool || f.start == nil || !f.start[i].IsClosed() {
			return nil
		}
	}
	for _, s := range k.streams {
		if s.call.Type().Bits() != f.bits || s.call.Type() == ir.Bool {
			return nil
		}
	}
	w := f.writer(k, "a", k.streamVector("a"))
	for _, v := range k.values {
		w.vec(v)
	}
	for _, v := range k.nest.Operator {
		f.writer(k, "a", f.right("b")).vec(v)
	}
	if w.failed {
		return nil
	}
	return f
}

// identityValues lists the values with which lanes of a kernel start: the first values of the
// element that it updates or, where that is an output, of those that hold partial results.
func identityValues(p *plan.Plan, n *nest) []ir.Expr {
	if !n.Buffer.Output {
		return firstValues(p, n.Buffer)
	}
	for _, s := range p.Stages {
		if s.Role == plan.First && s.From == n.From && slices.Equal(s.Buffer.Types, n.Buffer.Types) {
			return s.Values
		}
	}
	return nil
}

// firstValues lists the values with which elements of a buffer start.
func firstValues(p *plan.Plan, b *plan.Buffer) []ir.Expr {
	for _, s := range p.Stages {
		if s.Role == plan.First && s.Buffer == b {
			return s.Values
		}
	}
	return nil
}

func (k *kernel) streamVector(chain string) func(ir.Expr) string {
	return k.vecWriter(0, chain).stream(k, chain)
}

// stream is the vector of a read.
func (w *vecWriter) stream(k *kernel, chain string) func(ir.Expr) string {
	return func(e ir.Expr) string {
		if s := k.streamOf(e); s >= 0 {
			return fmt.Sprintf("y%d%s", s, chain)
		}
		return ""
	}
}

// right calls the right operand of the operator by a chain.
func (f *tupleForm) right(chain string) func(ir.Expr) string {
	return func(e ir.Expr) string {
		if e.Op() == ir.Var && e.Kind() == ir.Leaf {
			return fmt.Sprintf("s%d%s", e.Index(), chain)
		}
		return ""
	}
}

// writer writes expressions over the state of a chain and over what other finds.
func (f *tupleForm) writer(k *kernel, chain string, other func(ir.Expr) string) *vecWriter {
	w := k.vecWriter(f.bits, chain)
	w.leaf = func(e ir.Expr) string {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return fmt.Sprintf("s%d%s", e.Index(), chain)
		}
		return other(e)
	}
	return w
}

func (f *tupleForm) tuple(chain string) string {
	var l []string
	for i := range f.start {
		l = append(l, fmt.Sprintf("s%d%s", i, chain))
	}
	return strings.Join(l, ", ")
}

func (f *tupleForm) write(g *generator, k *kernel) {
	lead := k.streams[0].name
	step := fmt.Sprintf("%d*n", f.chains)
	if f.chains == 1 {
		step = "n"
	}
	g.file.printf("\n// %sKernel is %sPortable on vectors: lanes hold tuples of their own, which are combined at\n// the end, since the operator commutes.\n", k.name, k.name)
	g.file.printf("func %sKernel%s {\nvar v simd.%s\nn := v.Len()\n", k.name, k.params(), vecTypes[k.types[0]])
	g.file.printf("if simd.Emulated() || len(%s) < %s {\nreturn %sPortable%s\n}\n", lead, step, k.name, k.arguments(k.states(), "", ""))
	k.clamp(g)
	w := f.writer(k, "a", k.streamVector("a"))
	loop := f.loopOf(w, k)
	lanes := []int{}
	for i := range k.types {
		lanes = append(lanes, i)
	}
	g.keep(k, lanes)
	for _, h := range w.hoisted {
		g.file.printf("%s\n", h)
	}
	for i, e := range f.start {
		start := fmt.Sprintf("simd.Broadcast%s(%s)", vecTypes[e.Type()], (&exprWriter{}).goExpr(e))
		(&lanesForm{chains: f.chains}).accumulators(g, i, start)
	}
	loop.write(g, k, "")
	f.finish(g, k)
	g.file.printf("return %sPortable%s\n}\n", k.name, k.arguments(k.states(), "", ""))
}

// loopOf is the loop of a kernel.
func (f *tupleForm) loopOf(w *vecWriter, k *kernel) loopText {
	chain := func(b *strings.Builder, parts, j int) { f.chain(b, w, k, parts, j) }
	bitwise := func(one string) bool {
		return slices.ContainsFunc([]string{".And(", ".Or(", ".Xor("}, func(op string) bool { return strings.Contains(one, op) })
	}
	return k.partsLoop(f.chains, bitwise, chain)
}

// chain writes the loads and the update of vector j of a step.
func (f *tupleForm) chain(b *strings.Builder, w *vecWriter, k *kernel, parts, j int) {
	c, chain := chainNames[j], chainNames[j%f.chains]
	w.leaf = f.writer(k, chain, k.streamVector(c)).leaf
	var texts []string
	for _, v := range k.values {
		texts = append(texts, w.vec(v))
	}
	body := strings.Join(texts, ", ")
	for i, s := range k.streams {
		y := fmt.Sprintf("y%d%s", i, c)
		if strings.Contains(body, y) { // an operand that the operator does not look at is not loaded
			fmt.Fprintf(b, "%s := simd.Load%s(%s)\n", y, vecTypes[s.call.Type()], vectorAt(s.name, parts, j))
		}
	}
	fmt.Fprintf(b, "%s = %s\n", f.tuple(chain), body)
}

// finish combines chains, then lanes, by the operator.
func (f *tupleForm) finish(g *generator, k *kernel) {
	for _, c := range chainNames[1:f.chains] {
		w := f.writer(k, "a", f.right(c))
		var texts []string
		for _, v := range k.nest.Operator {
			texts = append(texts, w.vec(v))
		}
		g.file.printf("%s = %s\n", f.tuple("a"), strings.Join(texts, ", "))
	}
	for i := range k.types {
		g.file.printf("s%da.Store(lanes%d[:])\n", i, i)
	}
	g.restore(k)
	w := &exprWriter{leaf: func(e ir.Expr) string {
		if e.Op() == ir.Var && e.Kind() == ir.Leaf {
			return fmt.Sprintf("lanes%d[i]", e.Index())
		}
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return fmt.Sprintf("x%d", e.Index())
		}
		if i := slices.IndexFunc(k.scalars, func(s scalar) bool { return s.expr == e }); i >= 0 {
			return k.scalars[i].name
		}
		g.failf("emit: internal: %s is no argument of the kernel", e)
		return "0"
	}}
	var texts []string
	for _, v := range k.nest.Operator {
		texts = append(texts, w.goExpr(v))
	}
	g.file.printf("for i := range n {\n%s = %s\n}\n", strings.Join(k.states(), ", "), strings.Join(texts, ", "))
}
