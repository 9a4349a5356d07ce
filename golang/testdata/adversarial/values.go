package adversarial

// Values that are no numbers, what is computed of the state, and elements of arrays.

type item struct {
	key  int
	name string
	next *item
}

func bestWritten(a []int) (best int) {
	for i := range a { // want: stopped | no fix
		a[i]++
		if a[i] > a[best] {
			best = i
		}
	}
	return best
}

func bestOfOther(a, b []int) (best int) {
	for i := range b { // want: stopped | load at an address of the state | no fix
		if b[i] > a[best] {
			best = i
		}
	}
	return best
}

func bestBeside(a []int) (best int) {
	for i := range a { // want: stopped | load at an address of the state | no fix
		if a[i] > a[best] {
			best = i + 1
		}
	}
	return best
}

func bestOfBoth(a, b []int) (best int) {
	for i := range a { // want: without: argmax | no fix
		if a[i] > a[best] || b[i] > b[best] {
			best = i
		}
	}
	return best
}

func bestTwice(a []int) (best int) {
	for i := range a { // want: stopped | no fix
		if a[i] > a[best] {
			best = i
		}
		if a[best] == 0 {
			best = len(a) - 1
		}
	}
	return best
}

func bestByKeys(a []int, keys []int) (best int) {
	for i := range keys { // want: reduction counted | argmax | a[keys[best]] | bounds of | no fix
		if a[keys[i]] > a[keys[best]] {
			best = i
		}
	}
	return best
}

func longestRest(words []string) (best string) {
	for _, w := range words { // want: stopped | no fix
		if len(w) > len(best) {
			best = w[1:]
		}
	}
	return best
}

func longestName(items []*item) (best string) {
	for _, p := range items { // want: reduction counted | argmax | len(best) | nil | no fix
		if len(p.name) > len(best) {
			best = p.name
		}
	}
	return best
}

func bestRenamed(items []*item) (best *item) {
	best = items[0]
	for _, p := range items { // want: stopped | no fix
		p.key++
		if p.key > best.key {
			best = p
		}
	}
	return best
}

func bestKey(items []*item) *item {
	best := items[0]
	for _, p := range items { // want: reduction counted | argmax | best.key | nil of best.key | no fix
		if p.key > best.key {
			best = p
		}
	}
	return best
}

func bestNext(items []*item) *item {
	best := items[0]
	for _, p := range items { // want: stopped | no fix
		if p.key > best.key {
			best = p.next
		}
	}
	return best
}

func samePointer(items []*item) (n int) {
	var before *item
	for _, p := range items { // want: stopped | no fix
		if p == before {
			n++
		}
		before = p
	}
	return n
}

func sameInterface(values []any) (n int) {
	var before any
	for _, v := range values { // want: stopped | no fix
		if v == before {
			n++
		}
		before = v
	}
	return n
}

func sameString(words []string) (n int) {
	before := ""
	for _, w := range words { // want: answered | before | no fix
		if w == before {
			n++
		}
		before = w
	}
	return n
}

func concatenated(words []string) (s string) {
	for _, w := range words { // want: stopped | type of the state | no fix
		if s != "" {
			s += ","
		}
		s += w
	}
	return s
}

func doubled(s string, n int) string {
	for range n { // want: stopped | type of the state | no fix
		s += s
	}
	return s
}

func anyName(m map[string]*item) (name string) {
	for _, p := range m { // want: stopped | range over a map | no fix
		name = p.name
	}
	return name
}

func leastKey(m map[string]int) (key string) {
	first := true
	for k := range m { // want: no order changes | no fix
		if first || k < key {
			key, first = k, false
		}
	}
	return key
}

func greatestKey(m map[string]int) (key string) {
	for k := range m { // want: by max | no order changes | no fix
		key = max(key, k)
	}
	return key
}

func keptSlice(rows [][]int) (n int, kept []int) {
	for _, row := range rows { // want: stopped | no fix
		n += len(kept)
		kept = append(kept[:0], row...)
	}
	return n, kept
}

