// Package rule checks the proofs of rewrite rules. A rule claims an equation for every type
// of its classes and for each arithmetic in which it may be applied there:
//
//	min-of-nots [int] : min(~a, ~b) => ~max(a, b)
//
// claims ~max(a, b) for i8, i16, … of words, and for unbounded integers (nsw for signed
// types, nuw for unsigned ones). Each of these is an instance. Its proof is a chain of
// rewrite steps by rules of lower rank, checked by package verify/steps, then a proof tree,
// checked by package verify/equation. Either may be missing. Rank orders the rules, so that
// no rule is proven by itself; the axioms of package rules have the lowest rank and no
// proof.
package rule
