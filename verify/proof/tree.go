package proof

// Kind says how a case of a proof is settled.
type Kind string

// The kinds of nodes of a proof by cases. The equation is evaluated under the decisions
// made on the way from the root, and …
const (
	Split      Kind = "split"      // … needs one more decision: Then where Cond holds, Else where not
	Equal      Kind = "equal"      // … both sides are the same polynomial
	Absurd     Kind = "absurd"     // the decisions contradict each other by linear arithmetic
	Vacuous    Kind = "vacuous"    // a given condition is false
	Squeeze    Kind = "squeeze"    // neither side can be below the other
	Rewrite    Kind = "rewrite"    // the decisions imply p = q + Delta for the sides p and q of decision number Place; it replaces the quantity Term in the difference of both sides
	Substitute Kind = "substitute" // the same for the variable Term, everywhere; Then is the rest of the proof, from no decisions
	Carry      Kind = "carry"      // the modular sum at Place wrapped Low, Low+1, … times: Cases
	Signs      Kind = "signs"      // the variable Term is negative, zero or positive: Cases; zero replaces it everywhere, from no decisions
	Circuit    Kind = "circuit"    // no decisions: both sides as circuits of their bits are the same, by Lemmas
	Solver     Kind = "solver"     // a solver process said so: Solver names it
	Bits       Kind = "bits"       // no decisions: the bits of both sides have the same decision diagrams
	Extrema    Kind = "extrema"    // no decisions: both sides are the same extremum of sums, by verify/extrema
	Integers   Kind = "integers"   // Then proves the equation as verify/integers restates it
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
	Why    []Refutation `json:"why,omitempty"`    // why the decisions contradict each other, or why one value is neither below nor above another
	Lemmas []byte       `json:"lemmas,omitempty"` // clauses over the circuit, each of which follows from those before by unit propagation; see byBits.lemmas
	Solver string       `json:"solver,omitempty"`
}

// Size is the number of nodes.
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
