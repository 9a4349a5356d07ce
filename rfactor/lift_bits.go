package rfactor

import (
	"fmt"

	"github.com/rfactor-go/rfactor/gf2"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// byBits is the kind of a certificate that has no cases: both sides have the same bits, which
// package gf2 computes again. It holds where integers wrap.
const byBits prove.Kind = "bits"

// proveWords proves equations by cases, those of narrow integers over the integers, those of
// words that are shifted bit by bit, and else as the prover can.
func (m *matcher) proveWords(ps []prove.Problem, assume ir.Assume) prove.Theorem {
	if assume&(ir.NSW|ir.NUW) == 0 && saturates(ps) {
		if t := m.proveIntegers(ps, assume); t.Status == prove.Proved {
			return t
		}
	}
	if assume&(ir.NSW|ir.NUW) != 0 || !shifts(ps) {
		return m.prover.AllUnder(m.ctx, ps, assume)
	}
	m.prover.CasesOnly = true
	t := m.prover.AllUnder(m.ctx, ps, assume)
	m.prover.CasesOnly = false
	if t.Status != prove.Unknown || t.Stopped {
		return t
	}
	out := prove.Theorem{Status: prove.Proved, Assumes: assume}
	for _, p := range ps {
		if gf2.Equal(p.Left, p.Right) {
			out.Proofs = append(out.Proofs, &prove.Tree{Kind: byBits})
			continue
		}
		a := m.prover.Prove(m.ctx, p, assume)
		if a.Status != prove.Proved {
			return t
		}
		out.Proofs = append(out.Proofs, a.Proof)
	}
	return out
}

// shifts reports whether words are shifted, which the prover takes for products or quotients.
func shifts(ps []prove.Problem) (found bool) {
	for _, p := range ps {
		ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
			found = found || e.Op() == ir.Shl || e.Op() == ir.Shr
		})
	}
	return found
}

// checkWords is checkAll for certificates of which some may be bit by bit.
func checkWords(ps []prove.Problem, assume ir.Assume, trees []*prove.Tree) error {
	if len(ps) != len(trees) {
		return fmt.Errorf("%d proofs of %d equations", len(trees), len(ps))
	}
	for i, p := range ps {
		if t := trees[i]; t != nil && t.Kind == byIntegers {
			q, ok := overIntegers(p)
			if !ok || assume&(ir.NSW|ir.NUW) != 0 {
				return fmt.Errorf("component %d: the equation is not one of narrow integers", i)
			}
			if err := prove.Check(q, ir.NSW, t.Then); err != nil {
				return fmt.Errorf("component %d: %w", i, err)
			}
			continue
		} else if t != nil && t.Kind == byBits {
			if assume&(ir.NSW|ir.NUW) != 0 || !gf2.Equal(p.Left, p.Right) {
				return fmt.Errorf("component %d: the bits of both sides are not the same", i)
			}
			continue
		}
		if err := prove.Check(p, assume, trees[i]); err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
	}
	return nil
}
