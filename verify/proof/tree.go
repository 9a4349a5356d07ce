package proof

// Kind says how a node of a proof by cases is settled. The equation is evaluated under the
// decisions made on the way from the root.
type Kind string

const (
	// select(b, x, y) = select(!b, y, x)   →   b: x = x; otherwise: y = y
	Split Kind = "split" // one more decision: Then where Cond holds, Else where it does not
	// (x + y)*z = x*z + y*z   →   both are x·z + y·z
	Equal Kind = "equal" // both sides are the same polynomial
	// x < y and y < x   →   their sum is 0 < 0
	Absurd Kind = "absurd" // the decisions contradict each other by linear arithmetic, as Why says
	// given x < y, where y < x was decided   →   nothing is left to prove
	Vacuous Kind = "vacuous" // a given condition is false
	// x = y, where x <= y and y <= x   →   x < y is absurd, and so is y < x
	Squeeze Kind = "squeeze" // neither side can be below the other, as Why says
	// x*z = y*z, where x <= y and y <= x   →   x is y in x·z − y·z
	Rewrite Kind = "rewrite" // the decisions imply p = q + Delta for the sides p and q of decision number Place; it replaces the quantity Term in the difference of both sides
	// f(x) = f(y), where x <= y and y <= x   →   f(y) = f(y)
	Substitute Kind = "substitute" // the same for the variable Term, everywhere; Then is the rest of the proof, from no decisions
	// x + y of u8   →   x + y over the integers, or x + y − 256
	Carry Kind = "carry" // the modular sum at Place wrapped Low, Low+1, … times: Cases
	// max(x*y*y, 0) = x*y*y, given 0 <= x   →   x < 0; x = 0; 0 < x
	Signs Kind = "signs" // the variable Term is negative, zero or positive: Cases; zero replaces it everywhere, from no decisions
	// x + y = y + x   →   z3 says that x + y != y + x cannot be
	Solver Kind = "solver" // a solver process said so: Solver names it, and the checker does not believe it
	// (x ^ y) << 3 = (x << 3) ^ (y << 3)   →   bit i of both is x[i−3] ^ y[i−3], or 0
	Bits Kind = "bits" // no decisions: the bits of both sides have the same decision diagrams, which ask the variables of First first
	// (x ^ y)*2 & z = x*2 & z ^ y*2 & z   →   bit i of both is x[i−1]·z[i] + y[i−1]·z[i]
	GF2 Kind = "gf2" // no decisions: the bits of both sides are the same polynomials over the field of two elements
	// max(x, y) + z = max(x + z, y + z) under nsw   →   both are the greatest of {x + z, y + z}
	Extrema Kind = "extrema" // no decisions: both sides are the same extremum of sums, by verify/extrema
	// max(x, min(y, z)) = min(max(x, y), max(x, z))   →   x | (y & z) = (x | y) & (x | z) of bits
	Threshold Kind = "threshold" // no decisions: both sides reach the same thresholds, by verify/threshold
	// x*max(y, z) = max(x*y, x*z) of natural numbers   →   0 <= x: both are the greatest of x·y and x·z
	Scaled Kind = "scaled" // no decisions: both sides are the same extremum of products for each sign of factors, by verify/scaled
	// select(!(x < y), a, b) = select(x < y, b, a) of floats   →   x < y: b = b; otherwise: a = a
	Predicates Kind = "predicates" // no decisions: Then proves the equation with comparisons of floats as unknown predicates of both values
	// select(x < 3, 5, 7) + y = y + select(x < 3, 5, 7)   →   s + y = y + s
	Choices Kind = "choices" // no decisions: Then proves the equation with each select as an unknown number, the same wherever the select occurs
	// popcount(x) = 8 - popcount(~x) of u8   →   both are the same for all 256 values
	Exhaustive Kind = "exhaustive" // no decisions: both sides are evaluated for all values of their variables, by verify/exhaustive; of associativity the operator is
	// saturating_add(x, y) = … of u8   →   min(x + y, 255) = … over ℤ, where 0 <= x, x <= 255, …
	Integers Kind = "integers" // Then proves the equation as verify/integers restates it
)

// Tree is a certificate: a proof by cases. Conditions are not stated but met again in the
// same order on replay; Cond, which is for people, is what Then is the case of. Of a Carry, Place counts the two sides of each
// decision, then the two sides of the equation.
type Tree struct {
	Kind   Kind         `json:"kind"`
	Cond   string       `json:"cond,omitempty"`
	Then   *Tree        `json:"then,omitempty"`
	Else   *Tree        `json:"else,omitempty"`
	Place  int          `json:"place,omitempty"`
	Delta  int64        `json:"delta,omitempty"`
	Other  bool         `json:"other,omitempty"` // over ℤ the opposite of decision number Place is p = q − 1 − Delta
	Part   int          `json:"part,omitempty"`  // the number of the term that is replaced
	Term   string       `json:"term,omitempty"`
	Low    int64        `json:"low,omitempty"`
	Cases  []*Tree      `json:"cases,omitempty"`
	Why    []Refutation `json:"why,omitempty"`   // why the decisions contradict each other, or why one value is neither below nor above another
	First  [][]string   `json:"first,omitempty"` // groups of variables: those that diagrams of Bits ask first, group after group
	Solver string       `json:"solver,omitempty"`
}

// Size returns the number of nodes of the tree; 0 of nil.
func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	n := 1 + t.Then.Size() + t.Else.Size()
	for _, c := range t.Cases {
		n += c.Size()
	}
	return n
}

// Refutation derives 0 < 0 from decisions that contradict each other, by linear arithmetic.
type Refutation struct {
	Using    []int    `json:"using,omitempty"`   // the decisions that are stated, by their numbers from 0 at the root
	Ranges   bool     `json:"ranges,omitempty"`  // the limits of types are stated, too
	Products [][2]int `json:"products,omitzero"` // pairs of signs that are multiplied; [i, −1−j]: sign i is divided by the atom of sign j
	// Lines are sums of multiples of the inequalities before them: number, factor, number, ….
	// The last one is 0 < 0. Without lines all stated decisions are added up.
	Lines [][]int64 `json:"lines,omitempty"`
}
