package proof

import "github.com/rfactor-go/rfactor/ir"

// Proofs are the proof trees of an operator's laws, one tree for each component of the law.
// Those of laws that are not claimed are nil.
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
	Problems []Problem
	Wrapping bool // holds where integers wrap, whatever the other laws assume
	Proofs   []*Tree
}

// The names of an operator's laws.
const (
	Associativity  = "associativity"
	Closure        = "the operator preserves what is given"
	Commutativity  = "commutativity"
	Idempotence    = "idempotence"
	Start          = "the identity has what is given"
	LeftIdentity   = "left identity"
	RightIdentity  = "right identity"
	MiddleIdentity = "middle identity"
)

// Assumes returns the assumptions that the law may use where the other laws use assume.
func (l *Law) Assumes(assume ir.Assume) ir.Assume {
	if l.Wrapping {
		return assume &^ (ir.NSW | ir.NUW)
	}
	return assume
}

// Claims are what is said of an operator beside that it is associative.
type Claims struct {
	Operator
	Identity    []ir.Expr // nil where Side is NoSide; over the operator's invariants
	Side        Side
	Commutative bool
	Idempotent  bool
	Proofs      Proofs
}

// Laws lists what is claimed of the operator, with the proofs, in the order of an argument.
// Associativity is always among it.
func (p *Claims) Laws() []Law {
	laws := []Law{{Associativity, p.Associativity(), false, p.Proofs.Associative}}
	if len(p.Given) > 0 {
		laws = append(laws, Law{Closure, p.Closure(), false, p.Proofs.Closed})
	}
	if p.Commutative {
		laws = append(laws, Law{Commutativity, p.Commutativity(), false, p.Proofs.Commutative})
	}
	if p.Idempotent {
		laws = append(laws, Law{Idempotence, p.Idempotence(), false, p.Proofs.Idempotent})
	}
	if p.Side != NoSide && len(p.Given) > 0 {
		laws = append(laws, Law{Start, p.Holds(p.Identity, nil), true, p.Proofs.Start})
	}
	if p.Side == Left || p.Side == Two {
		laws = append(laws, Law{LeftIdentity, p.IdentityOn(Left, p.Identity), true, p.Proofs.Left})
	}
	if p.Side == Right || p.Side == Two {
		laws = append(laws, Law{RightIdentity, p.IdentityOn(Right, p.Identity), true, p.Proofs.Right})
	}
	if p.Side == Middle {
		laws = append(laws, Law{MiddleIdentity, p.IdentityOn(Middle, p.Identity), true, p.Proofs.Middle})
	}
	return laws
}
