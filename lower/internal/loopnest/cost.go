package loopnest

import "github.com/rfactor-go/rfactor/ir"

// Operations returns how many operations there are in some values, each counted once.
func Operations(values []ir.Expr) (n int) {
	ir.Walk(values, func(e ir.Expr) {
		if e.NumArgs() > 0 && e.Op() != ir.Call {
			n++
		}
	})
	return n
}

// A step of so many operations, and of so many times those of the program, takes longer than the serial loop on as many processors as machines have.
const (
	dearOperations = 256
	dearTimes      = 16
)

// Dear reports whether a step of partial results, which no form makes cheaper, takes so many operations that the serial loop, whose step is whole, is
// faster.
func Dear(part, whole []ir.Expr) bool {
	n := Operations(part)
	return n >= dearOperations && n > dearTimes*Operations(whole)
}
