package exec

import "github.com/rfactor-go/rfactor/lower/exec/internal/prepare"

// fewGrains is for how many times Options.Grain of input a second goroutine has begun when the first one is done.
const fewGrains = 2

// few reports whether a group reads so little input that its update runs as written, in one goroutine, or costs too much otherwise. The limit is lower for steps
// that no operator merges, only a composition: slices compute these side by side.
func (run *execution) few(g *prepare.Group) bool {
	if g.Whole == nil || g.Dear {
		return g.Dear
	}
	w := run.frame(g.Whole).plain
	w.Point++
	bytes := 1
	if len(w.loops) > 0 {
		span, err := w.span(0)
		if err != nil || span.Extent < 0 {
			return false
		}
		if bytes = w.bytes(); bytes > maxBytes/max(span.Extent, 1) {
			return false
		}
		bytes *= span.Extent
	}
	limit := fewGrains * run.opts.Grain
	if g.Whole.Stage.Operator == nil {
		limit = run.opts.Grain / 64
	}
	return bytes < limit
}
