package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestScan compares the scans of this machine with the loops from the first element to the last, also in place.
func TestScan(t *testing.T) {
	t.Run("int8", scansAreLoops[int8])
	t.Run("int16", scansAreLoops[int16])
	t.Run("int32", scansAreLoops[int32])
	t.Run("int64", scansAreLoops[int64])
	t.Run("uint8", scansAreLoops[uint8])
	t.Run("uint16", scansAreLoops[uint16])
	t.Run("uint32", scansAreLoops[uint32])
	t.Run("uint64", scansAreLoops[uint64])
	t.Run("float32", scansAreLoops[float32])
	t.Run("float64", scansAreLoops[float64])
}

func scansAreLoops[T Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	v, p := ScanOf[T](), PortableScan[T]()
	for name, f := range map[string][2]func(dst, x []T, init T) T{"Add": {v.Add, p.Add}, "Mul": {v.Mul, p.Mul}, "Min": {v.Min, p.Min}, "Max": {v.Max, p.Max},
		"And": {v.And, p.And}, "Or": {v.Or, p.Or}, "Xor": {v.Xor, p.Xor}} {
		if f[1] == nil {
			continue
		}
		for n := range 150 {
			x, got, want := drawn[T](rng, n), make([]T, n), make([]T, n)
			init := drawn[T](rng, 1)[0]
			g, w := f[0](got, x, init), f[1](want, x, init)
			if !alike(append(got, g), append(want, w)) {
				t.Fatalf("%s of %v from %v: %v, wanted %v", name, x, init, got, want)
			}
			if f[0](x, x, init); !alike(x, want) {
				t.Fatalf("%s of %d in place: %v, wanted %v", name, n, x, want)
			}
		}
	}
	for n := range 150 {
		a, b, got, want := drawn[T](rng, n), drawn[T](rng, n), make([]T, n), make([]T, n)
		init := drawn[T](rng, 1)[0]
		g, w := v.Affine(got, a, b, init), p.Affine(want, a, b, init)
		if !alike(append(got, g), append(want, w)) {
			t.Fatalf("%v·x + %v from %v: %v, wanted %v", a, b, init, got, want)
		}
	}
}

// drawn is numbers of all kinds: of floats now and then one that is not finite, or a zero of either sign.
func drawn[T Number](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	odd := rng.IntN(3) == 0
	for i := range x {
		if !isFloat[T]() {
			x[i] = T(rng.Uint64())
			continue
		}
		f := float64(rng.IntN(2000)-1000) / 256
		if odd && rng.IntN(20) == 0 {
			f = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 3e38, -3e38, 1e-45}[rng.IntN(8)]
		}
		x[i] = T(f)
	}
	return x
}

// alike compares bits; NaN is like any other.
func alike[T Number](x, y []T) bool {
	for i, a := range x {
		if b := y[i]; a != b && (a == a || b == b) || a == 0 && 1/float64(a) != 1/float64(b) && isFloat[T]() {
			return false
		}
	}
	return len(x) == len(y)
}

// TestTree compares the trees of this machine with those in plain Go, and these with the tree as it is described.
func TestTree(t *testing.T) {
	t.Run("float32", treesAreAlike[float32])
	t.Run("float64", treesAreAlike[float64])
}

// described combines totals by a tree of blocks.
func described[T any](x []T, combine func(a, b T) T) []T {
	var all []T
	for lo := 0; lo < len(x); lo += TreeLanes {
		block := append([]T(nil), x[lo:min(len(x), lo+TreeLanes)]...)
		for d := 1; d < TreeLanes; d *= 2 {
			for i := range block {
				if i/d%2 == 1 {
					block[i] = combine(block[i/d*d-1], block[i])
				}
			}
		}
		for _, y := range block {
			if lo > 0 {
				y = combine(all[lo-1], y)
			}
			all = append(all, y)
		}
	}
	return all
}

