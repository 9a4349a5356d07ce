// Package combine makes Apache Beam CombineFns of rfactor's answers.
//
// An associative operator is a CombineFn, and a lift is one over the parameters of steps. New takes an answer of
// rfactor.Match with its certificate; the Reduction that it returns travels with the pipeline, and every worker
// checks the certificate before its first element. Global and PerKey reduce rows, GlobalPartials and PerKeyPartials
// merge the partial results of blocks, which a Kernel makes.
//
//	max(x0, y0)  →  AddInput: x ⊕ inject(row);  MergeAccumulators: x ⊕ y;  ExtractOutput: initial ⊕ x
//
// Beam merges in any order. An operator that does not commute is refused, unless the reduction is Ordered: then an
// accumulator holds ranges of indices, merged once they are adjacent. Indices are the source's, not those of arrival.
package combine
