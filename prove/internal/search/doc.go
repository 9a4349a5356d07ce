// Package search proves equations by cases: it evaluates both sides symbolically, splits on the
// conditions that evaluation meets, and closes each case by arithmetic.
//
//	select(p, x + y, x) = x + select(p, y, 0)   →   split on p; in both cases x + y or x on both sides
//
// Numbers are polynomials of package poly. Branches whose decisions contradict each other are
// dropped: Fourier–Motzkin elimination finds that out, after products of decisions are added
// where there are products of quantities. Where both sides are known and differ, they may be
// squeezed together by the decisions, become equal after a quantity is replaced by what an
// implied equation says it is, or after telling apart the sign of a variable, or how often a
// sum wrapped.
package search
