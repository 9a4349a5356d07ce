package ir

// Decided replaces each select whose condition is a literal by the branch that is taken.
//
//	select(true, a, b)   →   a
func Decided(e Expr) Expr {
	done := map[Expr]Expr{}
	Walk([]Expr{e}, func(e Expr) { // operands come first
		args := make([]Expr, e.NumArgs())
		for i := range args {
			args[i] = done[e.Arg(i)]
		}
		done[e] = decidedOf(e, args)
	})
	return done[e]
}

// decidedOf is an expression of operands that are decided.
func decidedOf(e Expr, args []Expr) Expr {
	if len(args) == 0 {
		return e
	}
	literal := func(i int) bool { return args[i].Op() == Const }
	switch op := e.Op(); {
	case op == Select && literal(0) && args[0].IsConst(0):
		return args[2]
	case op == Select && literal(0):
		return args[1]
	case op == Not && literal(0):
		return e.Pool().Bool(args[0].IsConst(0))
	case op == And || op == Or:
		neutral := uint64(0) // of Or
		if op == And {
			neutral = 1
		}
		for i := range args {
			if literal(i) && args[i].IsConst(neutral) {
				return args[1-i]
			} else if literal(i) {
				return args[i]
			}
		}
	}
	return Rebuild(e, args)
}
