// Package egraph saturates terms under rewrite rules: it keeps a set of terms
// together with everything known to be equal to them.
//
// A Graph holds nodes (an operator and its children) grouped into classes of
// equal terms. Union says that two classes are equal, Rebuild closes the graph
// under congruence (f(a) = f(b) where a = b), Run applies a compiled RuleSet
// until nothing changes or a limit is reached (Limits.Schedule: not every rule every time), and Extract picks the cheapest
// term of every class (ExtractDAG: paying equal subterms once). Push and Pop
// undo whatever was done in between. A Table asks which of hundreds of patterns match given
// classes. With Options.Proofs the graph remembers why terms became equal:
// Explain gives the reason as lemmas or as a chain of rewritten terms.
//
// The package knows nothing of the terms' meaning: an Op is a number that the
// caller chose, and variables and constants are operators without children.
//
// # State
//
// A graph is congruent after New, Reset, Rebuild and Run. Add keeps it so;
// Union does not: until the next Rebuild, Lookup and Add may miss nodes that
// congruence would identify. That costs nothing but a duplicate, which Rebuild
// removes. Functions that read whole classes (Nodes, Extract, the exports,
// Table.Match) rebuild first when it is needed.
//
// Numbering, results and the order of everything are deterministic, and the same for
// any GOMAXPROCS. A Graph is for one goroutine at a time; Run searches a large one on
// several of its own, which call nothing of the caller's. A RuleSet and a Table never change
// after they are compiled and may be shared.
package egraph
