package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// scatter is a kernel that updates elements of a row of a buffer, which data select.
//
//	hist(in(r)) = hist(in(r)) + 1   →   four tables by turns, added at the end; one where data are few
//
// Equal neighbours are frequent, and an element that was written a moment ago is read again only
// after the write has been forwarded: four tables keep writes apart.
type scatter struct {
	name  string
	nest  *nest
	loop  plan.Loop
	read  access.Access
	lo    int64 // the first coordinate of the row
	width int64
	index ir.Expr // that data select
	add   ir.Expr // what is added there
	op    ir.Op
	rows  bool // several runs go to the same row
}

// maxTable is the greatest size of a row for the four tables to stay in the nearest cache.
const maxTable = 1 << 12

// scatterAt is the scatter kernel of the two innermost loops at depth d: runs of an array
// one after another, which all go to one row.
func (g *generator) scatterAt(n *nest, d int) *scatter {
	if g.serial || n.Role == plan.First || len(n.where) > 0 || len(n.values) != 1 || len(n.index) == 0 || d != len(n.loops)-1 || d < 0 || g.faulty(n) {
		return nil
	}
	loop := n.loops[d]
	b := n.Buffer
	if loop.Pure || !readsArray(n.index[0]) || mentionsAny(n.index[1:], loop.Var) || b.Dims[0].Extent.Op() != ir.Const || b.Dims[0].Min.Op() != ir.Const {
		return nil
	}
	s := &scatter{nest: n, loop: loop, lo: b.Dims[0].Min.Int(), width: b.Dims[0].Extent.Int(), index: n.index[0]}
	if s.width > maxTable || !s.takeApart(b) {
		return nil
	}
	reads := n.reads()
	if len(reads) != 1 || reads[0].Contiguous() != d {
		return nil
	}
	s.read = reads[0]
	rest := ir.Subst(s.index, []ir.Expr{s.read.Call}, []ir.Expr{s.index.Pool().Const(s.read.Call.Type(), 0)})
	if len(ir.Vars(rest)) > 0 || rest.HasCall() {
		return nil
	}
	return s
}

// takeApart finds x ⊕ literal, where zero is the identity of ⊕, which commutes.
func (s *scatter) takeApart(b *plan.Buffer) bool {
	v := s.nest.values[0]
	if v.NumArgs() != 2 || v.Op() == ir.Call || v.Arg(0).Op() != ir.Var || v.Arg(1).Op() != ir.Const || !b.Types[0].IsInt() {
		return false
	}
	s.op, s.add = v.Op(), v.Arg(1)
	return s.op == ir.Add || s.op == ir.BitXor || s.op == ir.BitOr
}

// unclamped drops min and max that the range of their operand makes idle.
func unclamped(e ir.Expr) ir.Expr {
	if e.Op() == ir.Min || e.Op() == ir.Max {
		a, k := unclamped(e.Arg(0)), e.Arg(1)
		lo, hi := valueRange(a)
		if k.Op() == ir.Const && (e.Op() == ir.Min && hi <= k.Int() || e.Op() == ir.Max && lo >= k.Int()) {
			return a
		}
	}
	return e
}

// scatterRows is the scatter kernel of the two innermost loops at depth d, which all go to one row of
// the buffer: its tables are then made and combined once for all of the runs. It is nil where the
// outer of them does not step through rows of the array that is read.
func (g *generator) scatterRows(n *nest, d int) *scatter {
	last := len(n.loops) - 1
	if d != last-1 || d < 0 || len(n.index) == 0 || g.isParallel(n, d) {
		return nil
	}
	outer := n.loops[d]
	if outer.Pure || mentionsAny(n.index[1:], outer.Var) || mentionsAny([]ir.Expr{n.loops[last].Span.Min, n.loops[last].Span.Extent}, outer.Var) {
		return nil
	}
	s := g.scatterAt(n, last)
	if s == nil || len(s.read.Dims) < 2 || !s.read.Dims[1].Affine || !s.read.Dims[1].Coef[d].IsConst(1) || mentionsAny([]ir.Expr{s.read.Dims[0].Index}, outer.Var) {
		return nil
	}
	for _, c := range s.read.Dims[2:] {
		if mentionsAny([]ir.Expr{c.Index}, outer.Var) {
			return nil
		}
	}
	s.rows = true
	return s
}

// addScatter gives a scatter kernel the name of one that does the same, or one of its own.
func (g *generator) addScatter(s *scatter) {
	s.name = ""
	text := g.scatterText(s)
	for _, other := range g.scatters {
		unnamed := *other
		unnamed.name = ""
		if g.scatterText(&unnamed) == text {
			s.name = other.name
			return
		}
	}
	s.name = identifier(s.nest.Buffer.Name)
	if len(g.scatters) > 0 {
		s.name += fmt.Sprint(len(g.scatters) + 1)
	}
	g.scatters = append(g.scatters, s)
}

