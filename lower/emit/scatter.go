package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// scatter is a kernel that updates elements of a row of a buffer, which data select.
//
//	hist(in(r)) = hist(in(r)) + 1   →   four tables by turns, added at the end; one where data are few
//
// Equal neighbours are frequent, and an element that was written a moment ago is read again only
// after the write has been forwarded: four tables keep writes apart. They take another order than the program, and room in the
// nearest cache.
type scatter struct {
	name    string
	nest    *nest
	loop    plan.Loop
	streams []stream // what is read: data0, data1, …; of one alone data
	dims    []rowDim // that data select, the contiguous one first
	width   int64    // of the row, all dimensions together
	op      ir.Op
	add     ir.Expr // what is added, over the reads
	use     kernel.Use
	rows    bool // several runs go to the same row
}

// rowDim is a dimension of a row.
type rowDim struct {
	lo, width int64
	index     ir.Expr
}

// maxTable is the greatest size of a row for the four tables to stay in the nearest cache.
const maxTable = 1 << 12

// scatterAt is the scatter kernel of the innermost loop at depth d: a run of arrays, of which all elements go to one row. It is
// nil where the loop has another form.
func (g *generator) scatterAt(n *nest, d int) *scatter {
	if g.serial {
		return nil
	}
	return scatterOf(g.plan, n, d, g.use)
}

// scatterOf is the same of a plan.
func scatterOf(p *plan.Plan, n *nest, d int, use kernel.Use) *scatter {
	if n.Role == plan.First || len(n.where) > 0 || len(n.values) != 1 || len(n.index) == 0 || d != len(n.loops)-1 || d < 0 || n.loops[d].Pure || faulty(p, n) {
		return nil
	}
	s := &scatter{use: use, nest: n, loop: n.loops[d], width: 1}
	if !s.takeApart(p) || !s.findDims() || !s.findStreams(d) {
		return nil
	}
	return s
}

// takeApart finds x ⊕ h, where ⊕ commutes and zero is its identity.
func (s *scatter) takeApart(p *plan.Plan) bool {
	v := s.nest.values[0]
	if v.NumArgs() != 2 || v.Op() == ir.Call || v.Arg(0).Op() != ir.Var || v.Arg(0).Kind() != ir.State || v.Arg(1).States() != 0 {
		return false
	}
	s.op, s.add = v.Op(), v.Arg(1)
	if v.Type().IsFloat() {
		return s.op == ir.Add && regroups(p, s.nest)
	}
	return v.Type().IsInt() && (s.op == ir.Add || s.op == ir.BitXor || s.op == ir.BitOr)
}

// findDims finds the dimensions that data select: the first ones, with literal ends.
func (s *scatter) findDims() bool {
	n := s.nest
	for i, e := range n.index {
		if !readsArray(e) {
			break
		}
		b := n.Buffer.Dims[i]
		if b.Extent.Op() != ir.Const || b.Min.Op() != ir.Const || b.Extent.Int() <= 0 {
			return false
		}
		s.dims = append(s.dims, rowDim{b.Min.Int(), b.Extent.Int(), e})
		if s.width *= b.Extent.Int(); s.width > maxTable || b.Extent.Int() > maxTable {
			return false
		}
	}
	rest := n.index[len(s.dims):]
	return len(s.dims) > 0 && !mentionsAny(rest, s.loop.Var) && !slices.ContainsFunc(rest, readsArray)
}

