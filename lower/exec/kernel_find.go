package exec

// finding is a search in blocks. The leaf is of the key's type or of a narrower one, which
// the key's extends.
type finding struct {
	max, last bool
	leaf      any
	signed    bool // the key's type
	key       func() uint64
	found     func(k int, v uint64) // is told the element of the row that the key now is of
}

func (z typed[T]) find(f *finding) step {
	leaf := f.leaf.(*vector[T])
	kernel := z.Table.Find.MinFirst
	switch {
	case f.max && f.last:
		kernel = z.Table.Find.MaxLast
	case f.max:
		kernel = z.Table.Find.MaxFirst
	case f.last:
		kernel = z.Table.Find.MinLast
	}
	if z.t.IsFloat() {
		return func(k, n int) {
			if v, i := kernel(leaf.v[:n], z.uncarry(f.key())); i >= 0 {
				f.found(k+i, z.carry(v))
			}
		}
	}
	return func(k, n int) {
		x := leaf.v[:n]
		key := f.key()
		first := -1 // the place that is ahead of the others
		v := T(key)
		if uint64(v) != key { // no element is like the key: all are better, or none
			if above := !f.signed || int64(key) > 0; above == f.max {
				return
			}
			first, v = 0, x[0]
		}
		v, i := kernel(x[first+1:], v)
		if i >= 0 || first >= 0 {
			f.found(k+first+1+i, uint64(v))
		}
	}
}

// place is told a value that elements [k, k+n) of a row have, and tells found where.
func (z typed[T]) place(last bool, leaf any, found func(k int, v uint64)) func(k, n int, v uint64) {
	x, place := leaf.(*vector[T]), z.Table.Find.First
	if last {
		place = z.Table.Find.Last
	}
	return func(k, n int, v uint64) {
		i := place(x.v[:n], z.uncarry(v))
		found(k+i, z.carry(x.v[i]))
	}
}

func (z typed[T]) least(max bool, x any) func(n int) uint64 {
	v, f := x.(*vector[T]), z.Reduce.Min
	if max {
		f = z.Reduce.Max
	}
	return func(n int) uint64 { return z.carry(f(v.v[1:n], v.v[0])) }
}
