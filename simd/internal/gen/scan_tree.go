package main

import (
	"fmt"
	"strings"
)

// tree is the loops of a fixed tree of floats for sums or products, whose first block and rest are the twin's.
func (l lane) tree(op, identity, even string) string {
	load, steps, store, peak := "v := LOAD(ARRAY(x))\n", l.TreeSteps(op, "v"), "", ""
	total, all := "v", []string{"v"}
	if l.Bits == 64 {
		load = "v, w := LOAD(ARRAY(x)), LOAD(ARRAY(x[LANES:]))\n"
		steps += l.TreeSteps(op, "w") + "w = w.OP(" + l.Total("v") + ")\n"
		total, all = "w", []string{"v", "w"}
	}
	for i, v := range all {
		store += fmt.Sprintf("%[1]s = start.OP(so.OP(%[1]s))\n%[1]s.StoreArray(ARRAY(dst[%[2]d:]))\nfinite = finite.Add(%[1]s.Sub(%[1]s))\n", v, i*l.Lanes())
		peak += fmt.Sprintf("peak = peak.Add(so.OP(%s).ToBits().And(size).BitsTo%s())\n", v, l.Name())
	}
	last := l.Total(total)
	if l.Bits == 32 {
		last = total + ".Permute(seven)"
	}
	head := `
	if !p.Begun {
		n := min(len(x), TreeLanes)
		FIRST
	}
	begin, ends := [1]ELEM{p.Total}, [3][LANES]ELEM{}
	id, so := archsimd.BroadcastVEC(` + identity + `), archsimd.BroadcastVEC(begin[0])
	` + even + "\n"
	if l.Bits == 32 {
		head += "seven := archsimd.BroadcastUint32x8(7)\n"
	}
	text := `
func reduce` + op + `TreeVEC(x []ELEM, p *Prefix[ELEM]) {
	` + strings.ReplaceAll(head, "FIRST", "reduce"+op+"Tree(x[:n], p)\nx = x[n:]") + `
	peak := archsimd.BroadcastVEC(0)
	size := archsimd.BroadcastUintNUM(1<<(BITS-1) - 1)
	for ; len(x) >= TreeLanes; x = x[TreeLanes:] {
		` + load + steps + "t := " + last + "\n" + peak + `so = so.OP(t)
	}
	so.StoreArray(&ends[0])
	peak.StoreArray(&ends[1])
	endVectors()
	p.Total = ends[0][0]
	for _, v := range ends[1] {
		p.Peak += v
	}
	reduce` + op + `Tree(x, p)
}

func scan` + op + `TreeVEC(dst, x []ELEM, from ELEM, p *Prefix[ELEM]) bool {
	dst = dst[:len(x)]
	fine := true
	` + strings.ReplaceAll(head, "FIRST", "fine = scan"+op+"Tree(dst[:n], x[:n], from, p)\ndst, x = dst[n:], x[n:]") + `
	starts := [1]ELEM{from}
	start := archsimd.BroadcastVEC(starts[0])
	finite := archsimd.BroadcastVEC(0)
	for ; len(x) >= TreeLanes && len(dst) >= TreeLanes; dst, x = dst[TreeLanes:], x[TreeLanes:] {
		` + load + steps + "t := " + last + "\n" + store + `so = so.OP(t)
	}
	so.StoreArray(&ends[0])
	finite.StoreArray(&ends[1])
	endVectors()
	p.Total = ends[0][0]
	for _, v := range ends[1] {
		fine = fine && v == 0
	}
	return scan` + op + `Tree(dst, x, from, p) && fine
}
`
	text = strings.NewReplacer(".OP(", "."+op+"(", "UintNUM", fmt.Sprintf("Uint%dx%d", l.Bits, l.Lanes()), "BITS", fmt.Sprint(l.Bits)).Replace(text)
	return l.in(text)
}