func nilAgain(items []*item) (p *item, n int) {
	for _, q := range items { // want: answered | without: identity 0 | no fix
		if p == nil {
			p = q
		} else {
			p = nil
		}
	}
	return p, n
}

func inMemory(list *struct{ last *item }, items []*item) {
	for _, p := range items { // want: answered | list.last | no fix
		if p != nil {
			list.last = p
		}
	}
}

func walks(list *struct{ last *item }, n int) {
	for range n { // want: stopped | no fix
		list.last = list.last.next
	}
}

func arrayByPointer(a []int) (m [2]int) {
	q := &m[0]
	for _, v := range a { // want: stopped | no fix
		m[0] += v
		*q ^= v
	}
	return m
}

func arrayBySlice(a []int) (s int) {
	var m [2]int
	q := m[1:]
	for _, v := range a { // want: stopped | no fix
		m[1] += v
		s ^= q[0]
	}
	return s
}

func arrayByIndex(a []int) (s int) {
	var m [2]int
	for i, v := range a { // want: stopped | no fix
		m[1] += v
		s ^= m[i&1]
	}
	return s
}

func arrayAsArray(a []int) (s int) {
	var m [3]int
	q := (*[2]int)(m[1:])
	for _, v := range a { // want: stopped | no fix
		m[1] += v
		s ^= q[0]
	}
	return s
}

func arrayWhole(a []int, other [2]int) (m [2]int) {
	for _, v := range a { // want: stopped | no fix
		m[0] += v
		if v == 0 {
			m = other
		}
	}
	return m
}

func arrayRead(a []int) (s int) {
	var m [2]int
	for _, v := range a { // want: stopped | no fix
		m[0] += v
		k := m
		s ^= k[0]
	}
	return s
}

func arrayOfPointers(a []int) (s int) {
	m := [2]*int{&s, new(int)}
	for _, v := range a { // want: stopped | no fix
		s += v
		*m[0] ^= v
	}
	return s
}

func arrayOfCaller(m *[2]int, a []int) {
	for _, v := range a { // want: no fix
		m[0] += v
		m[1] = max(m[1], v)
	}
}

type record struct {
	id   int
	mark struct{ low, high int }
	name string
}

func topRecord(rs []record) record {
	top := rs[0]
	for _, r := range rs { // want: reduction counted | argmax (first of equals) | top, top.mark.high = select(x1 < y1, y0, x0), max(x1, y1) | no fix
		if r.mark.high > top.mark.high {
			top = r
		}
	}
	return top
}

func topByIndex(rs []record) record {
	top := rs[0]
	for i := range rs { // want: reduction counted | argmin | top.id | y1 = rs[i].id | no fix
		if rs[i].id < top.id {
			top = rs[i]
		}
	}
	return top
}

func topRaised(rs []record) record {
	top := rs[0]
	for _, r := range rs { // want: stopped | no fix
		if r.id > top.id {
			top = r
		}
		top.id--
	}
	return top
}

func topAliased(rs []record) (record, int) {
	top, s := rs[0], 0
	q := &top
	for _, r := range rs { // want: refused | no fix
		s += q.id
		if r.id > top.id {
			top = r
		}
	}
	return top, s
}

func topOfOther(rs []record) record {
	top := rs[0]
	for _, r := range rs { // want: stopped | no fix
		if r.mark.low > top.mark.high {
			top = r
		}
	}
	return top
}

func topChanged(rs []record) record {
	top := rs[0]
	for i := range rs { // want: stopped | no fix
		rs[i].id ^= 1
		if rs[i].id > top.id {
			top = rs[i]
		}
	}
	return top
}

func topLooked(rs []record) (top record, n int) {
	for _, r := range rs { // want: reduction counted | without: argmin | no fix
		if r.id > top.id {
			top = r
		}
		n += r.id
	}
	return top, n
}

func topThen(rs []record) (top record, n int) {
	for _, r := range rs { // want: refused | no fix
		if r.id > top.id {
			top = r
		}
		if top.id > 9 {
			n++
		}
	}
	return top, n
}

func topBySum(rs []record) (top record) {
	for _, r := range rs { // want: stopped | no fix
		if r.id+r.mark.low > top.id+top.mark.low {
			top = record{id: r.id}
		}
	}
	return top
}