// findStreams finds the reads, all of which step through memory. Nothing else may change from one step to the next, nor from call to call.
func (s *scatter) findStreams(d int) bool {
	for _, r := range s.nest.reads() {
		if r.Contiguous() != d {
			return false
		}
		s.streams = append(s.streams, stream{call: r.Call, access: r, name: fmt.Sprintf("data%d", len(s.streams))})
	}
	if len(s.streams) == 1 {
		s.streams[0].name = "data"
	}
	ok := true
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		switch {
		case slices.ContainsFunc(s.streams, func(t stream) bool { return t.call == e }):
		case e.Op() == ir.Var || e.Op() == ir.Call:
			ok = false
		default:
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
	}
	visit(s.add)
	for _, dim := range s.dims {
		visit(dim.index)
	}
	return ok
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
	if outer.Pure || mentionsAny([]ir.Expr{n.loops[last].Span.Min, n.loops[last].Span.Extent}, outer.Var) {
		return nil
	}
	s := g.scatterAt(n, last)
	if s == nil || len(s.streams) != 1 || mentionsAny(n.index[len(s.dims):], outer.Var) {
		return nil
	}
	dims := s.streams[0].access.Dims
	if len(dims) < 2 || !dims[1].Affine || !dims[1].Coef[d].IsConst(1) || mentionsAny([]ir.Expr{dims[0].Index}, outer.Var) {
		return nil
	}
	for _, c := range dims[2:] {
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
	used := maps.Clone(g.used) // not by the texts that are compared
	defer func() { g.used = used }()
	text := s.text()
	for _, other := range g.scatters {
		unnamed := *other
		unnamed.name = ""
		if unnamed.text() == text {
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
	at := s.streams[0]
	at.access.Dims = slices.Clone(at.access.Dims)
	for i, c := range at.access.Dims {
		at.access.Dims[i].Index = foldSum(ir.Subst(c.Index, []ir.Expr{n.loops[d].Var}, []ir.Expr{from}))
	}
	count := g.goInt(s.loop.Span.Extent)
	data := (&run{loop: s.loop}).runText(&g.glossary, n, at, "", false)
	guard := []string{count + " > 0"}
	if !n.shared || d != 1 {
		guard = append(guard, rows+" > 0")
	}
	g.file.printf("if %s {\n%sScatter(%s, %s, %s, %s, %s)\n}\n", strings.Join(guard, " && "), s.name, s.row(&g.glossary, n),
		rows, count, g.arrays[at.access.Array].strides[0], data)
}

// row is the row that is updated, as a pointer to an array.
func (s *scatter) row(g *glossary, n *nest) string {
	a := g.arrays[n.Buffer.Name]
	row := a.parts[0]
	if at := a.offset(append(slices.Repeat([]string{"0"}, len(s.dims)), g.coords(a, n.index)[len(s.dims):]...)); at != "0" {
		row = fmt.Sprintf("%s[%s:]", row, at)
	}
	return fmt.Sprintf("(*[%d]%s)(%s)", s.width, kernel.GoType[n.Buffer.Types[0]], row)
}

// callScatter writes the call for one run.
func (g *generator) callScatter(n *nest, s *scatter) {
	k := &run{loop: s.loop}
	count := g.goInt(s.loop.Span.Extent)
	args := []string{s.row(&g.glossary, n)}
	for _, t := range s.streams {
		args = append(args, k.runText(&g.glossary, n, t, count, false))
	}
	g.file.printf("if %s > 0 {\n%sScatter(%s)\n}\n", count, s.name, strings.Join(args, ", "))
}

// update is the text of an update of the element that data select of a table. Data are the texts of the reads.
func (s *scatter) update(table string, data []string) string {
	w := &gosrc.Writer{Use: s.use, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string { return "?" }}
	for i, t := range s.streams {
		w.Temp[t.call] = data[i]
	}
	element := fmt.Sprintf("%s[%s]", table, s.at(w))
	if s.op == ir.Add && s.add.Type().IsInt() && s.add.IsConst(1) {
		return element + "++"
	}
	return fmt.Sprintf("%s %s= %s", element, s.op, w.Expr(s.add))
}

// at is the index of an element in a row, written by w.
func (s *scatter) at(w *gosrc.Writer) string {
	if len(s.dims) == 1 {
		d := s.dims[0]
		index := unclamped(d.index)
		for d.lo == 0 && index.Op() == ir.Cast && index.Arg(0).Type().IsUnsigned() {
			index = index.Arg(0) // any integer is an index
		}
		if at := w.Expr(index); d.lo == 0 {
			return at
		} else {
			return fmt.Sprintf("int(%s) - %d", at, d.lo)
		}
	}
	var terms []string
	stride := int64(1)
	for _, d := range s.dims {
		index := unclamped(d.index)
		for index.Op() == ir.Cast && index.Arg(0).Type().IsUnsigned() && index.Arg(0).Type().Bits() < index.Type().Bits() {
			index = index.Arg(0)
		}
		term := "int(" + w.Expr(index) + ")"
		switch {
		case d.lo < 0:
			term = fmt.Sprintf("(%s + %d)", term, -d.lo)
		case d.lo > 0:
			term = fmt.Sprintf("(%s - %d)", term, d.lo)
		}
		if stride != 1 {
			term = fmt.Sprintf("%s*%d", term, stride)
		}
		terms = append(terms, term)
		stride *= d.width
	}
	slices.Reverse(terms)
	return strings.Join(terms, " + ")
}

// run is the loop over data, of which neighbours go to different tables. Eight at once, as bytes of a word, need
// more registers than the loop over runs leaves.
func (s *scatter) run(tables ...string) string {
	var b strings.Builder
	data := s.streams[0].name
	for _, t := range s.streams[1:] {
		fmt.Fprintf(&b, "%[1]s = %[1]s[:len(%[2]s)]\n", t.name, data)
	}
	each := func(i string) (out []string) {
		for _, t := range s.streams {
			out = append(out, t.name+"["+i+"]")
		}
		return out
	}
	fmt.Fprintf(&b, "for i := 0; i < len(%s)-3; i += 4 {\n", data)
	for i, at := range []string{"i", "i+1", "i+2", "i+3"} {
		b.WriteString(s.update(tables[i%len(tables)], each(at)) + "\n")
	}
	fmt.Fprintf(&b, "}\nfor i := len(%[1]s) &^ 3; i < len(%[1]s); i++ {\n%[2]s\n}", data, s.update(tables[0], each("i")))
	return b.String()
}

// text is the function.
func (s *scatter) text() string {
	t := kernel.GoType[s.nest.Buffer.Types[0]]
	var data []param
	for _, in := range s.streams {
		data = append(data, param{in.name, "[]" + kernel.GoType[in.call.Type()]})
	}
	params := declared(data)
	few := s.width * fewPerElement
	one := s.run("row")
	four := s.run("table[0]", "table[1]", "table[2]", "table[3]")
	start := fmt.Sprintf("var table [4][%d]%s\n", s.width, t)
	if s.nest.Buffer.Types[0].IsFloat() {
		start += fmt.Sprintf("for i := range row {\nzero := %s("+s.use("math")+".Copysign(0, -1)) // to which anything may be added\ntable[0][i], table[1][i], table[2][i], table[3][i] = zero, zero, zero, zero\n}\n", t)
	}
	var b strings.Builder
	if s.rows {
		fmt.Fprintf(&b, `
// %[1]sScatter updates the elements of a row that runs of data select: run i is data[i*stride:][:width].
// Four tables by turns keep writes to one element apart: the next one would have to wait for the last.
func %[1]sScatter(row *[%[2]d]%[3]s, runs, width, stride int, %[4]s) {
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
	%[8]sfor i := range runs {
		data := data[i*stride:][:width]
		%[7]s
	}
`, s.name, s.width, t, params, few, one, four, start)
	} else {
		fmt.Fprintf(&b, `
// %[1]sScatter updates the elements of a row that a run of data selects. Four tables by turns
// keep writes to one element apart: the next one would have to wait for the last.
func %[1]sScatter(row *[%[2]d]%[3]s, %[4]s) {
	if len(%[9]s) < %[5]d { // not worth making tables
		%[6]s
		return
	}
	%[8]s%[7]s
`, s.name, s.width, t, params, few, one, four, start, s.streams[0].name)
	}
	fmt.Fprintf(&b, "for i := range row {\nrow[i] %[1]s= (table[0][i] %[1]s table[1][i]) %[1]s (table[2][i] %[1]s table[3][i])\n}\n}\n", s.op)
	return b.String()
}

// fewPerElement is for how many data for each element of a row four tables gain as much as making and
// combining them costs.
const fewPerElement = 16
