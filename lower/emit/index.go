package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// goInt is an index or an extent as a Go expression of type int. Sums are not wrapped: an index
// has been compared with its limits before it is used, and so is equal to the wrapping sum.
func (g *glossary) goInt(e ir.Expr) string { s, _ := g.goIntPrec(e); return s }

// goIntPrec answers the precedence of the text's operator besides; 9 for a name or a call.
func (g *glossary) goIntPrec(e ir.Expr) (string, int) {
	if v, ok := g.extentVar[e]; ok {
		return v, 9
	}
	switch e.Op() {
	case ir.Const:
		if e.Int() < 0 {
			return strconv.FormatInt(e.Int(), 10), 6
		}
		return strconv.FormatInt(e.Int(), 10), 9
	case ir.Var:
		if name, ok := g.loopVar[e]; ok {
			return name, 9
		}
	case ir.Add, ir.Sub:
		if c := e.Arg(1); e.Op() == ir.Add && c.Op() == ir.Const && c.Int() < 0 {
			return g.intOperand(e.Arg(0), 3) + " - " + strconv.FormatInt(-c.Int(), 10), 4
		}
		if n, k, ok := ceilDiv(e); ok {
			return g.use("ceilDiv") + "(" + g.goInt(n) + ", " + g.goInt(k) + ")", 9
		}
		return g.intOperand(e.Arg(0), 3) + " " + e.Op().String() + " " + g.intOperand(e.Arg(1), 4), 4
	case ir.Mul:
		return g.intOperand(e.Arg(0), 4) + "*" + g.intOperand(e.Arg(1), 5), 5
	case ir.Div, ir.Mod:
		name := map[ir.Op]string{ir.Div: "floorDiv", ir.Mod: "floorMod"}[e.Op()]
		if e.Type().IsSigned() && !readsArray(e) {
			return g.use(name) + "(" + g.goInt(e.Arg(0)) + ", " + g.goInt(e.Arg(1)) + ")", 9
		}
	case ir.Min, ir.Max:
		if u := unclamped(e); u != e {
			return g.goIntPrec(u)
		}
		if e.Type() == ir.I32 {
			return e.Op().String() + "(" + g.goInt(e.Arg(0)) + ", " + g.goInt(e.Arg(1)) + ")", 9
		}
	case ir.Call:
		if access.IsExtent(e) {
			return g.extent(e)
		}
	}
	return "int(" + g.writer().Expr(e) + ")", 9
}

func (g *glossary) intOperand(e ir.Expr, prec int) string {
	s, p := g.goIntPrec(e)
	if p > prec {
		return s
	}
	return "(" + s + ")"
}

// ceilDiv takes (n - 1)/k + 1 apart, for k > 0.
func ceilDiv(e ir.Expr) (n, k ir.Expr, ok bool) {
	if e.Op() != ir.Add || !e.Arg(1).IsConst(1) || e.Arg(0).Op() != ir.Div {
		return n, k, false
	}
	d := e.Arg(0)
	if d.Arg(1).Op() != ir.Const || d.Arg(1).Int() <= 0 || d.Arg(0).Op() != ir.Sub || !d.Arg(0).Arg(1).IsConst(1) {
		return n, k, false
	}
	return d.Arg(0).Arg(0), d.Arg(1), true
}

// extent is in.width() and the like.
func (g *glossary) extent(e ir.Expr) (string, int) {
	name, what, _ := strings.Cut(e.Name(), ".")
	a := g.arrays[name]
	d := map[string]int{"width": 0, "right": 0, "height": 1, "bottom": 1, "channels": 2}
	if what == "left" || what == "top" {
		return "0", 9
	}
	i, ok := d[what]
	if a == nil || !ok || i >= len(a.extents) {
		g.failf("%s is not known: %s has no such dimension", e, name)
		return "0", 9
	}
	if what == "right" || what == "bottom" {
		return a.extents[i] + " - 1", 4
	}
	return a.extents[i], 9
}

// sumText is a bound as Go.
func (g *glossary) sumText(s sum) string {
	var b strings.Builder
	for i, a := range s.atoms {
		c := s.coefs[i]
		text := g.intOperand(a, 5)
		if c != 1 && c != -1 {
			text = fmt.Sprintf("%s*%d", text, max(c, -c))
		}
		switch {
		case c < 0 && i == 0:
			b.WriteString("-" + text)
		case c < 0:
			b.WriteString(" - " + text)
		case i > 0:
			b.WriteString(" + " + text)
		default:
			b.WriteString(text)
		}
	}
	switch {
	case len(s.atoms) == 0:
		return strconv.FormatInt(s.k, 10)
	case s.k > 0:
		fmt.Fprintf(&b, " + %d", s.k)
	case s.k < 0:
		fmt.Fprintf(&b, " - %d", -s.k)
	}
	return b.String()
}

// prec is the precedence of the operator that the text of a sum has.
func (s sum) prec() int {
	if len(s.atoms) > 1 || len(s.atoms) == 1 && s.k != 0 {
		return 4
	}
	return 5
}

// endText is the end of a loop as Go, in which what its extent subtracts of its beginning is left out.
func (g *glossary) endText(s plan.Span) string {
	from, n := sumOf(s.Min), sumOf(s.Extent)
	if end := from.plus(n, 1); len(end.atoms) < len(from.atoms)+len(n.atoms) {
		return g.sumText(end)
	}
	return g.goInt(plusExpr(s.Min, s.Extent))
}
