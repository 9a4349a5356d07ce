// Package prove decides whether equations between expressions hold for every value of their
// variables, in the machine's semantics or under named assumptions, and says why.
//
// An equation is first evaluated at adversarial points (limits, ties, NaN, −0, infinities):
// a difference there is a counterexample. What survives is proven by cases. Both sides are
// evaluated symbolically, numbers as polynomials (package canon); where evaluation meets a
// condition that is not decided yet, the proof splits on it. Branches whose decisions
// contradict each other by linear arithmetic are dropped; in the others both sides must come
// out as the same polynomial, or be squeezed together, or become equal after using an
// equation that the decisions imply, or after telling apart how often a sum wrapped.
//
// Where integers that wrap are left open, both sides become a circuit of their bits, and that
// a bit differs is refuted by learning clauses.
//
// The answer is Proved with a certificate, Refuted with a counterexample, or Unknown, which
// is never treated as proved. Certificates are replayed by Check, which shares no code with
// the search.
package prove
