package prove

import (
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// euclid is x = q·n + r with 0 ≤ r < |n|; both are 0 for n = 0.
func euclid(x, n *big.Int) (q, r *big.Int) {
	if n.Sign() == 0 {
		return new(big.Int), new(big.Int)
	}
	return new(big.Int).DivMod(x, n, new(big.Int))
}

// equations pairs the components of two tuples.
func equations(given, a, b []ir.Expr) (ps []proof.Problem) {
	for i := range a {
		ps = append(ps, proof.Problem{Given: given, Left: a[i], Right: b[i]})
	}
	return ps
}

// check completes a proof tree of the search and has it checked.
func check(p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	c := copyOf(t)
	if err := equation.Complete(p, assume, c, &equation.Finder{Refute: refute, Settle: settle}); err != nil {
		return err
	}
	return equation.Check(p, assume, c)
}
