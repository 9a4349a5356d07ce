package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// ScanForm is a scan that blocks serve: its passes are plain operations (sums, products, extrema, and bitwise ones), or steps
// x ↦ x·a + b. Floats are combined as the tile says: in their order, or by a tree of as many elements as kernels have.
//
//	f(r) = f(r - 1) + select(in(r) > 9, 1, 0)   →   t = select(in > 9, 1, 0) for a block; fold t, or scan t
type ScanForm struct {
	Nest  *Stage      // of the stage with what passes inject as operands, so that their reads are known
	Order []int       // the loops, that of the scan last
	Reads bool        // the stage reads what its buffer had before
	Ops   [][]ir.Op   // by pass and component; none of a pass whose steps are x ↦ x·a + b
	Steps [][]ir.Expr // by pass, what a step injects: of x ↦ x·a + b the factor and the summand
}

// newScanForm is nil where a scan has no such form.
func newScanForm(p *plan.Plan, s *plan.Stage) (*ScanForm, error) {
	if s.Scan == nil || len(s.Where) > 0 || slices.ContainsFunc(s.Loops, func(l plan.Loop) bool { return l.How == plan.AsLanes }) {
		return nil, nil
	}
	f := &ScanForm{}
	plain := *s
	plain.Scan, plain.Inject = nil, nil
	for _, pass := range s.Scan.Passes {
		ops := plainOps(s.Scan, pass)
		switch {
		case ops == nil && !s.Scan.IsAffine(pass) && !s.Scan.Restarts(pass), s.Scan.Lanes > 1 && !pass.IsExact() && !(s.Scan.Lanes == kernel.TreeLanes && s.Scan.HasTree(pass)):
			return nil, nil
		}
		step := pass.Inject
		if ops == nil && s.Scan.Restarts(pass) {
			step = restarts(step)
		}
		f.Ops, f.Steps, plain.Inject = append(f.Ops, ops), append(f.Steps, step), append(plain.Inject, step...)
	}
	for _, k := range s.Scan.Keep {
		if k.State >= 0 {
			continue
		}
		if slices.ContainsFunc(access.Reads(&plan.Stage{Buffer: s.Buffer, Values: []ir.Expr{k.Value}}), func(a access.Access) bool { return a.Array == s.Buffer.Name }) {
			return nil, nil // which a block has overwritten in part
		}
		plain.Inject = append(plain.Inject, k.Value)
	}
	for i, l := range s.Loops {
		if l.Var != s.Scan.Var {
			f.Order = append(f.Order, i)
		}
	}
	f.Order = append(f.Order, slices.IndexFunc(s.Loops, func(l plan.Loop) bool { return l.Var == s.Scan.Var }))
	f.Reads = slices.ContainsFunc(access.Reads(&plan.Stage{Buffer: s.Buffer, Values: plain.Inject}), func(a access.Access) bool { return a.Array == s.Buffer.Name })
	var err error
	f.Nest, err = prepareLoops(p, &plain)
	return f, err
}

// restarts takes select(stop, 0, x) + b for x·a + b.
func restarts(inject []ir.Expr) []ir.Expr {
	pool, t := inject[0].Pool(), inject[1].Type()
	return []ir.Expr{ir.SelectOf(inject[0], pool.Int(t, 0), pool.Int(t, 1)), inject[1]}
}

// plainOps returns the operations of a pass by component; nil where some component has none that kernels have.
func plainOps(sc *plan.Scan, p *plan.Pass) []ir.Op {
	ops := sc.Operations(p)
	for i, op := range ops {
		if !kernel.CanScan(op, p.Types[i]) {
			return nil
		}
	}
	return ops
}
