package funcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Scatter is a kernel that updates elements of a row of a buffer, which data select.
//
//	hist(in(r)) = hist(in(r)) + 1   →   four tables by turns, added at the end; one where data are few
//
// Equal neighbours are frequent, and an element that was written a moment ago is read again only
// after the write has been forwarded: four tables keep writes apart. They take another order than the program, and room in the
// nearest cache.
type Scatter struct {
	Name    string
	Nest    *loopnest.Nest
	Loop    plan.Loop
	Streams []Stream // what is read: data0, data1, …; of one alone data
	Dims    []rowDim // that data select, the contiguous one first
	width   int64    // of the row, all dimensions together
	op      ir.Op
	add     ir.Expr // what is added, over the reads
	use     kernel.Use
	Rows    bool // several runs go to the same row
}

// rowDim is a dimension of a row.
type rowDim struct {
	lo, width int64
	index     ir.Expr
}

// maxTable is the greatest size of a row for the four tables to stay in the nearest cache.
const maxTable = 1 << 12

// ScatterOf is the same of a plan.
func ScatterOf(p *plan.Plan, n *loopnest.Nest, d int, use kernel.Use) *Scatter {
	if n.Role == plan.First || len(n.Where) > 0 || len(n.Values) != 1 || len(n.Index) == 0 || d != len(n.Loops)-1 || d < 0 || n.Loops[d].Pure || loopnest.Faulty(p, n) {
		return nil
	}
	s := &Scatter{use: use, Nest: n, Loop: n.Loops[d], width: 1}
	if !s.takeApart(p) || !s.findDims() || !s.findStreams(d) {
		return nil
	}
	return s
}

// takeApart finds x ⊕ h, where ⊕ commutes and zero is its identity.
func (s *Scatter) takeApart(p *plan.Plan) bool {
	v := s.Nest.Values[0]
	if v.NumArgs() != 2 || v.Op() == ir.Call || v.Arg(0).Op() != ir.Var || v.Arg(0).Kind() != ir.State || v.Arg(1).States() != 0 {
		return false
	}
	s.op, s.add = v.Op(), v.Arg(1)
	if v.Type().IsFloat() {
		return s.op == ir.Add && loopnest.Regroups(p, s.Nest)
	}
	return v.Type().IsInt() && (s.op == ir.Add || s.op == ir.BitXor || s.op == ir.BitOr)
}

// findDims finds the dimensions that data select: the first ones, with literal ends.
func (s *Scatter) findDims() bool {
	n := s.Nest
	for i, e := range n.Index {
		if !loopnest.ReadsArray(e) {
			break
		}
		b := n.Buffer.Dims[i]
		if b.Extent.Op() != ir.Const || b.Min.Op() != ir.Const || b.Extent.Int() <= 0 {
			return false
		}
		s.Dims = append(s.Dims, rowDim{b.Min.Int(), b.Extent.Int(), e})
		if s.width *= b.Extent.Int(); s.width > maxTable || b.Extent.Int() > maxTable {
			return false
		}
	}
	rest := n.Index[len(s.Dims):]
	return len(s.Dims) > 0 && !loopnest.MentionsAny(rest, s.Loop.Var) && !slices.ContainsFunc(rest, loopnest.ReadsArray)
}

// findStreams finds the reads, all of which step through memory. Nothing else may change from one step to the next, nor from call to call.
func (s *Scatter) findStreams(d int) bool {
	for _, r := range s.Nest.Reads() {
		if r.Contiguous() != d {
			return false
		}
		s.Streams = append(s.Streams, Stream{Call: r.Call, Access: r, Name: fmt.Sprintf("data%d", len(s.Streams))})
	}
	if len(s.Streams) == 1 {
		s.Streams[0].Name = "data"
	}
	ok := true
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		switch {
		case slices.ContainsFunc(s.Streams, func(t Stream) bool { return t.Call == e }):
		case e.Op() == ir.Var || e.Op() == ir.Call:
			ok = false
		default:
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
	}
	visit(s.add)
	for _, dim := range s.Dims {
		visit(dim.index)
	}
	return ok
}

