// Package loops has loops with what is to be said of each: a comment "want:" on the line of the loop has
// the verdict and the exit, and words that occur in the message, separated by " | ".
package loops

import (
	"math"
	"math/bits"
)

func sum(a []int) (s int) {
	for _, v := range a { // want: reduction counted | sum | y0 = a[i]
		s += v
	}
	return s
}

func guarded(a []float64, k float64) (n int) {
	for i := 0; i < len(a); i++ { // want: reduction counted | sum | select(a[i] > k, 1, 0)
		if a[i] > k {
			n++
		}
	}
	return n
}

func argmin(a []int) (at int) {
	best := a[0]
	for i, v := range a { // want: reduction counted | argmin (first of equals)
		if v < best {
			best, at = v, i
		}
	}
	return at
}

func argminLast(a []int) (at int) {
	best := a[0]
	for i, v := range a { // want: reduction counted | argmin (last of equals)
		if v <= best {
			best, at = v, i
		}
	}
	return at
}

func builtinMax(a []float64) float64 {
	m := math.Inf(-1)
	for _, v := range a { // want: reduction counted | max: m = max(x0, y0)
		m = max(m, v)
	}
	return m
}

func comparedMax(a []float64) float64 {
	m := a[0]
	for _, v := range a { // want: reduction counted | max, under nsz
		if v > m {
			m = v
		}
	}
	return m
}

func mathMax(a []float64) float64 {
	m := math.Inf(-1)
	for _, v := range a { // want: reduction counted | max
		m = math.Max(m, v)
	}
	return m
}

func dot(a, b []float64) (s float64) {
	for i := range a { // want: reduction counted | sum, under reassoc, contract | bounds
		s += a[i] * b[i]
	}
	return s
}

func horner(c []float64, x float64) (p float64) {
	for _, v := range c { // want: lift counted | affine | under reassoc, contract
		p = p*x + v
	}
	return p
}

func hash(s string) (h uint32) {
	for i := 0; i < len(s); i++ { // want: lift counted | affine
		h = h*16777619 + uint32(s[i])
	}
	return h
}

func runes(s string) (n int) {
	for _, r := range s { // want: reduction counted | sum
		if r > 127 {
			n++
		}
	}
	return n
}

func until(a []int) (s int) {
	for i := 0; a[i] != 0; i++ { // want: reduction input | a search, then a reduction by sum
		s += a[i]
	}
	return s
}

func prefix(a []int) (s int) {
	for _, v := range a { // want: reduction input | a search, then a reduction by sum
		if v < 0 {
			break
		}
		s += v
	}
	return s
}

func capped(a []int, limit int) (s int) {
	for _, v := range a { // want: reduction state | a search along a scan by sum
		s += v
		if s > limit {
			return limit
		}
	}
	return s
}

func words(b []byte) (s uint64) {
	for len(b) >= 8 { // want: reduction counted | bit_xor
		s ^= uint64(b[0]) | uint64(b[1])<<8
		b = b[8:]
	}
	return s
}

func ones(a []uint64) (n int) {
	for _, v := range a { // want: reduction counted | sum | popcount
		n += bits.OnesCount64(v)
	}
	return n
}

