package rfactor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// verifyLift replays the claims of a lifted answer.
func (v *verifier) verifyLift() error {
	proofs := v.cert.Lift
	if proofs == nil {
		return fmt.Errorf("no certificate of a lift")
	}
	claims, err := v.liftClaims()
	if err != nil {
		return err
	}
	for i, c := range claims {
		if err := checkWords(c.Problems, c.Assumes(v.assumes), [][]*proof.Tree{proofs.Update, proofs.Action, proofs.Identity}[i]); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// liftClaims reads what a record claims of its lift.
func (v *verifier) liftClaims() ([]liftClaim, error) {
	r := v.record
	if r.Operator.Commutative || r.Operator.Idempotent {
		return nil, fmt.Errorf("commutativity or idempotence is claimed of a lift")
	}
	states := make([]ir.Expr, len(v.types))
	for i, t := range v.types {
		states[i] = v.pool.X(i, t)
	}
	update, _, err := v.simplified(v.update, v.cert.Lift.Lemmas, states, v.assumes&overflow)
	if err != nil {
		return nil, err
	}
	if v.assumes.Has(ir.NUW) && belowZero(v.inject, update) {
		return nil, errors.New("inject may be below zero")
	}
	l := &Lift{Update: update}
	for i, t := range v.operands {
		l.Params = append(l.Params, paramVar(v.pool, i, t))
	}
	if l.Apply, err = v.parse(r.Apply, v.types, v.applyScope(l.Params)); err != nil {
		return nil, err
	}
	var identity []ir.Expr
	switch r.Operator.IdentitySide {
	case "none":
	case "two":
		if identity, err = v.parse(r.Operator.Identity, v.operands, v.operatorScope(nil)); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("an identity of a lift has two sides, not %q", r.Operator.IdentitySide)
	}
	given := v.given
	for name, leaf := range r.Leaves {
		if leaf.NonNeg {
			given = append(given, ir.LeOf(v.pool.Int(v.vars[name].Type(), 0), v.vars[name]))
		}
	}
	return liftClaims(v.pool, l, v.operands, v.inject, v.exprs, identity, indices(len(v.types)), given), nil
}

// applyScope has the state, a lift's parameters, and the update's invariants.
func (v *verifier) applyScope(params []ir.Expr) program.Scope {
	return program.Scope{Var: func(name string) (ir.Expr, bool) {
		for _, p := range params {
			if p.Name() == name {
				return p, true
			}
		}
		e, ok := v.vars[name]
		return e, ok && (strings.HasPrefix(name, "x") || e.Kind() == ir.Param)
	}}
}
