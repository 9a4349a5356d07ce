// Package plan applies a schedule to a program of reductions: it finds the operators of the updates
// that the schedule factors, and gives loop nests that another package lowers or this one interprets.
//
//	f() = f() + in(r)   with   split(r, ro, ri, 64).rfactor(ro, u).parallel(u)
//
// becomes an intermediate stage, which sums each slice of 64 elements into intm(u) and may run in
// any order of u, and a merge stage, f() = f() + intm(u).
//
// Factor gives the Plan or an ir.ErrorList with the position of what is wrong. Partial results may
// overflow where the serial loop does not: where an operator needs that nothing overflows, they
// are computed in wider types, or the program is refused.
package plan
