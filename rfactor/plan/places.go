package plan

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Places says of a stage that its steps write at places which they count: its Index is the value of Counter, to which each step
// that is done adds 1 afterwards. Its loops run in order, or, where Parallel is set, as slices: their steps are counted first,
// so that each slice knows where its own places begin.
type Places struct {
	Counter  *Buffer
	Parallel bool
	Lanes    bool // elements are kept by vectors
}

// placesOf returns the counter of an update that counts its places; nil for others.
func (s *scheduler) placesOf(n *nest) *Places {
	if n.def == nil || n.def.Place == nil || n.role != Serial {
		return nil
	}
	return &Places{Counter: s.target(n.def.Place.Name).buffer, Parallel: n.inSlices, Lanes: n.inLanes}
}

// placesOn lists the directives that an update at counted places may have, with what they set.
var placesOn = map[string]func(*nest){
	program.Parallel:  func(n *nest) { n.inSlices = true },
	program.Vectorize: func(n *nest) { n.inLanes = true },
}

// applyPlaces applies a directive to an update that counts its places.
func (s *scheduler) applyPlaces(n *nest, d *program.Directive) *ir.Error {
	set := placesOn[d.Name]
	if set == nil {
		return s.errorf(d, "places are counted in the order of the loops, which stay as they are: parallel(r) counts slices first, and vectorize(r, 8) keeps several elements at once")
	}
	a, err := s.find(n, d, d.Args[0].Name)
	switch last := n.axes[len(n.axes)-1]; {
	case err != nil:
		return err
	case a != last:
		return s.errorf(d, "elements of %s are kept one behind another along its innermost loop, %s", stageName(d), last.v)
	case d.Name == program.Parallel && len(n.axes) > 1:
		return s.errorf(d, "%s has %d loops, and places are counted by slices of one", stageName(d), len(n.axes))
	case len(d.Args) == 2:
		if _, err := s.factorOf(d, 1); err != nil {
			return err
		}
	}
	set(n)
	return nil
}

// choosePlaces chooses for an update that counts its places.
func (a *auto) choosePlaces(at place) {
	loop := a.n.axes[len(a.n.axes)-1].v.Name()
	if len(a.n.axes) == 1 {
		a.do(at, program.Parallel, loop)
	}
	a.do(at, program.Vectorize, loop, a.lanes())
}

// placeSpan returns the elements that an update with a counter may write: as many as it has steps, from the first value of
// the counter on. It reports false where that value calls a function of the program, or an extent is not known.
func (s *scheduler) placeSpan(d *program.Definition) (Span, bool) {
	first, known := d.Place.Init[0], true
	ir.Walk([]ir.Expr{first}, func(e ir.Expr) {
		known = known && !(e.Op() == ir.Call && s.prog.Func(e.Name()) != nil)
	})
	n := s.pool.Int(ir.I32, 1)
	for _, dim := range d.Domain.Dims {
		if known = known && dim.Extent.IsValid(); known {
			n = times(n, dim.Extent)
		}
	}
	return Span{first, n}, known
}

// text is what the first line of a stage says of its places.
func (p *Places) text() string {
	how := ""
	if p.Parallel {
		how += ", slices counted first"
	}
	if p.Lanes {
		how += ", by vectors"
	}
	return fmt.Sprintf(", at places that %s counts%s", p.Counter.Name, how)
}
