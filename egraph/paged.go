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
func (p *paged[T]) push(v T) {
	i := p.n
	if i>>pageBits == len(p.pages) || i%pageSize == len(p.pages[i>>pageBits]) {
		p.grow()
	}
	p.n++
	*p.at(uint32(i)) = v
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