// Row is the row that is updated, as a pointer to an array.
func (s *Scatter) Row(g *scope.Scope, n *loopnest.Nest) string {
	a := g.Arrays[n.Buffer.Name]
	row := a.Parts[0]
	if at := a.Offset(append(slices.Repeat([]string{"0"}, len(s.Dims)), g.Coords(a, n.Index)[len(s.Dims):]...)); at != "0" {
		row = fmt.Sprintf("%s[%s:]", row, at)
	}
	return fmt.Sprintf("(*[%d]%s)(%s)", s.width, kernel.GoType[n.Buffer.Types[0]], row)
}

// update is the text of an update of the element that data select of a table. Data are the texts of the reads.
func (s *Scatter) update(table string, data []string) string {
	w := &gosrc.Writer{Use: s.use, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string { return "?" }}
	for i, t := range s.Streams {
		w.Temp[t.Call] = data[i]
	}
	element := fmt.Sprintf("%s[%s]", table, s.at(w))
	if s.op == ir.Add && s.add.Type().IsInt() && s.add.IsConst(1) {
		return element + "++"
	}
	return fmt.Sprintf("%s %s= %s", element, s.op, w.Expr(s.add))
}

// at is the index of an element in a row, written by w.
func (s *Scatter) at(w *gosrc.Writer) string {
	if len(s.Dims) == 1 {
		d := s.Dims[0]
		at := w.Expr(uncast(d.index))
		if d.lo == 0 { // any integer is an index
			return at
		}
		return fmt.Sprintf("int(%s) - %d", at, d.lo)
	}
	var terms []string
	stride := int64(1)
	for _, d := range s.Dims {
		term := "int(" + w.Expr(uncast(d.index)) + ")"
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

// uncast is an index without what does not change it.
func uncast(index ir.Expr) ir.Expr {
	index = loopnest.Unclamped(index)
	for index.Op() == ir.Cast && index.Arg(0).Type().IsUnsigned() && index.Arg(0).Type().Bits() < index.Type().Bits() {
		index = index.Arg(0)
	}
	return index
}

// run is the loop over data, of which neighbours go to different tables. Eight at once, as bytes of a word, need
// more registers than the loop over runs leaves.
func (s *Scatter) run(tables ...string) string {
	var b strings.Builder
	data := s.Streams[0].Name
	for _, t := range s.Streams[1:] {
		fmt.Fprintf(&b, "%[1]s = %[1]s[:len(%[2]s)]\n", t.Name, data)
	}
	each := func(i string) (out []string) {
		for _, t := range s.Streams {
			out = append(out, t.Name+"["+i+"]")
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

// Text is the function.
func (s *Scatter) Text() string {
	t := kernel.GoType[s.Nest.Buffer.Types[0]]
	var data []scope.Param
	for _, in := range s.Streams {
		data = append(data, scope.Param{Name: in.Name, Type: "[]" + kernel.GoType[in.Call.Type()]})
	}
	params := scope.Declared(data)
	few := s.width * fewPerElement
	one := s.run("row")
	four := s.run("table[0]", "table[1]", "table[2]", "table[3]")
	start := fmt.Sprintf("var table [4][%d]%s\n", s.width, t)
	if s.Nest.Buffer.Types[0].IsFloat() {
		start += fmt.Sprintf("for i := range row {\nzero := %s("+s.use("math")+".Copysign(0, -1)) // to which anything may be added\ntable[0][i], table[1][i], table[2][i], table[3][i] = zero, zero, zero, zero\n}\n", t)
	}
	var b strings.Builder
	if s.Rows {
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
`, s.Name, s.width, t, params, few, one, four, start)
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
`, s.Name, s.width, t, params, few, one, four, start, s.Streams[0].Name)
	}
	fmt.Fprintf(&b, "for i := range row {\nrow[i] %[1]s= (table[0][i] %[1]s table[1][i]) %[1]s (table[2][i] %[1]s table[3][i])\n}\n}\n", s.op)
	return b.String()
}

// fewPerElement is for how many data for each element of a row four tables gain as much as making and
// combining them costs.
const fewPerElement = 16