func treesAreAlike[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 2))
	v, p := ScanOf[T](), PortableScan[T]()
	type step struct{ a, b T }
	for round := range 600 {
		n := rng.IntN(120)
		cut := rng.IntN(n/TreeLanes+1) * TreeLanes
		a, b, from := drawn[T](rng, n), drawn[T](rng, n), drawn[T](rng, 1)[0]
		var steps []step
		for i := range a {
			if round%2 == 0 {
				a[i] = T(math.Mod(float64(a[i]), 1.5))
			}
			steps = append(steps, step{a[i], b[i]})
		}
		all := map[string]func(s *Scan[T]) []T{
			"Add": func(s *Scan[T]) []T { return ofTree(s.AddTree, b, cut, from) },
			"Mul": func(s *Scan[T]) []T { return ofTree(s.MulTree, a, cut, from) },
			"Affine": func(s *Scan[T]) []T {
				return ofTree(&Tree[T]{
					func(x []T, q *Prefix[T]) {
						s.AffineTree.Reduce(a[n-len(x):][:min(len(x), cut)], x[:min(len(x), cut)], q)
						s.AffineTree.Reduce(a[n-len(x):][min(len(x), cut):], x[min(len(x), cut):], q)
					},
					func(dst, x []T, from T, q *Prefix[T]) bool {
						half := len(x) / 2 / TreeLanes * TreeLanes
						at := a[n-len(b):]
						if len(x) == n-cut && cut > 0 {
							at = a[cut:]
						}
						one := s.AffineTree.Scan(dst[:half], at[:half], x[:half], from, q)
						return s.AffineTree.Scan(dst[half:], at[half:len(x)], x[half:], from, q) && one
					}}, b, 0, from)
			},
		}
		by := T(0.75)
		if round%3 == 0 {
			by = drawn[T](rng, 1)[0]
		}
		var powers []step
		for i := range b {
			powers = append(powers, step{by, b[i]})
		}
		all["Powers"] = func(s *Scan[T]) []T {
			return ofTree(&Tree[T]{
				func(x []T, q *Prefix[T]) { s.AffineTree.Reduce(slices.Repeat([]T{by}, len(x)), x, q) },
				func(dst, x []T, from T, q *Prefix[T]) bool {
					half := len(x) / 2 / TreeLanes * TreeLanes
					one := s.AffineTree.ScanBy(dst[:half], by, x[:half], from, q)
					return s.AffineTree.ScanBy(dst[half:], by, x[half:], from, q) && one
				}}, b, 0, from)
		}
		wants := map[string][]T{}
		for _, y := range described(powers, func(p, q step) step { return step{p.a * q.a, T(p.b*q.a) + q.b} }) {
			wants["Powers"] = append(wants["Powers"], T(from*y.a)+y.b)
		}
		for _, y := range described(b, func(a, b T) T { return a + b }) {
			wants["Add"] = append(wants["Add"], from+y)
		}
		for _, y := range described(a, func(a, b T) T { return a * b }) {
			wants["Mul"] = append(wants["Mul"], from*y)
		}
		for _, y := range described(steps, func(p, q step) step { return step{p.a * q.a, T(p.b*q.a) + q.b} }) {
			wants["Affine"] = append(wants["Affine"], T(from*y.a)+y.b)
		}
		for name, f := range all {
			got, want := f(v), f(p)
			finite := true
			for _, y := range wants[name] {
				finite = finite && y-y == 0
			}
			if got[n] != want[n] || got[n] == 1 != finite || finite && (!alike(got, want) || !alike(got[:n], wants[name])) {
				t.Fatalf("%s of %d: %v\nin plain Go %v\nwanted %v\n%v %v %v", name, n, got, want, wants[name], a, b, from)
			}
		}
	}
}

// ofTree is what a tree scans, whether all of it is finite, and, where that is so, what it reduces to.
func ofTree[T Float](tree *Tree[T], x []T, cut int, from T) []T {
	out := make([]T, len(x))
	var p, q Prefix[T]
	finite := tree.Scan(out[:cut], x[:cut], from, &p)
	finite = tree.Scan(out[cut:], x[cut:], from, &p) && finite
	tree.Reduce(x, &q)
	all := append(out, 0)
	if finite {
		all[len(x)] = 1
		all = append(all, p.Total, q.Total, p.Factor, q.Factor)
		for _, y := range out {
			if float64(size(y)) > 1.001*(float64(size(from))*float64(max(q.Factors, 1, q.Peak))+float64(q.Peak)) {
				panic(fmt.Sprint(y, " is above the bound by ", q))
			}
		}
	}
	return all
}

func BenchmarkScan(b *testing.B) {
	const n = 32 << 10
	x, a, y := make([]float32, n), make([]float32, n), make([]float32, n)
	i, o := make([]int32, n), make([]int32, n)
	u, v := make([]uint8, n), make([]uint8, n)
	for k := range x {
		x[k], a[k] = float32(k%17), .5
	}
	f, g := ScanOf[float32](), ScanOf[int32]()
	for name, do := range map[string]func(){
		"copy i32": func() { copy(o, i) }, "add i32": func() { g.Add(o, i, 0) }, "max i32": func() { g.Max(o, i, 0) }, "affine i32": func() { g.Affine(o, i, i, 0) },
		"add u8":  func() { ScanOf[uint8]().Add(v, u, 0) },
		"max f32": func() { f.Max(y, x, 0) }, "add f32": func() { f.Add(y, x, 0) },
		"add tree f32": func() { f.AddTree.Scan(y, x, 0, &Prefix[float32]{}) }, "add tree f32, reduced": func() { f.AddTree.Reduce(x, &Prefix[float32]{}) },
		"affine tree f32": func() { f.AffineTree.Scan(y, a, x, 0, &Prefix[float32]{}) }, "affine f32": func() { f.Affine(y, a, x, 0) },
		"affine tree f32, reduced": func() { f.AffineTree.Reduce(a, x, &Prefix[float32]{}) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
		})
	}
}
