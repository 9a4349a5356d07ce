// Package plan applies a schedule to a program of reductions. Factor finds the operators of the
// updates that the schedule factors, and gives a Plan: loop nests, which package lower turns into
// code and Plan.Run interprets.
//
//	f() = f() + in(r)   with   split(r, ro, ri, 64).rfactor(ro, u).parallel(u)
//
// becomes an intermediate stage, which sums each slice of 64 elements into intm(u) and may run in
// any order of u, and a merge stage, f() = f() + intm(u).
//
// A schedule that would change the program's results is refused with an ir.ErrorList, which has
// the position of the directive and the reason. Partial results may overflow where the serial loop
// does not. Where an operator needs that nothing overflows, they are computed in wider types, or
// the program is refused.
package plan
