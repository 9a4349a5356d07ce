package tablegen

import (
	"math"
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/simd"
)

const (
	maxVars = 16 // variables of a space
	triples = 16 // at which associativity is tried first
	others  = 128
)

// env is the values of a space's variables; a flag is 0 or 1.
type env[T simd.Number] [maxVars]T

// triple is a point (x, y, z, k) of associativity: as values of (x, y), of (y, z), and of
// (·, z) and (x, ·), whose gaps the results of the first two fill.
type triple[T simd.Number] struct{ xy, yz, left, right env[T] }

// points are where functions are evaluated: (x, y) and (y, z) of each triple, then others.
type points[T simd.Number] struct {
	n       int
	triples [triples]triple[T]
	values  [][]T    // of each variable at all points
	flags   [][]bool // the same for variables that are flags
	nan     T
}

func newPoints[T simd.Number](w *world, vars []leaf, components int) points[T] {
	p := points[T]{n: 2*triples + others}
	d := drawer[T]{w.values, rand.New(rand.NewPCG(1, 2))}
	if w.values == ieee {
		p.nan = d.of(math.NaN())
	}
	p.values, p.flags = make([][]T, len(vars)), make([][]bool, len(vars))
	for i := range vars {
		p.values[i], p.flags[i] = make([]T, p.n), make([]bool, p.n)
	}
	set := func(at int, e *env[T]) {
		for i := range vars {
			p.values[i][at], p.flags[i][at] = e[i], e[i] != 0
		}
	}
	for t := range triples {
		s := small
		if t%4 == 3 {
			s = anything
		}
		p.triples[t] = d.triple(vars, components, s)
		set(2*t, &p.triples[t].xy)
		set(2*t+1, &p.triples[t].yz)
	}
	for i := range others {
		e := d.env(vars, style(i%numStyles))
		set(2*triples+i, &e)
	}
	return p
}

// style is how large values are drawn.
type style int

const (
	small style = iota // ties are common
	medium
	limit // the type's limits and their neighbours
	anything
	numStyles = int(anything) + 1
)

// drawer draws values of a world.
type drawer[T simd.Number] struct {
	kind valueKind
	rng  *rand.Rand
}

func (d *drawer[T]) of(f float64) T { return T(f) }

func (d *drawer[T]) number(s style) T {
	n := d.rng.IntN
	switch d.kind {
	case signedWords, unsignedWords:
		switch s {
		case small:
			return T(int64(n(7) - 3))
		case medium:
			return T(int64(n(401) - 200))
		case limit:
			v := int32([]int64{math.MinInt32, math.MaxInt32, 0, -1}[n(4)] + int64(n(5)-2))
			return T(v)
		}
		return T(int32(d.rng.Uint32()))
	case integers:
		return T(int64([]int{n(7) - 3, n(41) - 20, n(201) - 100, n(401) - 200}[s]))
	case naturals:
		return T(int64([]int{n(5), n(21), n(101), n(201)}[s]))
	case reals:
		return d.of(float64([]int{2 * (n(7) - 3), n(9) - 4, n(17) - 8, n(33) - 16}[s]) / 2)
	}
	special := []float64{0, 1, -1, 2, -2, 0.5, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32}
	if d.kind == ieee {
		special = append(special, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1))
	}
	if s == limit || s == anything {
		return d.of(special[n(len(special))])
	}
	return d.of(float64(n(7) - 3))
}

func (d *drawer[T]) env(vars []leaf, s style) (e env[T]) {
	for i, v := range vars {
		switch {
		case v.name == '#':
			e[i] = T(int64(v.value))
		case v.sort == flag:
			e[i] = T(int64(d.rng.IntN(2)))
		default:
			of := s
			if d.rng.IntN(8) == 0 {
				of = style(d.rng.IntN(numStyles))
			}
			e[i] = d.number(of)
		}
	}
	return e
}

// triple draws a point of associativity.
func (d *drawer[T]) triple(vars []leaf, components int, s style) triple[T] {
	var t triple[T]
	t.xy = d.env(vars, s)
	z := d.env(vars, s)
	t.yz, t.left, t.right = t.xy, t.xy, t.xy
	for i := range components {
		x, y := i, components+i
		t.yz[x], t.yz[y] = t.xy[y], z[x]
		t.left[y] = z[x]
	}
	return t
}