// affineTree is the loops of a fixed tree of steps x ↦ x·a + b.
func (l lane) affineTree() string {
	load, steps, store, peak := "p, q := LOAD(ARRAY(a)), LOAD(ARRAY(b))\n", l.AffineSteps("p", "q"), "", ""
	lastP, lastQ, all := "p", "q", [][2]string{{"p", "q"}}
	if l.Bits == 64 {
		load += "r, s := LOAD(ARRAY(a[LANES:])), LOAD(ARRAY(b[LANES:]))\n"
		steps += l.AffineSteps("r", "s") + "s = " + l.Total("q") + ".Mul(r).Add(s)\nr = " + l.Total("p") + ".Mul(r)\n"
		lastP, lastQ, all = "r", "s", append(all, [2]string{"r", "s"})
	}
	for i, v := range all {
		join := fmt.Sprintf("%[2]s = sum.Mul(%[1]s).Add(%[2]s)\n%[1]s = factor.Mul(%[1]s)\n", v[0], v[1])
		store += join + fmt.Sprintf("%[2]s = start.Mul(%[1]s).Add(%[2]s)\n%[2]s.StoreArray(ARRAY(dst[%[3]d:]))\nfinite = finite.Add(%[2]s.Sub(%[2]s))\n", v[0], v[1], i*l.Lanes())
		peak += join + fmt.Sprintf("peaks = peaks.Add(%[1]s.ToBits().And(size).BitsTo%[3]s())\npeak = peak.Add(%[2]s.ToBits().And(size).BitsTo%[3]s())\n", v[0], v[1], l.Name())
	}
	even := ""
	total := l.Total
	if l.Bits == 32 {
		even = "even := archsimd.BroadcastUint64x4(0x3f800000)\nseven := archsimd.BroadcastUint32x8(7)\n"
		total = func(v string) string { return v + ".Permute(seven)" }
	}
	for _, step := range []int{1, 2, 4} {
		if step < l.Lanes() {
			even += fmt.Sprintf("idle%d := %s\n", step, l.Idle(step))
		}
	}
	head := `
	if !so.Begun {
		n := min(len(b), TreeLanes)
		FIRST
	}
	begin, ends := [2]ELEM{so.Factor, so.Total}, [4][LANES]ELEM{}
	zero, one := archsimd.BroadcastVEC(0), archsimd.BroadcastVEC(1)
	factor, sum := archsimd.BroadcastVEC(begin[0]), archsimd.BroadcastVEC(begin[1])
	` + even
	next := "t, u := " + total(lastP) + ", " + total(lastQ) + "\n"
	text := `
func reduceAffineTreeVEC(a, b []ELEM, so *Prefix[ELEM]) {
	a = a[:len(b)]
	` + strings.ReplaceAll(head, "FIRST", "reduceAffineTree(a[:n], b[:n], so)\na, b = a[n:], b[n:]") + `
	peaks, peak := zero, zero
	size := archsimd.BroadcastUintNUM(1<<(BITS-1) - 1)
	for ; len(b) >= TreeLanes && len(a) >= TreeLanes; a, b = a[TreeLanes:], b[TreeLanes:] {
		` + load + steps + next + peak + `sum = sum.Mul(t).Add(u)
		factor = factor.Mul(t)
	}
	factor.StoreArray(&ends[0])
	sum.StoreArray(&ends[1])
	peaks.StoreArray(&ends[2])
	peak.StoreArray(&ends[3])
	endVectors()
	so.Factor, so.Total = ends[0][0], ends[1][0]
	for i, v := range ends[2] {
		so.Factors += v
		so.Peak += ends[3][i]
	}
	reduceAffineTree(a, b, so)
}

func scanAffineTreeVEC(dst, a, b []ELEM, from ELEM, so *Prefix[ELEM]) bool {
	dst, a = dst[:len(b)], a[:len(b)]
	fine := true
	` + strings.ReplaceAll(head, "FIRST", "fine = scanAffineTree(dst[:n], a[:n], b[:n], from, so)\ndst, a, b = dst[n:], a[n:], b[n:]") + `
	starts := [1]ELEM{from}
	start := archsimd.BroadcastVEC(starts[0])
	finite := zero
	for ; len(b) >= TreeLanes && len(a) >= TreeLanes && len(dst) >= TreeLanes; dst, a, b = dst[TreeLanes:], a[TreeLanes:], b[TreeLanes:] {
		` + load + steps + next + store + `sum = sum.Mul(t).Add(u)
		factor = factor.Mul(t)
	}
	factor.StoreArray(&ends[0])
	sum.StoreArray(&ends[1])
	finite.StoreArray(&ends[2])
	endVectors()
	so.Factor, so.Total = ends[0][0], ends[1][0]
	for _, v := range ends[2] {
		fine = fine && v == 0
	}
	return scanAffineTree(dst, a, b, from, so) && fine
}
`
	return l.in(strings.NewReplacer("UintNUM", fmt.Sprintf("Uint%dx%d", l.Bits, l.Lanes()), "BITS", fmt.Sprint(l.Bits)).Replace(text))
}

