package kernel

// Finding is a search in blocks for the least leaf, or the greatest. The key, the best leaf so
// far, has the leaf's type or a wider one.
type Finding struct {
	Max    bool // the greatest leaf is searched
	Last   bool // of equal leaves the last wins
	Leaf   any
	Signed bool // the type of the key is signed
	Key    func() uint64
	Found  func(k int, v uint64) // is told a better leaf and its point in the row
}

func (z *typed[T]) Find(f *Finding) Step {
	leaf := f.Leaf.(*Vector[T])
	kernel := z.Table.Find.MinFirst
	switch {
	case f.Max && f.Last:
		kernel = z.Table.Find.MaxLast
	case f.Max:
		kernel = z.Table.Find.MaxFirst
	case f.Last:
		kernel = z.Table.Find.MinLast
	}
	if z.t.IsFloat() {
		return func(k, n int) {
			if v, i := kernel(leaf.V[:n], z.uncarry(f.Key())); i >= 0 {
				f.Found(k+i, z.carry(v))
			}
		}
	}
	return func(k, n int) {
		x := leaf.V[:n]
		key := f.Key()
		first := -1 // the place that is ahead of the others
		v := T(key)
		if uint64(v) != key { // no element is like the key: all are better, or none
			if above := !f.Signed || int64(key) > 0; above == f.Max {
				return
			}
			first, v = 0, x[0]
		}
		v, i := kernel(x[first+1:], v)
		if i >= 0 || first >= 0 {
			f.Found(k+first+1+i, uint64(v))
		}
	}
}

func (z *typed[T]) Place(last bool, leaf any, found func(k int, v uint64)) func(k, n int, v uint64) {
	x, place := leaf.(*Vector[T]), z.Table.Find.First
	if last {
		place = z.Table.Find.Last
	}
	return func(k, n int, v uint64) {
		i := place(x.V[:n], z.uncarry(v))
		found(k+i, z.carry(x.V[i]))
	}
}

func (z *typed[T]) Least(max bool, x any) func(n int) uint64 {
	v, f := x.(*Vector[T]), z.Reduce.Min
	if max {
		f = z.Reduce.Max
	}
	return func(n int) uint64 { return z.carry(f(v.V[1:n], v.V[0])) }
}
