package scope

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// GoInt is an index or an extent as a Go expression of type int. Sums are not wrapped: an index
// has been compared with its limits before it is used, and so is equal to the wrapping sum.
func (g *Scope) GoInt(e ir.Expr) string { s, _ := g.GoIntPrec(e); return s }

// GoIntPrec answers the precedence of the text's operator besides; 9 for a name or a call.
func (g *Scope) GoIntPrec(e ir.Expr) (string, int) {
	if v, ok := g.ExtentVar[e]; ok {
		return v, 9
	}
	switch e.Op() {
	case ir.Const:
		if e.Int() < 0 {
			return strconv.FormatInt(e.Int(), 10), 6
		}
		return strconv.FormatInt(e.Int(), 10), 9
	case ir.Var:
		if name, ok := g.LoopVar[e]; ok {
			return name, 9
		}
	case ir.Add, ir.Sub:
		if c := e.Arg(1); e.Op() == ir.Add && c.Op() == ir.Const && c.Int() < 0 {
			return g.IntOperand(e.Arg(0), 3) + " - " + strconv.FormatInt(-c.Int(), 10), 4
		}
		if n, k, ok := loopnest.CeilDiv(e); ok {
			return g.Use("ceilDiv") + "(" + g.GoInt(n) + ", " + g.GoInt(k) + ")", 9
		}
		return g.IntOperand(e.Arg(0), 3) + " " + e.Op().String() + " " + g.IntOperand(e.Arg(1), 4), 4
	case ir.Mul:
		return g.IntOperand(e.Arg(0), 4) + "*" + g.IntOperand(e.Arg(1), 5), 5
	case ir.Div, ir.Mod:
		name := map[ir.Op]string{ir.Div: "floorDiv", ir.Mod: "floorMod"}[e.Op()]
		if e.Type().IsSigned() && !loopnest.ReadsArray(e) {
			return g.Use(name) + "(" + g.GoInt(e.Arg(0)) + ", " + g.GoInt(e.Arg(1)) + ")", 9
		}
	case ir.Min, ir.Max:
		if u := loopnest.Unclamped(e); u != e {
			return g.GoIntPrec(u)
		}
		if e.Type() == ir.I32 {
			return e.Op().String() + "(" + g.GoInt(e.Arg(0)) + ", " + g.GoInt(e.Arg(1)) + ")", 9
		}
	case ir.Call:
		if access.IsExtent(e) {
			return g.extent(e)
		}
	}
	return "int(" + g.Writer().Expr(e) + ")", 9
}

// IntOperand is the same as an operand of an operator of a precedence.
func (g *Scope) IntOperand(e ir.Expr, prec int) string {
	s, p := g.GoIntPrec(e)
	if p > prec {
		return s
	}
	return "(" + s + ")"
}

// extent is in.width() and the like.
func (g *Scope) extent(e ir.Expr) (string, int) {
	name, what, _ := strings.Cut(e.Name(), ".")
	a := g.Arrays[name]
	d := map[string]int{"width": 0, "right": 0, "height": 1, "bottom": 1, "channels": 2}
	if what == "left" || what == "top" {
		return "0", 9
	}
	i, ok := d[what]
	if a == nil || !ok || i >= len(a.Extents) {
		g.Failf("%s is not known: %s has no such dimension", e, name)
		return "0", 9
	}
	if what == "right" || what == "bottom" {
		return a.Extents[i] + " - 1", 4
	}
	return a.Extents[i], 9
}

// SumText is a bound as Go.
func (g *Scope) SumText(s loopnest.Sum) string {
	var b strings.Builder
	for i, a := range s.Atoms {
		c := s.Coefs[i]
		text := g.IntOperand(a, 5)
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
	case len(s.Atoms) == 0:
		return strconv.FormatInt(s.K, 10)
	case s.K > 0:
		fmt.Fprintf(&b, " + %d", s.K)
	case s.K < 0:
		fmt.Fprintf(&b, " - %d", -s.K)
	}
	return b.String()
}

// EndText is the end of a loop as Go, in which what its extent subtracts of its beginning is left out.
func (g *Scope) EndText(s plan.Span) string {
	from, n := loopnest.SumOf(s.Min), loopnest.SumOf(s.Extent)
	if end := from.Plus(n, 1); len(end.Atoms) < len(from.Atoms)+len(n.Atoms) {
		return g.SumText(end)
	}
	return g.GoInt(loopnest.PlusExpr(s.Min, s.Extent))
}

// BytesPerStep returns Go for an estimate of how many bytes of input one step of the outermost loop reads.
func (g *Scope) BytesPerStep(n *loopnest.Nest) string {
	return g.BytesOf(n, n.Loops[1:])
}

// BytesOf returns Go for an estimate of how many bytes of input the given loops of a nest read.
func (g *Scope) BytesOf(n *loopnest.Nest, loops []plan.Loop) string {
	size := int64(0)
	for _, r := range n.Reads() {
		size += int64(max(r.Call.Type().Bits()/8, 1))
	}
	size = max(size, 1)
	var factors []string
	for _, l := range loops {
		e := loopnest.Smallest(l.Span.Extent)
		switch {
		case n.Rows == nil:
		case l.Var == n.Rows.Row:
			continue
		case l.Var == n.Rows.Col:
			e = loopnest.Smallest(n.Rows.Fused.Span.Extent)
		}
		if e.Op() == ir.Const {
			size *= max(e.Int(), 1)
			continue
		}
		if loopnest.MentionsAny([]ir.Expr{e}, loopnest.VarsOfLoops(n.Loops)...) {
			continue
		}
		text, prec := g.GoIntPrec(e)
		if prec < 5 {
			text = "(" + text + ")"
		}
		factors = append(factors, text)
	}
	if size > 1 || len(factors) == 0 {
		factors = append(factors, strconv.FormatInt(size, 10))
	}
	return strings.Join(factors, "*")
}