// powersTree is the scan of affineTree for a factor that is the same at all elements: its powers are computed before the loop.
func (l lane) powersTree() string {
	load, powers, steps, factor, total := "q := LOAD(ARRAY(b))\n", "p := archsimd.BroadcastVEC(begin[2])\n"+l.Powers("p"), l.SummandSteps("q"), "p", "q"
	store := "q = start.Mul(factor.Mul(p)).Add(sum.Mul(p).Add(q))\nq.StoreArray(ARRAY(dst))\nfinite = finite.Add(q.Sub(q))\n"
	last, even := l.Total, ""
	if l.Bits == 32 {
		even = "even := archsimd.BroadcastUint64x4(0x3f800000)\nseven := archsimd.BroadcastUint32x8(7)\n"
		last = func(v string) string { return v + ".Permute(seven)" }
	} else {
		load, factor, total = "q, s := LOAD(ARRAY(b)), LOAD(ARRAY(b[LANES:]))\n", "r", "s"
		powers += "r := " + l.Total("p") + ".Mul(p)\n"
		steps += l.SummandSteps("s") + "s = " + l.Total("q") + ".Mul(p).Add(s)\n"
		store += "s = start.Mul(factor.Mul(r)).Add(sum.Mul(r).Add(s))\ns.StoreArray(ARRAY(dst[LANES:]))\nfinite = finite.Add(s.Sub(s))\n"
	}
	for _, step := range []int{1, 2, 4} {
		if step < l.Lanes() {
			even += fmt.Sprintf("idle%d := %s\n", step, l.Idle(step))
		}
	}
	return l.in(`
func scanPowersTreeVEC(dst []ELEM, a ELEM, b []ELEM, from ELEM, so *Prefix[ELEM]) bool {
	dst = dst[:len(b)]
	fine := true
	if !so.Begun {
		n := min(len(b), TreeLanes)
		fine = scanPowersTree(dst[:n], a, b[:n], from, so)
		dst, b = dst[n:], b[n:]
	}
	begin, ends := [4]ELEM{so.Factor, so.Total, a, from}, [3][LANES]ELEM{}
	zero, one, start := archsimd.BroadcastVEC(0), archsimd.BroadcastVEC(1), archsimd.BroadcastVEC(begin[3])
	factor, sum, finite := archsimd.BroadcastVEC(begin[0]), archsimd.BroadcastVEC(begin[1]), zero
	` + even + powers + "t := " + last(factor) + `
	for ; len(b) >= TreeLanes && len(dst) >= TreeLanes; dst, b = dst[TreeLanes:], b[TreeLanes:] {
		` + load + steps + "u := " + last(total) + "\n" + store + `sum = sum.Mul(t).Add(u)
		factor = factor.Mul(t)
	}
	factor.StoreArray(&ends[0])
	sum.StoreArray(&ends[1])
	finite.StoreArray(&ends[2])
	endVectors()
	so.Factor, so.Total = ends[0][0], ends[1][0]
	for _, v := range ends[2] {
		fine = fine && v == 0
	}
	return scanPowersTree(dst, begin[2], b, begin[3], so) && fine
}
`)
}
