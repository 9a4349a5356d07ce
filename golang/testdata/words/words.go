// Package words has loops with what their variables and values are called in a report.
package words

func divmod(v, k int) (q, r int) { return v / (k | 1), v % (k | 1) }

func both(v int) (int, int) { return v / 3, v % 3 }

func results(a []int, k int) (s int) {
	for _, v := range a { // s by divmod(a[i], k).q ^ (divmod(a[i], k).r + 1)
		q, r := divmod(v, k)
		s += q ^ (r + 1)
	}
	return s
}

func unnamed(a []int) (s, t int) {
	for i := range a { // s, t by both(a[i]).0, both(a[i]).1
		q, r := both(a[i])
		s += q
		t ^= r
	}
	return s, t
}

func keys(m map[int]int) (s int) {
	for id, weight := range m { // s by id*weight
		s += id * weight
	}
	return s
}

func values(m map[int]int) (s int) {
	for _, weight := range m { // s by weight
		s += weight
	}
	return s
}

func runes(text string) (s int32) {
	for at, c := range text { // s by i32(at)*c
		s += int32(at) * c
	}
	return s
}

func counted(n int) (s int) {
	for k := range n { // s by k*k
		s += k * k
	}
	return s
}

func rows(a [][]int) (s int) {
	for _, row := range a { // s by s
		for _, v := range row { // s by a[i][j]
			s += v
		}
	}
	return s
}

func crossed(a [][]int, n int) (s int) {
	for y := range n {
		for _, row := range a { // s by a[i][y]
			s ^= row[y]
		}
	}
	return s
}

func behind(c *[]int, p **int) (s int) {
	for i := range *c { // s by (*c)[i] + **p
		s += (*c)[i] + **p
	}
	return s
}

func pointed(p *int, a []int) {
	for _, v := range a { // *p by a[i]
		*p += v
	}
}

type grid struct{ width, height int }

func (g *grid) at(x int) int { return x*g.width + g.height }

func hoisted(g *grid, a []int) (s int) {
	half := len(a) / 2
	limit, extra := divmod(half, 3)
	w := g.width
	for i := range a { // s by ((a[i]*half) ^ limit) + extra + w
		s += (a[i]*half ^ limit) + extra + w
	}
	return s
}

func method(g *grid, a []int) (s int) {
	for _, v := range a { // s by g.at(a[i])
		s += g.at(v)
	}
	return s
}

func asserted(a []any) (s int) {
	for _, v := range a { // s by a[i].(int)
		s += v.(int)
	}
	return s
}

func found(m map[int]int, a []int) (s, hits int) {
	for _, v := range a { // s, hits by m[a[i]], select(m[a[i]].ok, 1, 0)
		n, ok := m[v]
		s += n
		if ok {
			hits++
		}
	}
	return s, hits
}

func anyOf(a []int, k int) bool {
	for _, v := range a { // while i < len(a) && !(a[i] == k)
		if v == k {
			return true
		}
	}
	return false
}

func firstOf(a []int, k int) int {
	for i := 0; i < len(a); i++ { // while i < len(a) && !(a[i] > k)
		if a[i] > k {
			return i
		}
	}
	return -1
}

func toSentinel(a []int) (i int) {
	for i = 0; a[i] != 0; i++ { // while a[i] != 0
	}
	return i
}

// These are no searches: one writes, one calls what is not known, one finds another key in each run, and of one all that decides is counted.
func noSearches(a []int, m map[int]int, f func(int) bool) int {
	for i, v := range a {
		if v == 3 {
			return i
		}
		a[i] = 0
	}
	for i, v := range a {
		if f(v) {
			return i
		}
	}
	for k, v := range m {
		if v > 3 {
			return k
		}
	}
	for i := range a {
		if i > 3 {
			return i
		}
	}
	return -1
}

// Two slices that are called alike are told apart.
func alike(a, b []int) (n int) {
	x := a
	if len(b) > 3 {
		x = b
	}
	y := x
	{
		x := b
		if len(a) > 3 {
			x = a
		}
		for i := range y { // n by select(in.y0 == in.y1, 1, 0)
			if x[i] == y[i] {
				n++
			}
		}
	}
	return n
}

type leaf struct{ n int }

type tree struct{ inner struct{ kids []any } }

func deepInside(t *tree) (n int) {
	for i := range t.inner.kids { // n by select(t.inner.kids[((len(t.inner.kids) - i) - 1)].(*words.leaf).ok, 1, 0)
		if _, ok := t.inner.kids[len(t.inner.kids)-i-1].(*leaf); ok {
			n++
		}
	}
	return n
}

func unnamedKey(m map[leaf]bool, a []int) (n int) {
	for _, v := range a { // n by select(in.y0, 1, 0)
		if m[leaf{v}] {
			n++
		}
	}
	return n
}

type bag struct{ all []int }

func madeHere(a []int) *bag {
	b := &bag{}
	for _, v := range a { // len(b.all) by 1
		b.all = append(b.all, v)
	}
	return b
}

func sumOf(a ...int) int { return len(a) }

func spreads(rows [][]int, k []int) (n int) {
	for range rows {
		n += 2
	}
	for _, row := range rows { // n by sumOf(rows[i]...)
		n ^= sumOf(row...)
	}
	return n
}
