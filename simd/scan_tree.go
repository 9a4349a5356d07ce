package simd

// block combines the elements of a block by the tree of TreeLanes.

func addBlock[T Float](v *[TreeLanes]T) {
	v[1], v[3], v[5], v[7] = v[0]+v[1], v[2]+v[3], v[4]+v[5], v[6]+v[7]
	v[2], v[3], v[6], v[7] = v[1]+v[2], v[1]+v[3], v[5]+v[6], v[5]+v[7]
	v[4], v[5], v[6], v[7] = v[3]+v[4], v[3]+v[5], v[3]+v[6], v[3]+v[7]
}

func mulBlock[T Float](v *[TreeLanes]T) {
	v[1], v[3], v[5], v[7] = v[0]*v[1], v[2]*v[3], v[4]*v[5], v[6]*v[7]
	v[2], v[3], v[6], v[7] = v[1]*v[2], v[1]*v[3], v[5]*v[6], v[5]*v[7]
	v[4], v[5], v[6], v[7] = v[3]*v[4], v[3]*v[5], v[3]*v[6], v[3]*v[7]
}

// affineBlock does so for steps x ↦ x·p + q.
func affineBlock[T Float](p, q *[TreeLanes]T) {
	for d := 1; d < TreeLanes; d *= 2 {
		for i := d; i < TreeLanes; i++ {
			if i&d != 0 {
				low := i&^(d-1) - 1
				q[i] = T(q[low]*p[i]) + q[i]
				p[i] = p[low] * p[i]
			}
		}
	}
}

// addTotals puts the totals up to each of at most TreeLanes elements into v.
func addTotals[T Float](v *[TreeLanes]T, x []T, p *Prefix[T]) {
	copy(v[:], x)
	addBlock(v)
	if p.Begun {
		for i := range v {
			v[i] = p.Total + v[i]
		}
	}
	p.Begun, p.Total = true, v[len(x)-1]
}

func mulTotals[T Float](v *[TreeLanes]T, x []T, p *Prefix[T]) {
	copy(v[:], x)
	mulBlock(v)
	if p.Begun {
		for i := range v {
			v[i] = p.Total * v[i]
		}
	}
	p.Begun, p.Total = true, v[len(x)-1]
}

func affineTotals[T Float](f, v *[TreeLanes]T, a, b []T, p *Prefix[T]) {
	copy(f[:], a)
	copy(v[:], b)
	affineBlock(f, v)
	if p.Begun {
		for i := range v {
			v[i] = T(p.Total*f[i]) + v[i]
			f[i] = p.Factor * f[i]
		}
	}
	p.Begun, p.Factor, p.Total = true, f[len(b)-1], v[len(b)-1]
}

func reduceAddTree[T Float](x []T, p *Prefix[T]) { reduceTree(x, p, addTotals[T]) }
func reduceMulTree[T Float](x []T, p *Prefix[T]) { reduceTree(x, p, mulTotals[T]) }

func reduceTree[T Float](x []T, p *Prefix[T], totals func(v *[TreeLanes]T, x []T, p *Prefix[T])) {
	for len(x) > 0 {
		var v [TreeLanes]T
		n := min(len(x), TreeLanes)
		totals(&v, x[:n], p)
		for _, y := range v[:n] {
			p.Peak += size(y)
		}
		x = x[n:]
	}
}

func scanAddTree[T Float](dst, x []T, from T, p *Prefix[T]) bool {
	dst = dst[:len(x)]
	var finite T
	for len(x) > 0 {
		var v [TreeLanes]T
		n := min(len(x), TreeLanes)
		addTotals(&v, x[:n], p)
		for i := range v[:n] {
			y := from + v[i]
			dst[i] = y
			finite += y - y
		}
		dst, x = dst[n:], x[n:]
	}
	return finite == 0
}

func scanMulTree[T Float](dst, x []T, from T, p *Prefix[T]) bool {
	dst = dst[:len(x)]
	var finite T
	for len(x) > 0 {
		var v [TreeLanes]T
		n := min(len(x), TreeLanes)
		mulTotals(&v, x[:n], p)
		for i := range v[:n] {
			y := T(from * v[i])
			dst[i] = y
			finite += y - y
		}
		dst, x = dst[n:], x[n:]
	}
	return finite == 0
}

func reduceAffineTree[T Float](a, b []T, p *Prefix[T]) {
	for len(b) > 0 {
		var f, v [TreeLanes]T
		n := min(len(b), TreeLanes)
		affineTotals(&f, &v, a[:n], b[:n], p)
		for i := range v[:n] {
			p.Factors += size(f[i])
			p.Peak += size(v[i])
		}
		a, b = a[n:], b[n:]
	}
}

func scanAffineTree[T Float](dst, a, b []T, from T, p *Prefix[T]) bool {
	dst, a = dst[:len(b)], a[:len(b)]
	var finite T
	for len(b) > 0 {
		var f, v [TreeLanes]T
		n := min(len(b), TreeLanes)
		affineTotals(&f, &v, a[:n], b[:n], p)
		for i := range v[:n] {
			y := T(from*f[i]) + v[i]
			dst[i] = y
			finite += y - y
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
	return finite == 0
}

func scanPowersTree[T Float](dst []T, a T, b []T, from T, p *Prefix[T]) bool {
	var factors [TreeLanes]T
	for i := range factors {
		factors[i] = a
	}
	fine := true
	for len(b) > 0 {
		n := min(len(b), TreeLanes)
		fine = scanAffineTree(dst[:n], factors[:n], b[:n], from, p) && fine
		dst, b = dst[n:], b[n:]
	}
	return fine
}
