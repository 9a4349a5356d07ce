package program

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/internal/irtest"
)

// Go reads the same tree in what is printed as we do. (C's precedence is ours.)
func TestGoReadsTheSameTree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 5000 {
		e := irtest.Expr(r, ir.NewPool(), irtest.Types[r.IntN(len(irtest.Types))], 1+r.IntN(20))
		text := e.String()
		g, err := goparser.ParseExpr(strings.NewReplacer("~", "^", "select(", "choose(").Replace(text)) // a complement, no keyword
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		tr := newTree(&ir.Source{Text: text})
		root := newParser(tr).expr()
		if ours, theirs := strings.ReplaceAll(bracketed(tr, root), "select(", "choose("), goBracketed(g); ours != theirs {
			t.Fatalf("%s\nis  %s\nGo: %s", text, ours, theirs)
		}
	}
}

// bracketed is a syntax tree with all its parentheses.
func bracketed(t *tree, n int32) string {
	s := &t.nodes[n]
	var kids []string
	for _, k := range t.kids(n) {
		kids = append(kids, bracketed(t, k))
	}
	switch {
	case s.kind == synNum || s.kind == synLimit && s.neg:
		word := "inf"
		if s.kind == synNum {
			word = t.src.Text[s.a:s.b]
		}
		if s.neg {
			return "(-" + word + ")"
		}
		return word
	case s.kind == synLimit:
		return []string{"tmin", "tmax", "inf", "nan"}[s.a]
	case s.kind == synBool:
		return fmt.Sprint(s.a == 1)
	case s.kind == synName:
		return t.name(n)
	case s.kind == synCall:
		return t.name(n) + "(" + strings.Join(kids, ",") + ")"
	case s.kind == synIndex:
		return fmt.Sprintf("%s[%d]", kids[0], s.b)
	case s.kind == synCast:
		return s.typ.String() + "(" + kids[0] + ")"
	case s.kind == synPow:
		return "pow(" + strings.Join(kids, ",") + ")"
	case s.op.Prec() > 0:
		return "(" + kids[0] + s.op.String() + kids[1] + ")"
	case s.op == ir.Neg || s.op == ir.Not || s.op == ir.BitNot:
		return "(" + strings.Replace(s.op.String(), "~", "^", 1) + kids[0] + ")"
	}
	return s.op.String() + "(" + strings.Join(kids, ",") + ")"
}

func goBracketed(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return goBracketed(e.X)
	case *ast.BasicLit:
		return e.Value
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return goBracketed(e.X) + "." + e.Sel.Name
	case *ast.UnaryExpr:
		return "(" + e.Op.String() + goBracketed(e.X) + ")"
	case *ast.BinaryExpr:
		return "(" + goBracketed(e.X) + e.Op.String() + goBracketed(e.Y) + ")"
	case *ast.IndexExpr:
		return goBracketed(e.X) + "[" + goBracketed(e.Index) + "]"
	case *ast.CallExpr:
		var args []string
		for _, a := range e.Args {
			args = append(args, goBracketed(a))
		}
		return goBracketed(e.Fun) + "(" + strings.Join(args, ",") + ")"
	}
	return fmt.Sprintf("%T", e)
}