// callScatterRows writes the call for the runs of the two loops from depth d on.
func (g *generator) callScatterRows(n *nest, s *scatter, d int) {
	rows, first := g.goInt(n.loops[d].Span.Extent), n.loops[d].Span.Min
	from := first
	if n.shared && d == 1 { // a goroutine's slice
		rows = "hi - lo"
		lo := first.Pool().Var(ir.Param, "lo", 0, ir.I32)
		g.loopVar[lo] = "lo"
		from = lo
		if !first.IsConst(0) {
			from = ir.AddOf(first, lo)
		}
	}
	at := *s
	at.read.Dims = slices.Clone(s.read.Dims)
	for i, c := range at.read.Dims {
		at.read.Dims[i].Index = foldSum(ir.Subst(c.Index, []ir.Expr{n.loops[d].Var}, []ir.Expr{from}))
	}
	count := g.goInt(s.loop.Span.Extent)
	data := g.runText(n, &kernel{loop: s.loop}, stream{call: s.read.Call, access: at.read}, count, false)
	data = strings.TrimSuffix(data, "[:"+count+"]")
	guard := []string{count + " > 0"}
	if !n.shared || d != 1 {
		guard = append(guard, rows+" > 0")
	}
	g.file.printf("if %s {\n%sScatter(%s, %s, %s, %s, %s)\n}\n", strings.Join(guard, " && "), s.name, g.scatterRow(n, s),
		rows, count, g.arrays[s.read.Array].strides[0], data)
}

// scatterRow is the row that is updated, as a pointer to an array.
func (g *generator) scatterRow(n *nest, s *scatter) string {
	a := g.arrays[n.Buffer.Name]
	row := a.parts[0]
	if at := a.offset(append([]string{"0"}, g.coords(a, n.index)[1:]...)); at != "0" {
		row = fmt.Sprintf("%s[%s:]", row, at)
	}
	return fmt.Sprintf("(*[%d]%s)(%s)", s.width, goTypes[n.Buffer.Types[0]], row)
}

// callScatter writes the call for one run.
func (g *generator) callScatter(n *nest, s *scatter) {
	k := &kernel{loop: s.loop}
	count := g.goInt(s.loop.Span.Extent)
	g.file.printf("if %s > 0 {\n%sScatter(%s, %s)\n}\n", count, s.name, g.scatterRow(n, s),
		g.runText(n, k, stream{call: s.read.Call, access: s.read}, count, false))
}

// scatterText is the function.
func (g *generator) scatterText(s *scatter) string {
	t := goTypes[s.nest.Buffer.Types[0]]
	update := func(table, y string) string {
		w := &exprWriter{temp: map[ir.Expr]string{s.read.Call: y}, leaf: func(e ir.Expr) string { return "?" }}
		index := unclamped(s.index)
		for s.lo == 0 && index.Op() == ir.Cast && index.Arg(0).Type().IsUnsigned() {
			index = index.Arg(0) // any integer is an index
		}
		at := w.goExpr(index)
		if s.lo != 0 {
			at = fmt.Sprintf("int(%s) - %d", at, s.lo)
		}
		if s.op == ir.Add && s.add.IsConst(1) {
			return fmt.Sprintf("%s[%s]++", table, at)
		}
		return fmt.Sprintf("%s[%s] %s= %s", table, at, s.op, w.goExpr(s.add))
	}
	var b strings.Builder
	data := goTypes[s.read.Call.Type()]
	few := s.width * fewPerElement
	// run is the loop over data, of which neighbours go to different tables. Eight at once, as bytes of a word, need
	// more registers than the loop over runs leaves.
	run := func(tables ...string) string {
		var b strings.Builder
		b.WriteString("for ; len(data) >= 4; data = data[4:] {\n")
		for i := range 4 {
			b.WriteString(update(tables[i%len(tables)], fmt.Sprintf("data[%d]", i)) + "\n")
		}
		fmt.Fprintf(&b, "}\nfor _, y := range data {\n%s\n}", update(tables[0], "y"))
		return b.String()
	}
	one, four := run("row"), run("table[0]", "table[1]", "table[2]", "table[3]")
	if s.rows {
		fmt.Fprintf(&b, `
// %[1]sScatter updates the elements of a row that runs of data select: run i is data[i*stride:][:width].
// Four tables by turns keep writes to one element apart: the next one would have to wait for the last.
func %[1]sScatter(row *[%[2]d]%[3]s, runs, width, stride int, data []%[4]s) {
	if stride == width { // the runs are one
		runs, width = 1, runs*width
	}
	if runs*width < %[5]d { // not worth making tables
		for i := range runs {
			data := data[i*stride:][:width]
			%[6]s
		}
		return
	}
	var table [4][%[2]d]%[3]s
	for i := range runs {
		data := data[i*stride:][:width]
		%[7]s
	}
`, s.name, s.width, t, data, few, one, four)
	} else {
		fmt.Fprintf(&b, `
// %[1]sScatter updates the elements of a row that a run of data selects. Four tables by turns
// keep writes to one element apart: the next one would have to wait for the last.
func %[1]sScatter(row *[%[2]d]%[3]s, data []%[4]s) {
	if len(data) < %[5]d { // not worth making tables
		%[6]s
		return
	}
	var table [4][%[2]d]%[3]s
	%[7]s
`, s.name, s.width, t, data, few, one, four)
	}
	fmt.Fprintf(&b, "for i := range row {\nrow[i] %[1]s= (table[0][i] %[1]s table[1][i]) %[1]s (table[2][i] %[1]s table[3][i])\n}\n}\n", s.op)
	return b.String()
}

// fewPerElement is for how many data for each element of a row four tables gain as much as making and
// combining them costs.
const fewPerElement = 16