func topCaptured(rs []record, f func(func() int)) record {
	top := rs[0]
	f(func() int { return top.id })
	for _, r := range rs { // want: answered | no fix
		if r.id > top.id {
			top = r
		}
	}
	return top
}

func topCalled(rs []record) record {
	top := rs[0]
	known := func() int { return top.id }
	for _, r := range rs { // want: stopped | no fix
		if r.id > known() {
			top = r
		}
	}
	return top
}

func topThenMoved(rs []*record, at int) (top *record, n int) {
	top = rs[0]
	for range rs { // want: no fix
		if rs[at].id > top.id {
			top = rs[at]
		}
		if top.id > 3 {
			at = top.mark.low
		}
		if rs[at].id > top.id || rs[at].mark.low == top.id {
			top = rs[at]
		}
	}
	return top, at
}

// Structs of numbers as the state.

type span struct{ from, to int }

func (s span) grow(t span) span { return span{min(s.from, t.from), max(s.to, t.to)} }

func (s span) checked(t span, table []int) span {
	return span{s.from + table[t.from], s.to}
}

func (s span) later(t span) span {
	if s.to < t.from {
		return t
	}
	return s
}

func (s span) next(t span) span { return span{s.to, s.from + t.to} }

type vector struct{ x, y float64 }

func (v vector) plus(w vector) vector { return vector{v.x + w.x, v.y + w.y} }

func (v vector) scaled(f float64) vector { return vector{v.x * f, v.y * f} }

func (v vector) times(w vector) float64 { return v.x*w.x + v.y*w.y }

type framed struct {
	span
	inner vector
	deep  struct{ ok bool }
}

type titled struct {
	n     int
	title string
}

func topPanics(rs []span, b []int) (top span) {
	for i, r := range rs { // want: answered | bounds of b[i] | no fix
		if r.to > top.to && b[i] > 0 {
			top = r
		}
	}
	top.from++
	return top
}

func spanOf(rs []span) (s span) {
	for _, r := range rs { // want: reduction counted | by min and max | s.from, s.to | without: under
		s = s.grow(r)
	}
	return s
}

func spanChecked(rs []span, table []int) (s span) {
	for _, r := range rs { // want: stopped | no fix
		s = s.checked(r, table)
	}
	return s
}

func spanLater(rs []span) (s span) {
	for _, r := range rs { // want: no fix | without: commutative
		s = s.later(r)
	}
	return s
}

func spanSwaps(rs []span) (s span) {
	for _, r := range rs { // want: no fix | without: by sum
		s = s.next(r)
	}
	return s
}

func spanPointed(k *struct{ p *span }, rs []span) (s span) {
	k.p = &s
	for _, r := range rs { // want: stopped | no fix
		s = s.grow(r)
		k.p.to++
	}
	return s
}

func spanPartly(rs []span) (s span) {
	for _, r := range rs { // want: stopped | no fix
		s = s.grow(r)
		s.to++
	}
	return s
}

func spanElsewhere(p *span, rs []span) {
	for _, r := range rs { // want: stopped | no fix
		*p = p.grow(r)
	}
}

func spanInMemory(rs []span) int {
	var s span
	for _, r := range rs { // want: reduction counted | by min and max | s.from, s.to | no fix
		s = s.grow(r)
	}
	s.from--
	return s.from
}

func spanThen(rs []span, b []int) (n int) {
	var s span
	for i, r := range rs { // want: no fix | without: under
		s = s.grow(r)
		if s.to > 3 {
			n += b[i]
		}
	}
	s.from--
	return n + s.from
}

func framedSum(fs []framed) (s framed) {
	for _, f := range fs { // want: reduction counted | s.deep.ok | which may depend on what steps before stored | no fix
		s.span = s.span.grow(f.span)
		s.inner = s.inner.plus(f.inner)
		s.deep.ok = s.deep.ok || f.deep.ok
	}
	return s
}

func titledSum(ts []titled) (s titled) {
	for _, t := range ts { // want: stopped | no fix
		s = titled{s.n + t.n, t.title}
	}
	return s
}

