package gosrc

// What scans of floats call, whose trees depend on the places of elements in their tile alone.
var (
	prefixType = Helper{nil, `// prefix is what a tile has combined so far: of steps x ↦ x·factor + total, of sums and products total alone.
type prefix[T float32 | float64] struct {
	begun         bool
	factor, total T
}
`}
	addTotals = Helper{[]string{"prefix"}, `// addTotals puts the sums up to each of n elements of a block into v. The upper half of each 2, then 4, then 8 takes the last one of the lower half.
func addTotals[T float32 | float64](v *[8]T, n int, p *prefix[T]) {
	v[1], v[3], v[5], v[7] = v[0]+v[1], v[2]+v[3], v[4]+v[5], v[6]+v[7]
	v[2], v[3], v[6], v[7] = v[1]+v[2], v[1]+v[3], v[5]+v[6], v[5]+v[7]
	v[4], v[5], v[6], v[7] = v[3]+v[4], v[3]+v[5], v[3]+v[6], v[3]+v[7]
	if p.begun {
		for i := range v {
			v[i] = p.total + v[i]
		}
	}
	p.begun, p.total = true, v[n-1]
}
`}
	mulTotals = Helper{[]string{"prefix"}, `// mulTotals puts the products up to each of n elements of a block into v. The upper half of each 2, then 4, then 8 takes the last one of the lower half.
func mulTotals[T float32 | float64](v *[8]T, n int, p *prefix[T]) {
	v[1], v[3], v[5], v[7] = v[0]*v[1], v[2]*v[3], v[4]*v[5], v[6]*v[7]
	v[2], v[3], v[6], v[7] = v[1]*v[2], v[1]*v[3], v[5]*v[6], v[5]*v[7]
	v[4], v[5], v[6], v[7] = v[3]*v[4], v[3]*v[5], v[3]*v[6], v[3]*v[7]
	if p.begun {
		for i := range v {
			v[i] = p.total * v[i]
		}
	}
	p.begun, p.total = true, v[n-1]
}
`}
	affineTotals = Helper{[]string{"prefix"}, `// affineTotals composes the steps x ↦ x·f + v up to each of n elements of a block. The upper half of each 2, then 4, then 8 takes the last one of
// the lower half.
func affineTotals[T float32 | float64](f, v *[8]T, n int, p *prefix[T]) {
	for d := 1; d < len(v); d *= 2 {
		for i := d; i < len(v); i++ {
			if i&d != 0 {
				low := i&^(d-1) - 1
				v[i] = T(v[low]*f[i]) + v[i]
				f[i] = f[low] * f[i]
			}
		}
	}
	if p.begun {
		for i := range v {
			v[i] = T(p.total*f[i]) + v[i]
			f[i] = p.factor * f[i]
		}
	}
	p.begun, p.factor, p.total = true, f[n-1], v[n-1]
}
`}
)
