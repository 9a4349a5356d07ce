package proof

import "github.com/rfactor-go/rfactor/ir"

// Proofs are the proof trees of an operator's laws, one tree for each component of the law. Those of laws that are not claimed are nil.
type Proofs struct {
	Associative []*Tree `json:"associative"`
	Left        []*Tree `json:"left,omitempty"`   // Identity is a left identity
	Right       []*Tree `json:"right,omitempty"`  // Identity is a right identity
	Middle      []*Tree `json:"middle,omitempty"` // set only where neither of the above is
	Commutative []*Tree `json:"commutative,omitempty"`
	Idempotent  []*Tree `json:"idempotent,omitempty"`
	Closed      []*Tree `json:"closed,omitempty"` // the operator preserves what is given
	Start       []*Tree `json:"start,omitempty"`  // the identity has what is given
}

// Law is a named list of equations with their proofs.
type Law struct {
	Name     string
	Operator *Operator // whose associativity it states; nil of other laws
	Problems []Problem
	Wrapping bool     // holds where integers wrap, whatever the other laws assume
	Proofs   *[]*Tree // where they are, one for each of Problems
}

// Assumes returns the assumptions that the law may use where the other laws use assume.
func (l *Law) Assumes(assume ir.Assume) ir.Assume {
	if l.Wrapping {
		return assume &^ (ir.NSW | ir.NUW)
	}
	return assume
}

// Claims are the laws that an answer claims of an operator besides associativity.
type Claims struct {
	Operator
	Identity    []ir.Expr // nil where Side is NoSide; over the operator's invariants
	Side        Side
	Commutative bool
	Idempotent  bool
	Proofs      Proofs
}

// Laws lists what is claimed of the operator, with the proofs, in the order of an argument. Associativity is always among it.
func (p *Claims) Laws() (laws []Law) {
	given, identity := len(p.Given) > 0, p.Side != NoSide
	on := func(side Side) func() []Problem {
		return func() []Problem { return p.IdentityOn(side, p.Identity) }
	}
	for _, l := range []struct {
		claimed  bool
		name     string
		state    func() []Problem
		wrapping bool
		proofs   *[]*Tree
	}{
		{true, "associativity", p.Associativity, false, &p.Proofs.Associative},
		{given, "the operator preserves what is given", p.Closure, false, &p.Proofs.Closed},
		{p.Commutative, "commutativity", p.Commutativity, false, &p.Proofs.Commutative},
		{p.Idempotent, "idempotence", p.Idempotence, false, &p.Proofs.Idempotent},
		{given && identity, "the identity has what is given", p.start, true, &p.Proofs.Start},
		{p.Side&Left == Left, "left identity", on(Left), true, &p.Proofs.Left},
		{p.Side&Right == Right, "right identity", on(Right), true, &p.Proofs.Right},
		{p.Side == Middle, "middle identity", on(Middle), true, &p.Proofs.Middle},
	} {
		if l.claimed {
			laws = append(laws, Law{Name: l.name, Problems: l.state(), Wrapping: l.wrapping, Proofs: l.proofs})
		}
	}
	laws[0].Operator = &p.Operator
	return laws
}

// start states that the identity has what is given.
func (p *Claims) start() []Problem { return p.Holds(p.Identity, nil) }