func vectorSum(vs []vector, f float64) (s vector) {
	for _, v := range vs { // want: reduction counted | by sum | under reassoc, contract
		s = s.plus(v.scaled(f))
	}
	return s
}

func vectorPlain(vs []vector) (s vector) {
	for _, v := range vs { // want: reduction counted | by sum | under reassoc | without: contract
		s = s.plus(v)
	}
	return s
}

func vectorDots(vs []vector) (s float64) {
	for i := range vs { // want: reduction counted | by sum | under reassoc, contract
		s += vs[i].times(vs[0])
	}
	return s
}

func spanOfOther(rs []span) (s span, last span) {
	for _, r := range rs { // want: no fix
		s = s.grow(last)
		last = r
	}
	return s, last
}

var filled [4]int

func unlessFull(v int) int {
	if filled[0] > 100 {
		panic("full")
	}
	return v
}

func fills(a []int) (s int) {
	for _, v := range a { // want: stopped | no fix
		filled[0] += v
		s += unlessFull(v)
	}
	return s
}

func (s span) must(t span) span {
	if s.from > s.to {
		panic("empty")
	}
	return span{min(s.from, t.from), max(s.to, t.to)}
}

func spanMust(rs []span) (s span) {
	for _, r := range rs { // want: elsewhere than the loop: panic | no fix
		s = s.must(r)
	}
	return s
}

func spanDivided(rs []span) (s span) {
	for _, r := range rs { // want: elsewhere than the loop: division | no fix
		s = span{max(s.from, r.from), min(s.to, r.to)}
		if r.to/s.from > 3 {
			break
		}
	}
	return s
}

func spanCompared(rs []span) (s span, n int) {
	for _, r := range rs { // want: no fix | without: by sum
		if s == r {
			n++
		}
		s = s.grow(r)
	}
	return s, n
}

func spanNaN(vs []vector) (s vector) {
	for _, v := range vs { // want: no fix | under nnan, nsz
		if v.x > s.x {
			s.x = v.x
		}
		if !(v.y >= s.y) {
			s.y = v.y
		}
	}
	return s
}

func spanByRef(rs []span) (s span) {
	grow := func(r span) { s = s.grow(r) }
	for _, r := range rs { // want: stopped | no fix
		s = s.next(r)
		grow(r)
	}
	return s
}

func spanDeferred(rs []span) (s span) {
	defer func() {
		if recover() != nil {
			s.to = -1
		}
	}()
	for i := range rs { // want: no fix
		s = s.grow(rs[i+1])
	}
	return s
}

func spanOfMap(m map[string]span) (s span) {
	for _, r := range m { // want: reduction counted | by min and max | no order changes the result | no fix
		s = s.grow(r)
	}
	return s
}

func firstOfMapSpans(m map[string]span) (s span) {
	for _, r := range m { // want: range over a map | no fix
		if r.from > s.from {
			s = span{r.from, r.to}
		}
	}
	return s
}

func spanOfSequence(seq func(func(span) bool)) (s span) {
	for r := range seq { // want: stopped | no fix
		s = s.grow(r)
	}
	return s
}

func splitSum(vs []float64) (s float64) {
	for _, v := range vs { // want: by sum | - (1.34217729e+08*vs[i] - vs[i])
		c := 134217729 * v
		s += c - (c - v)
	}
	return s
}

func sumOfNothing(vs []float64) (s float64) {
	//rfactor:assume reassoc
	for _, v := range vs { // want: reduction counted | no fix
		s = s + v - v
	}
	return s
}

func sumOfFinite(vs []float64) (s float64) {
	//rfactor:assume reassoc
	for _, v := range vs { // want: reduction counted | - v | fix
		if v-v == 0 {
			s += v
		}
	}
	return s
}

func countNaN(vs []float64) (n int) {
	for _, v := range vs { // want: by sum | without: nnan | != | fix
		if v != v {
			n++
		}
	}
	return n
}

func resetAtNaN(vs []float64) (n int) {
	for _, v := range vs { // want: lift counted | without: nnan
		if v != v {
			n = 0
		} else {
			n++
		}
	}
	return n
}
