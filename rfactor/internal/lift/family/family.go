package family

import (
	"iter"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Family is a way to lift a part: by an algebra, which fits each component by itself, or by a
// function that fits the whole part. One of algebra and fit is nil.
type Family struct {
	Name      string
	Unbounded bool // its laws hold of unbounded integers only
	given     bool // it reads what is given of the state, and has no form without that
	Algebra   func(pool *ir.Pool, n int) algebra.Algebra
	fit       func(*lift.Context, *tuple.Part) *lift.Shape // of a family without an algebra; returns nil where the part does not have its form
}

// All lists the ways to lift a part, from cheap to complete. The caller proves what they guess.
var All = []Family{
	{"segmented", false, false, nil, fitSegmented},
	{"keep", false, false, algebra.NewKeeping, nil},
	{"strict", false, false, nil, fitStrict},
	{"affine", false, false, algebra.NewRing, nil},
	{"bitwise", false, false, algebra.NewXorAnd, nil},
	{"appended", false, false, algebra.NewAppended, nil},
	{"prepended", false, false, algebra.NewPrepended, nil},
	{"cut", false, false, algebra.NewCut, nil},
	{"cut below", false, false, algebra.NewCutBelow, nil},
	{"rotated", false, false, algebra.NewRotated, nil},
	{"xorshift", false, false, nil, fitXorshift},
	{"fraction", false, false, algebra.NewFraction, nil},
	{"projective", false, false, nil, fitProjective},
	{"shift", false, false, algebra.NewShift, nil},
	{"quotient", false, false, algebra.NewQuotient, nil},
	{"saturating", false, false, nil, fitSaturating},
	{"capped", false, false, nil, fitCapped},
	{"sentinel", false, false, nil, fitSentinel},
	{"aligned", false, false, algebra.NewAligned, nil},
	{"watch", false, false, nil, fitWatch},
	{"clamp", true, false, algebra.NewClamp, nil},
	{"floor", true, false, algebra.NewFloor, nil},
	{"max-plus", true, false, algebra.NewMaxPlus, nil},
	{"min-plus", true, false, algebra.NewMinPlus, nil},
	{"coordinates", true, false, nil, fitCoordinates},
	{"record", false, false, nil, fitRecord},
	{"cyclic", false, true, nil, fitCyclic},
	{"residues", false, true, nil, fitResidues},
	{"modular", false, false, algebra.NewModular, nil},
	{"low bits", false, false, algebra.NewLowBits, nil},
	{"ranked", true, false, nil, fitRanked},
	{"carry", false, false, nil, fitCarry},
	{"window", true, false, nil, fitWindow},
	{"softmax", true, false, nil, fitSoftmax},
	{"interval", true, false, nil, fitInterval},
	{"mirrored", true, false, nil, fitMirrored},
	{"hull", true, false, nil, fitHull},
	{"crossing", true, false, nil, fitCrossing},
	{"marked", true, false, nil, fitMarked},
	{"alarm", true, false, nil, fitAlarm},
	{"phased", true, false, nil, fitPhased},
}

// Memory says how a shape depends on the element before a slice, where an update keeps its last
// element in a component.
type Memory uint8

const (
	None       Memory = iota // it does not
	Elements                 // by the first and the last element of the slice
	Conditions               // by the outcomes of conditions on the last element
	Pairs                    // by the first two elements and the last two
)

// Shapes yields the shapes of a part, from cheap to complete: with unbounded, of the families whose
// laws hold of unbounded integers only, else of the other families. The sequence ends early where
// the context ends.
func Shapes(cx *lift.Context, p *tuple.Part, unbounded bool) iter.Seq[*lift.Shape] {
	var fits []Fit
	for i := range All {
		if f := &All[i]; f.Unbounded == unbounded && (!f.given || len(cx.State) > 0) && !cx.Study.WithoutFamily(f.Name) {
			fits = append(fits, func(cx *lift.Context, p *tuple.Part, m Memory) *lift.Shape { return ShapeIn(cx, f, m, p) })
		}
	}
	return Fitted(cx, fits, p, unbounded)
}

// Fit returns a shape of a part whose steps look at a memory, or nil.
type Fit func(cx *lift.Context, p *tuple.Part, memory Memory) *lift.Shape

// Fitted yields the shapes that some ways to fit find in a part, first those that look at no element before it. It ends early where the
// context ends.
func Fitted(cx *lift.Context, fits []Fit, p *tuple.Part, unbounded bool) iter.Seq[*lift.Shape] {
	return func(yield func(*lift.Shape) bool) {
		for _, memory := range []Memory{None, Elements, Conditions, Pairs} {
			for _, fit := range fits {
				if cx.Consider(lift.FamilyCost); cx.Over() {
					return
				}
				s := fit(cx, p, memory)
				if s == nil {
					continue
				}
				s.Cellwise = unbounded && memory != Elements && memory != Pairs
				if !yield(s) {
					return
				}
			}
		}
	}
}

// ShapeIn returns the shape of a part in a family; nil where the part does not have its form.
func ShapeIn(cx *lift.Context, f *Family, memory Memory, p *tuple.Part) *lift.Shape {
	switch {
	case memory == Conditions && f.Algebra != nil:
		return Decided(cx, p, func(p *tuple.Part) *lift.Shape { return algebra.Fit(cx, p, f.Name, f.Algebra, 0) })
	case memory == Conditions:
		return Decided(cx, p, func(p *tuple.Part) *lift.Shape { return f.fit(cx, p) })
	case memory == Pairs && f.Algebra != nil:
		return algebra.Fit(cx, p, f.Name, f.Algebra, 2)
	case f.Algebra != nil && (memory == None || !f.Unbounded || decisionOf(cx, p) == nil): // cases of both are too many to prove
		return algebra.Fit(cx, p, f.Name, f.Algebra, int(memory))
	case f.Algebra == nil && memory == None:
		return f.fit(cx, p)
	}
	return nil
}
