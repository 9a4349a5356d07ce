// Package construct builds operators that no table lists out of what a step does. It proves nothing:
// its caller confirms what it builds.
//
//	max(x0, y0); select(x0 < y0, x0, max(x1, y0))
//	→ max(x0, y0); select(x0 < y0, max(y1, x0), max(x1, y0))   with inject y0; tmin
package construct

import "github.com/rfactor-go/rfactor/ir"

// Candidate is an operator Exprs over x_i and y_i, with the second operand Inject that stands for a step. Nothing is proven of it.
type Candidate struct {
	Exprs, Inject []ir.Expr
}
