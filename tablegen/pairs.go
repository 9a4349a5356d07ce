package tablegen

import (
	"context"

	"github.com/rfactor-go/rfactor/simd"
)

// pairing tries the pairs of a function, of the component with more leaves, with all
// functions that the other component may be. An identity of a pair is one of either
// component: so only those functions count that may have one, and with each function those
// that may have the same. All that is known of the others is counted.
type pairing[T simd.Number] struct {
	*searcher[T]
	large  int // index of the component with more leaves
	groups []group
	count  map[uint16]uint64 // of the other functions, by the variables in them
	total  uint64
	aparts map[uint16]uint64 // pairs that are apart, by the variables in the large component
}

// group is functions that share their identities and variables.
type group struct {
	groupKey
	members []part
}

type groupKey struct {
	identities [2]uint64
	reads      uint16
}

func newPairing[T simd.Number](w *searcher[T], large, leaves int) *pairing[T] {
	p := &pairing[T]{searcher: w, large: large, count: map[uint16]uint64{}, aparts: map[uint16]uint64{}}
	of := w.s.types[1-large]
	from, to := w.s.levelOf(of, leaves)
	p.total = uint64(to - from)
	at := map[groupKey]int{}
	for id := from; id < to; id++ {
		o := w.screen.part(of, id, leaves)
		reads := w.s.readsOf(o.node)
		p.count[reads]++
		w.screen.identify(&o, 1-large)
		if o.identities == [2]uint64{} {
			continue
		}
		k := groupKey{o.identities, reads}
		g, ok := at[k]
		if !ok {
			g = len(p.groups)
			at[k] = g
			p.groups = append(p.groups, group{groupKey: k})
		}
		p.groups[g].members = append(p.groups[g].members, o)
	}
	return p
}

func (p *pairing[T]) apart(reads, other uint16) bool {
	if p.large == 0 {
		return p.s.apart(2, reads, other)
	}
	return p.s.apart(2, other, reads)
}

// countApart counts the other functions with which one is apart.
func (p *pairing[T]) countApart(reads uint16) uint64 {
	n, ok := p.aparts[reads]
	if !ok {
		for other, c := range p.count {
			if p.apart(reads, other) {
				n += c
			}
		}
		p.aparts[reads] = n
	}
	return n
}

// try tries the pairs of a function. Where its identities are not known, they are asked for
// after the triples.
func (p *pairing[T]) try(f part, identified bool) {
	p.tried += p.total
	reads := p.s.readsOf(f.node)
	apart := p.countApart(reads)
	p.independent += apart
	left := p.total - apart // pairs that no test has dropped yet
	if identified && f.identities == [2]uint64{} {
		p.unsided += left
		return
	}
	if !identified {
		f.identities = p.possible(reads)
	}
	var pair [2]part
	pair[p.large] = f
	for i := range p.groups {
		g := &p.groups[i]
		if p.apart(reads, g.reads) || !meet(f.identities, g.identities) {
			continue
		}
		for j := range g.members {
			pair[1-p.large] = g.members[j]
			if p.screen.refutes(pair[:]) {
				p.early++
				left--
				continue
			}
			if !identified && !p.screen.mayShare(&f, p.large, common(f.identities, g.identities)) {
				continue
			}
			p.examine(pair[:])
			left--
		}
	}
	p.unsided += left
}

// possible are the identities that the variables of the large component leave open: with one
// as the left operand it is y_i, as the right one x_i.
func (p *pairing[T]) possible(reads uint16) (ids [2]uint64) {
	for side, v := range [2]int{2 + p.large, p.large} {
		if reads>>v&1 == 1 {
			ids[side] = 1<<p.screen.choices - 1
		}
	}
	return ids
}

func common(a, b [2]uint64) [2]uint64 { return [2]uint64{a[0] & b[0], a[1] & b[1]} }

func meet(a, b [2]uint64) bool { return a[0]&b[0]|a[1]&b[1] != 0 }

// pairs tries every pair of functions with n0 and n1 leaves. Where the space ends below the
// larger one, its functions are made one at a time.
func (w *searcher[T]) pairs(ctx context.Context, n0, n1 int, h share) error {
	large, n := 0, n0
	if n1 > n0 {
		large, n = 1, n1
	}
	p := newPairing(w, large, n0+n1-n)
	of := w.s.types[large]
	if n > w.s.complete {
		return w.functions(ctx, of, n, h, func(nd node) { p.try(w.screen.root(nd, of, n), false) })
	}
	from, to := w.s.levelOf(of, n)
	for id := h.start(from); id < to; id += h.of {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := w.screen.part(of, id, n)
		w.screen.identify(&f, large)
		p.try(f, true)
	}
	return nil
}
