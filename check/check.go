// Package check proves or refutes what a parallel reduction takes on trust of an operator: that it is
// associative, that it is commutative, that its neutral element is one.
//
//	max(x, y), identity 0   →   associative, commutative; 0 is no identity: f(0, -1) = 0, not -1
//
// Each law is proven under as few of the allowed assumptions as suffice for it alone. A law that fails
// has a counterexample, which the reference evaluator confirms. Operator is the one call.
package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// DefaultEffort is the effort of Options that name none: ten times that of a match, which asks for a few of
// these proofs of many operators.
const DefaultEffort = 10 * rfactor.DefaultEffort

// Options say what a check may rely on, and what else it examines. The zero Options allow no assumption and look
// for an identity.
type Options struct {
	Allowed  ir.Assume // the assumptions that may be used
	Identity []ir.Expr // a value for each component to examine as identity, over constants; nil to look for one
	Is       []ir.Expr // an operator that is meant, over x_i, y_i and constants; nil for none
	Effort   int       // bounds all proofs together, in the unit of rfactor.Options; DefaultEffort where it is not positive
}

// Report is what is known of an operator.
type Report struct {
	Operator    proof.Operator
	Allowed     ir.Assume
	Associative Law
	Commutative Law
	Idempotent  Law
	Keeps       *Law // that results have what is given of operands; nil where nothing is
	Is          *Law // that the operator is the one that is meant; nil where none is named

	Identity []ir.Expr  // stated or found; nil where none was found
	Side     proof.Side // on which it is one; proof.NoSide of a stated one that is none
	Assumes  ir.Assume  // what the identity takes for granted
	Sides    []Law      // the sides on which it is one, and of a stated identity those on which it is not
	Poles    []Pole     // where the identity meets an operand and the result has no value
}

// Sound reports whether everything that was asked for holds: the operator is associative, keeps what is given,
// is the one that is meant, and the stated identity is one on some side.
func (r *Report) Sound() bool {
	return r.Associative.Holds() && (r.Keeps == nil || r.Keeps.Holds()) && (r.Is == nil || r.Is.Holds()) &&
		(r.Identity == nil || r.Side != proof.NoSide)
}

// checker examines one operator.
type checker struct {
	ctx     context.Context
	op      proof.Operator
	allowed ir.Assume
	prover  prove.Prover
	meter   effort.Meter // of all proofs and points
	limit   int64        // of one proof, in nanoseconds of package effort
	points  testpoint.Evaluator
	report  *Report
}

// Operator examines an operator over x_i, y_i and constants. What op.Given says of x_i holds of each operand.
//
// An error means that the context ended the check, or that operator and options do not fit together. Like
// rfactor.Match it does not panic: a broken invariant of this module is an rfactor.InternalError.
func Operator(ctx context.Context, op proof.Operator, o Options) (r *Report, err error) {
	if ctx == nil {
		return nil, errors.New("check: nil context")
	}
	if err := fits(op, o); err != nil {
		return nil, err
	}
	err = guard.Call(func() error {
		r = newChecker(ctx, op, o).run(o)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// fits checks that an operator and its options have the same components, and conditions on operands alone.
func fits(op proof.Operator, o Options) error {
	if len(op.Types) == 0 || len(op.Exprs) != len(op.Types) {
		return fmt.Errorf("check: an operator of %d components has %d expressions", len(op.Types), len(op.Exprs))
	}
	for _, of := range []struct {
		name string
		es   []ir.Expr
	}{{"operator", op.Exprs}, {"identity", o.Identity}, {"operator that is meant", o.Is}} {
		if of.es != nil && len(of.es) != len(op.Types) {
			return fmt.Errorf("check: the %s has %d components, not %d", of.name, len(of.es), len(op.Types))
		}
		for i, e := range of.es {
			if !e.IsValid() || e.Pool() != op.Exprs[0].Pool() || e.Type() != op.Types[i] {
				return fmt.Errorf("check: component %d of the %s is no expression of type %s in the operator's pool", i, of.name, op.Types[i])
			}
		}
	}
	for _, g := range op.Given {
		for _, v := range ir.Vars(g) {
			if v.Kind() != ir.State && v.Kind() != ir.Param {
				return fmt.Errorf("check: given: %s is not about x and constants; what is given of x holds of every operand", g)
			}
		}
	}
	return nil
}

func newChecker(ctx context.Context, op proof.Operator, o Options) *checker {
	units := o.Effort
	if units <= 0 {
		units = DefaultEffort
	}
	k := &checker{ctx: ctx, op: op, allowed: o.Allowed, report: &Report{Operator: op, Allowed: o.Allowed}}
	k.meter.Start(int64(units) * effort.Unit)
	k.limit, k.points.Meter = int64(units)*effort.Unit/4, &k.meter
	return k
}

// run examines the laws, and the stated identity or, of an associative operator, any.
func (k *checker) run(o Options) *Report {
	r := k.report
	a, b, c := k.op.Operands()
	x, y, z := &term{tuple: a}, &term{tuple: b}, &term{tuple: c}
	r.Associative = k.law(associativity, k.op.Associativity(), apply(apply(x, y), z), apply(x, apply(y, z)))
	r.Commutative = k.law("commutative", k.op.Commutativity(), apply(x, y), apply(y, x))
	r.Idempotent = k.law("idempotent", k.op.Idempotence(), apply(x, x), x)
	for _, l := range []*Law{&r.Associative, &r.Commutative, &r.Idempotent} {
		k.examine(l, k.allowed)
	}
	if ps := k.op.Closure(); len(ps) > 0 {
		l := k.law("keeps given", ps, apply(x, y), nil)
		k.examine(&l, k.allowed)
		r.Keeps = &l
	}
	if o.Is != nil {
		meant := k.op
		meant.Exprs = o.Is
		l := k.law("as meant", proof.Equations(k.op.Commutativity()[0].Given, k.op.Apply(a, b), meant.Apply(a, b)), apply(x, y), &term{tuple: meant.Apply(a, b)})
		k.examine(&l, k.allowed)
		r.Is = &l
	}
	if o.Identity != nil {
		k.state(o.Identity, x, y, k.allowed)
	} else if r.Associative.Holds() {
		k.findIdentity(x, y)
	}
	return r
}

// findIdentity looks for an identity of an associative operator. Where none is found, a likely one may have poles
// that say why.
func (k *checker) findIdentity(x, y *term) {
	under := k.report.Associative.Assumes()
	if p, _ := k.prover.Characterise(k.ctx, k.op, k.thoroughly(under)); p != nil && p.Side != proof.NoSide {
		k.state(p.Identity, x, y, under)
		k.report.Sides = slices.DeleteFunc(k.report.Sides, func(l Law) bool { return !l.Holds() }) // nobody asked about the others
		return
	}
	if e, ok := prove.LikelyIdentity(k.op, under, &k.meter); ok {
		k.report.Poles = k.poles(e)
	}
}

// thoroughly is proving for what is worth more points and all values of few bits.
func (k *checker) thoroughly(allowed ir.Assume) prove.Options {
	o := k.proving(allowed)
	o.Thorough = true
	return o
}

// proving returns options for proofs under some of the allowed assumptions.
func (k *checker) proving(allowed ir.Assume) prove.Options {
	return prove.Options{Allowed: allowed, Limit: k.limit, Meter: &k.meter}
}
