package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// scatter is a kernel that updates elements of a row of a buffer, which data select.
//
//	hist(in(r)) = hist(in(r)) + 1   →   four tables by turns, added at the end
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
	rows  bool // the tables outlive a run: several go to the same row
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
	s := &scatter{name: identifier(b.Name), nest: n, loop: loop, lo: b.Dims[0].Min.Int(), width: b.Dims[0].Extent.Int(), index: n.index[0]}
	if s.width > maxTable || !s.takeApart(b) {
		return nil
	}
	reads := n.reads()
	if len(reads) != 1 || reads[0].Contiguous() != d {
		return nil
	}
	s.read = reads[0]
	if len(g.scatters) > 0 {
		s.name += fmt.Sprint(len(g.scatters) + 1)
	}
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

// scatterRows is the scatter kernel of the nest where the loops from depth d on all go to one
// row, a run at a time: its tables are then made and combined once for all of the runs.
func (g *generator) scatterRows(n *nest, d int) *scatter {
	last := len(n.loops) - 1
	if d >= last || len(n.index) == 0 || g.isParallel(n, d) {
		return nil
	}
	for _, l := range n.loops[d:] {
		if l.Pure || mentionsAny(n.index[1:], l.Var) {
			return nil
		}
	}
	s := g.scatterAt(n, last)
	if s != nil {
		s.rows = true
	}
	return s
}

// callScatterRows writes the loops from depth d on around the calls.
func (g *generator) callScatterRows(n *nest, s *scatter, d int) {
	table := g.name("table")
	g.file.printf("var %s [3][%d]%s\n", table, s.width, goTypes[n.Buffer.Types[0]])
	for i := d; i < len(n.loops)-1; i++ {
		g.loopHead(n, i)
	}
	g.callScatter(n, s, "&"+table+", ")
	for i := len(n.loops) - 2; i >= d; i-- {
		g.loopEnd(n, i)
	}
	g.file.printf("%sCombine(%s, &%s)\n", s.name, g.scatterRow(n, s), table)
	delete(g.taken, table)
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
func (g *generator) callScatter(n *nest, s *scatter, table string) {
	k := &kernel{loop: s.loop}
	count := g.goInt(s.loop.Span.Extent)
	g.file.printf("if %s > 0 {\n%sScatter(%s, %s%s)\n}\n", count, s.name, g.scatterRow(n, s), table,
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
	fmt.Fprintf(&b, `
// %sScatter updates the elements of a row that a run of data selects. Four tables by turns
// keep writes to one element apart: the next one would have to wait for the last.
`, s.name)
	if s.rows {
		fmt.Fprintf(&b, "// %[1]sCombine brings them together.\nfunc %[1]sScatter(row *[%[2]d]%[3]s, table *[3][%[2]d]%[3]s, data []%[4]s) {\n",
			s.name, s.width, t, goTypes[s.read.Call.Type()])
	} else {
		fmt.Fprintf(&b, `func %[1]sScatter(row *[%[2]d]%[3]s, data []%[4]s) {
	if len(data) < 4*len(row) {
		for _, y := range data {
			%[5]s
		}
		return
	}
	var table [3][%[2]d]%[3]s
`, s.name, s.width, t, goTypes[s.read.Call.Type()], update("row", "y"))
	}
	tables := []string{"row", "table[0]", "table[1]", "table[2]"}
	if s.read.Call.Type() == ir.U8 { // one load for eight of them
		b.WriteString("for ; len(data) >= 8; data = data[8:] {\nw := binary.LittleEndian.Uint64(data)\n")
		for i := range 8 {
			y := fmt.Sprintf("uint8(w>>%d)", 8*i)
			if i == 0 {
				y = "uint8(w)"
			}
			b.WriteString(update(tables[i%4], y) + "\n")
		}
	} else {
		b.WriteString("for ; len(data) >= 4; data = data[4:] {\n")
		for i, table := range tables {
			b.WriteString(update(table, fmt.Sprintf("data[%d]", i)) + "\n")
		}
	}
	fmt.Fprintf(&b, "}\nfor _, y := range data {\n%s\n}\n", update("row", "y"))
	if s.rows {
		fmt.Fprintf(&b, "}\n\n// %[1]sCombine ends what %[1]sScatter began.\nfunc %[1]sCombine(row *[%[2]d]%[3]s, table *[3][%[2]d]%[3]s) {\n", s.name, s.width, t)
	}
	fmt.Fprintf(&b, "for i := range row {\nrow[i] %[1]s= table[0][i] %[1]s table[1][i] %[1]s table[2][i]\n}\n}\n", s.op)
	return b.String()
}