func both(a []int32) (lo, hi int32) {
	for _, v := range a { // want: reduction counted | min and max
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

func wide(a []int, n uint) (s uint8) {
	for _, v := range a { // want: reduction counted | bit_xor
		s ^= uint8(v) << n
	}
	return s
}

func several(a []int) (s int) {
	for i := 0; i < len(a); i++ { // want: reduction counted | sum
		if a[i] == 3 {
			continue
		}
		if a[i] < 0 {
			s -= a[i]
			continue
		}
		s += 2 * a[i]
	}
	return s
}

type pair struct{ x, y int }

func fields(p []pair, scale *int) (s int) {
	for i := range p { // want: reduction counted | sum | a step may panic: nil
		s += p[i].x * *scale
	}
	return s
}

func square(x int) int { return x * x }

func called(a []int) (s int) {
	for _, v := range a { // want: reduction counted | sum | square(a[i])
		s += square(v)
	}
	return s
}

func all(a []int, f []bool) bool {
	ok := true
	for i := range a { // want: reduction counted | and
		ok = ok && f[i] && a[i] > 0
	}
	return ok
}

func stepped(f func() float64, a []float64) (s float64) {
	for x := 0.0; x < 1; x += 0.125 { // want: reduction counted | under reassoc
		s += math.Sqrt(x)
	}
	return s
}

func tagless(a []int) (n, m int) {
	for _, v := range a { // want: reduction counted | sum
		switch {
		case v == 1:
			n++
		case v == 2, v == 3:
			m++
		}
	}
	return n, m
}

func labelled(a []int) (s int) {
outer:
	for _, v := range a { // want: reduction input | search
		switch v {
		case 0:
			break outer
		case 1:
			continue outer
		}
		s += v
	}
	return s
}

func counts[T ~int | ~string](a []T, b T) (n int) {
	for _, v := range a { // want: reduction counted | sum
		if v == b {
			n++
		}
	}
	return n
}

func granted(a []int) (s int) {
	//rfactor:assume nsw
	for _, v := range a { // want: lift counted | under nsw
		s = max(s+v, 0)
	}
	return s
}

func ignored(a []int) (best, at int) {
	//rfactor:ignore
	for i, v := range a {
		if v < best {
			best, at = v, i
		}
	}
	return best, at
}

func cumulated(a, b []float64) (s float64) {
	for i, v := range a { // want: reduction counted | a scan by sum, under reassoc, noalias | stores prefixes
		s += v
		b[i] = s
	}
	return s
}

func inPlace(a []int) (s int) {
	for i := range a { // want: reduction counted | a scan by sum: | stores prefixes
		s += a[i]
		a[i] = s
	}
	return s
}

func converted(a []int32, b []float64) (m int32) {
	for i, v := range a { // want: reduction counted | a reduction by max: | stores elements
		m = max(m, v)
		b[i] = float64(v)
	}
	return m
}

func sumOfMap(m map[string]int) (s, hi int) {
	for k, v := range m { // want: reduction counted | sum and max | no order changes the result
		s += v * len(k)
		hi = max(hi, v)
	}
	return s, hi
}

type stats struct {
	sum, least int
	n          int32
}

func (t *stats) add(a []int) {
	for _, v := range a { // want: reduction counted | sum and min: t.sum, t.least
		t.sum += v
		if v < t.least {
			t.least = v
		}
	}
}

func (t *stats) count(a []float64) {
	for _, v := range a { // want: reduction counted | sum: t.n
		if v > 3 {
			t.n++
		}
	}
}

var hits int

func counted(a []string) {
	for _, v := range a { // want: reduction counted | sum: hits
		if v == "hit" {
			hits++
		}
	}
}

func compacted(a []int, out []int) (n int) {
	for _, v := range a { // want: reduction counted | a scan by sum, under noalias | a compaction
		if v > 0 {
			out[n] = v
			n++
		}
	}
	return n
}

func filtered(a []string) (out []string) {
	for i, v := range a { // want: reduction counted | a scan by sum: len(out) = x0 + y0, with y0 = select(i > 0, 1, 0) | a compaction
		if i > 0 {
			out = append(out, v)
		}
	}
	return out
}

func splitAt(a []byte) (parts [][]byte) {
	last := 0
	for i, v := range a { // want: lift counted | a compaction
		if v == ' ' {
			parts = append(parts, a[last:i])
			last = i + 1
		}
	}
	return parts
}

func concatenated(a [][]byte) (out []byte) {
	out = make([]byte, 0, 100)
	for _, v := range a { // want: reduction counted | len(out) = x0 + y0, with y0 = len(a[i])
		out = append(out, v...)
	}
	return out
}

type log struct{ lines []string }

func (l *log) add(a []string) {
	for _, v := range a { // want: reduction counted | len(l.lines) = x0 + y0
		if v != "" {
			l.lines = append(l.lines, v, "and")
		}
	}
}

func copied(a []int) (out []int, s int) {
	for _, v := range a { // want: reduction counted | s = x0 + y0 | a compaction
		out = append(out, v)
		s += v
	}
	return out, s
}

func tallies(h []int, at []byte) (s int) {
	for _, v := range at { // want: reduction counted | a step stores elements where what it reads says, which may depend on what steps before stored
		h[v]++
		s += int(v)
	}
	return s
}

func clamp(x, lo, hi int) int {
	if lo > hi {
		panic("clamp: " + string(rune(lo)))
	}
	if x < lo {
		return lo
	}
	return min(x, hi)
}

func clamped(a []int, x int) int {
	for _, v := range a { // want: reduction counted | max | panic
		x = clamp(x, v, math.MaxInt)
	}
	return x
}

func larger(x, y float64, at, i int) (float64, int) {
	if y > x {
		return y, i
	}
	return x, at
}

func argmaxByCall(a []float64) (best float64, at int) {
	for i, v := range a { // want: reduction counted | argmax (first of equals)
		best, at = larger(best, v, at, i)
	}
	return best, at
}

func weight(p pair) int {
	q := p
	q.x *= 3
	return q.x + q.y
}

func weights(p []pair) (s int) {
	for _, v := range p { // want: reduction counted | sum | y0 = weight(
		s += weight(v)
	}
	return s
}

func sumOfProducts(a [][]int) (s int) {
	for _, row := range a { // want: reduction counted | sum | y0 = t
		t := 1
		for _, v := range row { // want: reduction counted | product
			t *= v
		}
		s += t
	}
	return s
}

func longestRow(a [][]float64, k float64) (at int) {
	most := 0
	for i, row := range a { // want: reduction counted | argmax (first of equals)
		n := 0
		for _, v := range row { // want: reduction counted | sum
			if v > k {
				n++
			}
		}
		if n > most {
			most, at = n, i
		}
	}
	return at
}

func withWord(a []string, c byte) (n int) {
	for _, s := range a { // want: reduction counted | sum
		found := false
		for i := 0; i < len(s) && !found; i++ { // want: state
			found = s[i] == c
		}
		if found {
			n++
		}
	}
	return n
}

func complexSum(a []complex128) (s complex128) {
	for _, v := range a { // want: reduction counted | sum | real(s), imag(s) | y0 = real(a[i]), y1 = imag(a[i])
		s += v
	}
	return s
}

func complexProduct(a []complex128) complex128 {
	p := complex128(1)
	for _, v := range a { // want: reduction counted | under reassoc, contract
		p *= v
	}
	return p
}

func complexEnergy(a []complex64) (s float32) {
	for _, v := range a { // want: reduction counted | sum
		s += real(v)*real(v) + imag(v)*imag(v)
	}
	return s
}

func complexCount(a []complex128, z complex128) (n int) {
	for _, v := range a { // want: reduction counted | sum
		if v == z {
			n++
		}
	}
	return n
}

func complexBest(a []complex128) (best complex128) {
	for _, v := range a { // want: reduction counted | real(best), imag(best)
		if real(v) > real(best) {
			best = v
		}
	}
	return best
}

type span struct{ from, to int }

type spans struct {
	span
	weight float64
}

func structTemporary(a []int) (s int) {
	for i, v := range a { // want: reduction counted | sum
		p := span{v, i}
		if p.from > p.to {
			p.to = 2
		}
		s += p.from * p.to
	}
	return s
}

func structCopied(a []spans) (longest int) {
	for _, v := range a { // want: reduction counted | max
		w := v
		if w.weight < 0 {
			w.span = span{from: w.to, to: w.from}
		}
		longest = max(longest, w.to-w.from)
	}
	return longest
}

func structOfState(a []int) (lo, hi int) {
	for _, v := range a { // want: reduction counted | min and max
		p := span{lo, hi}
		if v < p.from {
			p.from = v
		}
		if v > p.to {
			p.to = v
		}
		lo, hi = p.from, p.to
	}
	return lo, hi
}

type shape interface{ Area() float64 }

func promised(a []int, weight func(int) int) (s int) {
	//rfactor:pure
	for _, v := range a { // want: reduction counted | sum, under pure: s | with y0 = weight(a[i])
		s += weight(v)
	}
	return s
}

func promisedMethod(a []shape) (s float64) {
	//rfactor:pure
	for _, v := range a { // want: reduction counted | sum, under reassoc, pure | with y0 = a[i].Area()
		s += v.Area()
	}
	return s
}

func promisedAndPrinted(a []int, f func(int) int) (s int) {
	//rfactor:pure
	for _, v := range a { // want: stopped | unknown call (print)
		s += f(v)
		print(s)
	}
	return s
}

func promisedOfState(a []int, f func(int) int) (s int) {
	//rfactor:pure
	for _, v := range a { // want: stopped | call on the state
		s = f(s + v)
	}
	return s
}

func promisedBeforeStore(a []int, f func(int) int) (s int) {
	//rfactor:pure
	for i, v := range a { // want: stopped | store beside the reduction
		s += f(v)
		a[i] = s
	}
	return s
}

func hornerFused(a []float64, x float64) (s float64) {
	for _, v := range a { // want: lift counted | affine | under reassoc, contract
		s = math.FMA(s, x, v)
	}
	return s
}

func dotFused(a, b []float64) (s float64) {
	for i, v := range a { // want: reduction counted | sum, under reassoc, contract
		s = math.FMA(v, b[i], s)
	}
	return s
}

// fusedInputs is exact: what is fused is an input.
func fusedInputs(a, b []float64, c float64) (most float64) {
	for i, v := range a { // want: reduction counted | max
		most = max(most, math.FMA(v, b[i], c))
	}
	return most
}
