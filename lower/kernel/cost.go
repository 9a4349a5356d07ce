package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
)

// Cost is how many cycles a kernel takes for an element of a long run that lies in cache, estimated: the longest of what one element waits for
// the last, of operations and of loads, on a processor that begins three operations and two loads in a cycle. Branches are taken for free, so that a condition
// costs what it computes. The target is nil for a kernel that takes single elements. Of 114 plain kernels of the gallery the estimate is within a factor
// of 1.6 for 96, and within 3.9 for all.
func (k *Kernel) Cost(t *Target) float64 {
	if t == nil {
		return k.plainCost()
	}
	shaped, _ := k.Shape(t)
	if shaped == nil {
		return k.Serial.Plain().plainCost()
	}
	return shaped.laneCost(t)
}

// begun is how many operations and loads a cycle begins.
const (
	OpsACycle   = 3
	loadsACycle = 2
)

// plainCost is that of the loops over single elements.
func (k *Kernel) plainCost() float64 {
	for _, n := range k.Body {
		switch n := n.(type) {
		case Chunks:
			if k.Table {
				return tableCost(n.Parts)
			}
			return k.stepCost(nil, n.To, n.Parts)
		case Each:
			return k.stepCost(n.Where, n.To, 1)
		}
	}
	return 0
}

// changing is the share of elements in blocks that are not left out, which data decide.
const changing = 1.0 / 8

// loopOps is what a loop does besides for each element: counting, comparing, a jump.
const loopOps = 2

// stepCost is that of an element's step, of which so many chains go side by side.
func (k *Kernel) stepCost(where, to []ir.Expr, chains int) float64 {
	work := float64(loopOps + len(k.Streams))
	ir.Walk(append(append([]ir.Expr{}, where...), to...), func(e ir.Expr) { work += scalarCost(e).work })
	return max(chain(to)/float64(chains), work/OpsACycle, float64(len(k.Streams))/loadsACycle)
}

// chain is how many cycles a step takes that waits for the last: the greatest mean over circles of components, each of which depends on the next.
func chain(to []ir.Expr) float64 {
	const steps = 32 // of which the mean is taken: longer than circles are
	at := make([]float64, len(to))
	for range steps {
		next := make([]float64, len(to))
		for i, e := range to {
			next[i] = max(arrival(e, at), 0)
		}
		at = next
	}
	latest := 0.0
	for _, x := range at {
		latest = max(latest, x)
	}
	return latest / steps
}

// arrival is when a value is known whose components are known at some times; below 0 for one that depends on none.
func arrival(e ir.Expr, at []float64) float64 {
	known := map[ir.Expr]float64{}
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		when := -1.0
		if op, i, _ := Operand(e); op == State {
			when = at[i]
		}
		for i := range e.NumArgs() {
			if arg := known[e.Arg(i)]; arg >= 0 {
				when = max(when, arg+scalarCost(e).latency)
			}
		}
		known[e] = when
	})
	return known[e]
}

// opCost is what an operation takes: cycles to its result, and operations of the processor, with those that move operands and load literals.
type opCost struct{ latency, work float64 }

// scalarCost is that of an operation on single elements, as Go compiles it.
func scalarCost(e ir.Expr) opCost {
	if e.NumArgs() == 0 || e.IsClosed() {
		return opCost{}
	}
	float := e.Arg(0).Type().IsFloat()
	switch op := e.Op(); {
	case op == ir.Select:
		return opCost{1.5, 2}
	case float && (op == ir.Min || op == ir.Max): // NaN and zeros have their order
		return opCost{7, 5}
	case op == ir.Min || op == ir.Max || op == ir.Abs && !float || op == ir.SatAdd || op == ir.SatSub:
		return opCost{2, 2}
	case op == ir.Div && float:
		return opCost{13, 4}
	case op == ir.Div || op == ir.Mod:
		if e.Arg(1).Op() == ir.Const && e.Arg(1).Value()&(e.Arg(1).Value()-1) == 0 {
			return opCost{1, 1}
		}
		return opCost{20, 10}
	case float && (op == ir.Add || op == ir.Sub || op == ir.Mul):
		return opCost{3, 1.75}
	case op == ir.Mul:
		return opCost{3, 1}
	case op == ir.Sqrt:
		return opCost{15, 6}
	case op.ByMachine() || op == ir.Gcd:
		return opCost{40, 60}
	}
	return opCost{1, 1}
}

