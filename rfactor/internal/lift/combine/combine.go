package combine

import (
	"iter"

	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Names lists the families and the combinators by their names.
func Names() (names []string) {
	for _, f := range family.All {
		names = append(names, f.Name)
	}
	for _, c := range combinators {
		names = append(names, c.name)
	}
	return append(names, decayed, polynomialSteps, bitPlanes, bitMatrix)
}

// combinators lists the ways to join shapes of families, which serve where no family fits.
var combinators = []combinator{
	{"segments", joinSegments},
	{"product", joinProduct},
	{"cases", joinCases},
}

// combinator is a way to join shapes: see Joined. Its join returns nil where a part does not have its form.
type combinator struct {
	name string
	join func(cx *lift.Context, p *tuple.Part, memory family.Memory, unbounded bool) *lift.Shape
}

// Joined yields the shapes that serve where no family does: polynomials, of words whose bits are machines, of matrices, and those that are joined of
// shapes of families, with unbounded also of those whose laws hold of unbounded integers only.
func Joined(cx *lift.Context, p *tuple.Part, unbounded bool) iter.Seq[*lift.Shape] {
	var fits []family.Fit
	if !unbounded && !cx.Study.WithoutFamily(decayed) {
		fits = append(fits, fitDecayed)
	}
	if isPolynomial(p) && !cx.Study.WithoutFamily(polynomialSteps) {
		fits = append(fits, fitPolynomial)
	}
	if isPlanes(p) && !cx.Study.WithoutFamily(bitPlanes) {
		fits = append(fits, fitPlanes)
	}
	if isMatrix(p) && !cx.Study.WithoutFamily(bitMatrix) {
		fits = append(fits, fitMatrix)
	}
	for _, c := range combinators {
		if !cx.Study.WithoutFamily(c.name) {
			fits = append(fits, func(cx *lift.Context, p *tuple.Part, m family.Memory) *lift.Shape { return c.join(cx, p, m, unbounded) })
		}
	}
	return family.Fitted(cx, fits, p, unbounded)
}
