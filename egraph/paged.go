package egraph

import "slices"

// A paged array grows without moving what it holds: nothing is copied, and no
// smaller copy is left to the collector. Only the first page begins small.
type paged[T any] struct {
	pages [][]T
	n     int
}

const (
	pageBits = 12
	pageSize = 1 << pageBits
)

func (p *paged[T]) at(i uint32) *T { return &p.pages[i>>pageBits][i%pageSize] }

// push appends an entry.
func (p *paged[T]) push(v T) { *p.more() = v }

// more appends an entry to be written.
func (p *paged[T]) more() *T {
	page, i := p.n>>pageBits, p.n%pageSize
	if page == len(p.pages) || i == len(p.pages[page]) {
		p.grow()
	}
	p.n++
	return &p.pages[page][i]
}

// append appends entries.
func (p *paged[T]) append(vs []T) {
	for len(vs) > 0 {
		if p.full() {
			p.grow()
		}
		n := copy(p.pages[p.n>>pageBits][p.n%pageSize:], vs)
		p.n += n
		vs = vs[n:]
	}
}

// full reports whether the next entry has no place.
func (p *paged[T]) full() bool {
	return p.n>>pageBits == len(p.pages) || p.n%pageSize == len(p.pages[p.n>>pageBits])
}

func (p *paged[T]) grow() {
	if len(p.pages) == 0 {
		p.pages = append(p.pages, make([]T, 32))
	} else if first := p.pages[0]; len(first) < pageSize {
		p.pages[0] = append(make([]T, 0, 2*len(first)), first...)[:2*len(first)]
	} else {
		p.pages = append(p.pages, make([]T, pageSize))
	}
}

// clone returns a copy.
func (p *paged[T]) clone() paged[T] {
	c := paged[T]{make([][]T, (p.n+pageSize-1)/pageSize), p.n}
	for i := range c.pages {
		c.pages[i] = slices.Clone(p.pages[i])
	}
	return c
}
