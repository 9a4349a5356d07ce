package folds

import "github.com/rfactor-go/rfactor/ir"

// Change is the condition under which v, the next value of component i, differs from the value before, or may; the zero Expr where
// it never does. It is not ok where v has no such condition.
func Change(v ir.Expr, i int) (c ir.Expr, ok bool) {
	x := v.Pool().X(i, v.Type())
	if c, ok = change(v, x); !ok || !c.IsValid() {
		return c, ok
	}
	return c, Holds(0, v, x, ir.NotOf(c))
}

// change reads the condition off v.
func change(v, x ir.Expr) (c ir.Expr, ok bool) {
	switch op := v.Op(); {
	case v == x:
		return c, true
	case op == ir.Select && v.Arg(2) == x:
		return v.Arg(0), true
	case op == ir.Select && v.Arg(1) == x:
		return ir.NotOf(v.Arg(0)), true
	case (op == ir.Min || op == ir.Max) && v.Type().IsInt() && v.Arg(0) == x:
		return ir.Make(map[ir.Op]ir.Op{ir.Min: ir.Lt, ir.Max: ir.Gt}[op], v.Arg(1), x), true
	case op == ir.Or && v.Arg(0) == x && v.Arg(1).IsLeaf():
		return v.Arg(1), true
	case op == ir.And && v.Arg(0) == x && v.Arg(1).IsLeaf():
		return ir.NotOf(v.Arg(1)), true
	}
	return c, false
}