// laneCost is that of a shaped kernel.
func (k *Kernel) laneCost(t *Target) float64 {
	bits := t.Bits
	if bits == 0 {
		bits = Archsimd.Bits // what most processors have
	}
	if h, ok := First[History](k.Body); ok {
		cost := 0.0
		for _, p := range h.Rest {
			cost += p.Kernel.laneCost(t)
		}
		return cost
	}
	if o, ok := First[Owned](k.Body); ok {
		return o.cost(k, bits)
	}
	lanes := float64(bits / k.Wide().Bits())
	if s, ok := First[Skip](k.Body); ok {
		cost := VectorCost(s.Changes, len(k.Loads(s.Changes)), 0) / lanes
		if s.Absorbs == 0 { // else nothing changes any more
			cost += float64(k.Serial.Plain().plainCost() * changing)
		}
		return cost
	}
	l := k.LoopOf()
	if l == nil {
		return 0
	}
	waits := 0.0
	for _, s := range l.Body {
		for _, to := range s.To {
			waits = max(waits, laneArrival(to))
		}
	}
	return VectorCost(l.Values(), len(k.Loads(l.Values())), waits/float64(l.Copies)) / (lanes * float64(l.block()))
}

// VectorCost is that of the values of one vector, of which a chain takes so many cycles.
func VectorCost(values []*Value, loads int, waits float64) float64 {
	work, seen := 0.0, map[*Value]bool{}
	for _, v := range values {
		v.Walk(func(v *Value) {
			if !seen[v] {
				seen[v] = true
				if v.Varies() { // else it is computed once
					work += laneOp(v).work
				}
			}
		})
	}
	return max(waits, work/OpsACycle, float64(loads)/loadsACycle)
}

// laneArrival is how long a value waits for an accumulator; 0 where it has none.
func laneArrival(v *Value) float64 {
	known := map[*Value]float64{}
	var of func(v *Value) float64
	of = func(v *Value) float64 {
		when, ok := known[v]
		if ok {
			return when
		}
		if v.Op == State {
			when = 0.01 // which an operation adds to
		}
		for _, a := range v.Args {
			if arg := of(a); arg > 0 {
				when = max(when, arg+laneOp(v).latency)
			}
		}
		known[v] = when
		return when
	}
	return of(v)
}

// laneOp is the cost of an operation on vectors.
func laneOp(v *Value) opCost {
	float := v.Type.Elem.IsFloat()
	switch op := ir.Op(v.Op); {
	case v.Op.IsLeaf() || v.Op == Broadcast || v.Op == Table || v.Op == Bits || v.Op == Reshape:
		return opCost{}
	case float && (op == ir.Min || op == ir.Max):
		return opCost{10, 7}
	case float && op == ir.Div:
		return opCost{13, 8}
	case float && op == ir.Sqrt:
		return opCost{15, 12}
	case v.Op == MulAdd || float && (op == ir.Add || op == ir.Sub || op == ir.Mul) || v.Op == Convert || v.Op == Widen || op == ir.Mul:
		return opCost{4, 1}
	case v.Op == SumAbsDiff || v.Op == DotPairs:
		return opCost{4, 3} // which one port computes
	case v.Op == Bytes || v.Op == Halves || v.Op == Pick || v.Op == Permute:
		return opCost{2, 1.5}
	case v.Op == Choose:
		return opCost{2, 2}
	}
	return opCost{1, 1}
}

// Alike is how near estimates are to one another that tell nothing.
const Alike = 0.9
