package adversarial

import (
	"math"
	"math/bits"
	"reflect"
	"unsafe"
)

// Bounds that the body changes.

func rangesOverState(n int) (s int) {
	for i := range n { // want: lift counted | without: under | without: may panic | no fix
		n += i
		s += n
	}
	return s
}

func rangesOverChangedSlice(a []int) (s int) {
	for i, v := range a { // want: reduction counted | without: under | may panic: bounds | no fix
		a = a[1:]
		s += v + i
	}
	return s + len(a)
}

func rangesOverReplaced(a, b []int) (s int) {
	for i := range a { // want: stopped | load at an address | no fix
		s += a[i]
		if a[i] == 0 {
			a = b
		}
	}
	return s
}

func rangesOverCopy(a [4]int) (s int) {
	for i, v := range a { // want: reduction counted | without: under | may panic: bounds | no fix
		a[3-i] = s
		s += v
	}
	return s
}

func rangesOverAddress(a *[4]int) (s int) {
	for i, v := range a { // want: stopped | store beside the reduction | no fix
		a[3-i] = s
		s += v
	}
	return s
}

func rangeIsEvaluatedOnce(a []int, p *[]int) (s int) {
	for _, v := range *p { // want: reduction counted | under noalias | without: may panic | no fix
		*p = a
		s += v
	}
	return s
}

func lengthShrinks(a []int) (s int) {
	for i := 0; i < len(a); i++ { // want: stopped | type of the state | no fix
		s += a[i]
		a = a[:len(a)-1]
	}
	return s
}

func stateIsBound(a []int) (n int) {
	n = len(a)
	for i := 0; i < n; i++ { // want: reduction state | without: under | may panic: bounds | elsewhere than the loop: bounds of a[i] | no fix
		if a[i] == 0 {
			n--
		}
	}
	return n
}

func stateIsStep(n int) (i int) {
	for s := 1; i < n; i += s { // want: refused state | no fix
		s = i ^ 1
	}
	return i
}

func counterByPointer(a []int) (s int) {
	i := 0
	p := &i
	for i < len(a) { // want: stopped | load at an address of the state | no fix
		s += a[i]
		*p += 1
	}
	return s
}

func counterEscapes(a []int, f func(*int)) (s int) {
	for i := 0; i < len(a); i++ { // want: stopped | allocation | no fix
		f(&i)
		s += a[i]
	}
	return s
}

// Overflow of counters.

func upToLargest(a []int32, from int32) (s int32) {
	for i := from; i <= math.MaxInt32; i++ { // want: reduction state | without: under | without: may panic | no fix
		s += i
		if s == 77 {
			break
		}
	}
	return s
}

func inclusiveInt(n int) (s int) {
	for i := 0; i <= n; i++ { // want: reduction counted | without: under | without: may panic | fix
		s ^= i
	}
	return s
}

func inclusiveBetween(m, n int) (s int) {
	for i := m; i <= n; i++ { // want: reduction counted | without: under | without: may panic | fix
		s ^= i
	}
	return s
}

func inclusiveBySeven(n int) (s int) {
	for i := 0; i <= n; i += 7 { // want: reduction counted | without: under | without: may panic | fix
		s ^= i
	}
	return s
}

func stepsBeyond(n int) (s int) {
	for i := 0; i < n; i += 7 { // want: reduction counted | without: under | without: may panic | fix
		s ^= i
	}
	return s
}

func downToSmallest(n int) (s int) {
	for i := n; i >= math.MinInt; i-- { // want: reduction counted | without: under | without: may panic | no fix
		s ^= i
		if i == 0 {
			break
		}
	}
	return s
}

func downUnsigned(n uint) (s uint) {
	for i := n; i >= 0; i-- { // want: reduction counted | without: under | without: may panic | no fix
		s ^= i
		if i == 0 {
			break
		}
	}
	return s
}

func downBySeven(n int) (s int) {
	for i := n; i > 0; i -= 7 { // want: reduction counted | without: under | without: may panic | fix
		s ^= i
	}
	return s
}

func downFromTo(m, n int) (s int) {
	for i := m; i > n; i-- { // want: reduction counted | without: under | without: may panic | fix
		s ^= i
	}
	return s
}

func rangesOverByte(n uint8) (s int) {
	for i := range n { // want: reduction counted | without: under | without: may panic | no fix
		s += int(i)
	}
	return s
}

func rangesOverNegative(n int64) (s int64) {
	for i := range n { // want: reduction counted | without: under | without: may panic | fix
		s += i
	}
	return s
}

func rangesOverUint64(n uint64) (s uint64) {
	for i := range n { // want: reduction counted | without: under | without: may panic | fix
		s ^= i
	}
	return s
}

func unequal(m, n int) (s int) {
	for i := m; i != n; i++ { // want: reduction counted | without: under | without: may panic | no fix
		s ^= i
	}
	return s
}

func doubles(n int) (s int) {
	for i := 1; i < n; i *= 2 { // want: reduction state | without: under | without: may panic | no fix
		s += i
	}
	return s
}

func backwardIndex(a []int) (s int) {
	for i := range a { // want: lift counted | without: under | may panic: bounds | no fix
		s = s*3 + a[len(a)-1-i]
	}
	return s
}

func indexOverflows(a []int, k int) (s int) {
	for i := range a { // want: reduction counted | without: under | may panic: bounds | fix
		s += a[i*k]
	}
	return s
}

func indexTruncates(a []int) (s int) {
	for i := range a { // want: reduction counted | without: under | may panic: bounds | fix
		s += a[uint8(i)]
	}
	return s
}

// Panics.

func shiftsByNegative(a []int) (s int) {
	for _, v := range a { // want: reduction counted | without: under | may panic: shift count | fix
		s ^= 1 << v
	}
	return s
}

func shiftsFar(a []uint8) (s uint8) {
	for i := range a { // want: reduction counted | without: under | without: may panic | fix
		s |= 1 << uint(i)
	}
	return s
}

func shiftsState(a []uint) (s int) {
	for _, v := range a { // want: lift counted | without: under | without: may panic | no fix
		s = s >> v
	}
	return s
}

func dividesState(a []int) (s int) {
	s = 1 << 40
	for _, v := range a { // want: refused counted | no fix
		s /= v
	}
	return s
}

func dividesByState(a []int) (s int) {
	for _, v := range a { // want: refused counted | no fix
		s = v / s
	}
	return s
}

func dividesSmallest(a []int) (s int) {
	for _, v := range a { // want: reduction counted | without: under | may panic: division | fix
		s += math.MinInt / (v | 1)
	}
	return s
}

func remainders(a []int, n int) (s int) {
	for _, v := range a { // want: refused counted | no fix
		s = (s + v) % n
	}
	return s
}

func assertsEach(a []any) (s int) {
	for _, v := range a { // want: reduction counted | without: under | may panic: type assertion | fix
		s += v.(int)
	}
	return s
}

func assertsSafely(a []any) (s int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		if n, ok := v.(int); ok {
			s += n
		}
	}
	return s
}

func comparesAny(a []any, x any) (n int) {
	for _, v := range a { // want: reduction counted | without: under | may panic: comparison | fix
		if v == x {
			n++
		}
	}
	return n
}

func readsNilMap(a []int) (s int) {
	var m map[int]int
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		s += v + m[v]
	}
	return s
}

func writesNilMap(a []int) (s int) {
	var m map[int]int
	for _, v := range a { // want: stopped | scattered store | no fix
		m[v] = v
		s += v
	}
	return s
}

func nilArray(n int) (s int) {
	var a *[4]int
	for i := range n { // want: reduction counted | without: under | may panic: bounds, nil | fix
		s += a[i&3]
	}
	return s
}

func lengthOfNilArray(n int) (s int) {
	var a *[4]int
	for i := range n { // want: reduction counted | without: under | without: may panic | fix
		s += i * len(a)
	}
	return s
}

func rangesOverNilArray() (s int) {
	var a *[4]int
	for i := range a { // want: reduction counted | without: under | without: may panic | no fix
		s += i
	}
	return s
}

func slicesEach(a []int, n int) (s int) {
	for i := range a { // want: reduction counted | without: under | may panic: bounds | fix
		s += len(a[i:n])
	}
	return s
}

func convertsToArray(a []int) (s int) {
	for i := range a { // want: reduction counted | without: under | may panic: bounds, nil | fix
		s += [4]int(a[i:])[0]
	}
	return s
}

func makesByInput(a []int) (s int) {
	for _, v := range a { // want: stopped | allocation | no fix
		s += len(make([]int, v))
	}
	return s
}

func orPanics(a, b []int) (ok bool) {
	for i := range a { // want: reduction counted | without: under | may panic: bounds | elsewhere than the loop: bounds of b[i] | no fix
		ok = ok || b[i] == 0
	}
	return ok
}

func andSkips(a, b []int) (ok bool) {
	ok = true
	for i := range a { // want: reduction counted | without: under | may panic: bounds | fix
		ok = b[i] != 0 && ok
	}
	return ok
}

func readsPastWhenSmall(a, b []int) (s int) {
	for i := range a { // want: refused counted | no fix
		if s < 10 {
			s += b[i] & 3
		}
	}
	return s
}

func overflowChecked(a []int) (s int) {
	for _, v := range a { // want: reduction state | without: under | may panic: panic | elsewhere than the loop: panic | no fix
		if s > math.MaxInt-v {
			panic("overflow")
		}
		s += v
	}
	return s
}

// Floats.

func zeroSigns(a []float64) (m float64) {
	for _, v := range a { // want: reduction counted | under nsz | without: may panic | no fix
		if v >= m {
			m = v
		}
	}
	return m
}

func minOfBoth(a []float64) (m float64) {
	m = math.Inf(1)
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		m = min(v, m)
	}
	return m
}

func largestOrNaN(a []float64) (m float64) {
	for _, v := range a { // want: reduction counted | under nsz | without: may panic | no fix
		if v > m || v != v {
			m = v
		}
	}
	return m
}

func notSmaller(a []float64) (m float64) {
	for _, v := range a { // want: reduction counted | under nnan, nsz | without: may panic | no fix
		if !(v <= m) {
			m = v
		}
	}
	return m
}

func isSorted(a []float64) (ok bool) {
	ok = true
	last := math.Inf(-1)
	for _, v := range a { // want: lift counted | without: under | without: may panic | no fix
		ok = ok && last <= v
		last = v
	}
	return ok
}

func countsZeroBits(a []float64) (n int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		if math.Float64bits(v) == 0 {
			n++
		}
	}
	return n
}

func fused(a, b []float64) (s float64) {
	for i, v := range a { // want: reduction counted | sum | under reassoc, contract | no fix
		s = math.FMA(v, b[i], s)
	}
	return s
}

func rounded(a []float64) (s float64) {
	for _, v := range a { // want: stopped | call on the state | no fix
		s = math.Round(s + v)
	}
	return s
}

func halves(a []float64) (s float64) {
	for _, v := range a { // want: lift counted | under reassoc | without: may panic | no fix
		s = s/2 + v
	}
	return s
}

func average(a []float64) (m float64) {
	for i, v := range a { // want: lift counted | under reassoc, nnan | without: may panic | no fix
		m += (v - m) / float64(i+1)
	}
	return m
}

func multipliesByZero(a []float64) (s float64) {
	for _, v := range a { // want: reduction counted | under reassoc, contract | without: may panic | no fix
		s = s*0 + v
	}
	return s
}

func subtractsItself(a []float64) (s float64) {
	for _, v := range a { // want: reduction counted | under reassoc | without: may panic | no fix
		s = (s - s) + v
	}
	return s
}

func smallFloats(a []float32) (s float32) {
	for _, v := range a { // want: refused counted | no fix
		s = float32(float64(s) + float64(v))
	}
	return s
}

func complexProduct(a []complex128) (p complex128) {
	p = 1
	for _, v := range a { // want: reduction counted | under reassoc, contract | without: may panic | no fix
		p *= v
	}
	return p
}

func hypotenuse(a []float64) (s float64) {
	for _, v := range a { // want: stopped | call on the state | no fix
		s = math.Hypot(s, v)
	}
	return s
}

// Memory by other names.

func throughUintptr(a []int) (s int) {
	p := uintptr(unsafe.Pointer(&s))
	for _, v := range a { // want: stopped | scalar in memory | no fix
		s += v
		*(*int)(unsafe.Pointer(p)) ^= 1
	}
	return s
}

func unsafeOffset(a []int, c *[2]int) int {
	second := (*int)(unsafe.Add(unsafe.Pointer(&c[0]), 8))
	for _, v := range a { // want: stopped | scalar in memory | no fix
		c[1] += v
		*second ^= v
	}
	return c[1]
}

func unsafeString(b []byte) (s int) {
	t := unsafe.String(&b[0], len(b))
	for i := range b { // want: stopped | store beside the reduction | no fix
		s += int(t[i])
		b[i] = byte(s)
	}
	return s
}

func unsafeStringRanged(b []byte) (s int) {
	for i, c := range unsafe.String(unsafe.SliceData(b), len(b)) { // want: stopped | store beside the reduction | no fix
		s += int(c)
		b[i] = byte(s)
	}
	return s
}

func unsafeStringShifted(b []byte) (s int) {
	t := unsafe.String(&b[1], len(b)-1)
	for i := range t { // want: stopped | store beside the reduction | no fix
		s += int(t[i])
		b[i] = byte(s)
	}
	return s
}

func stringOfCopy(b []byte) (s int) {
	t := string(b)
	for i := range t { // want: reduction counted | without: under | may panic: bounds | no fix
		s += int(t[i])
		b[i] = byte(s)
	}
	return s
}

type halves32 struct{ low, high int32 }

func castStruct(a []int32, n int) (s int32) {
	w := &struct{ x, y, z int32 }{}
	q := (*halves32)(unsafe.Pointer(&w.y))
	for _, v := range a { // want: stopped | scalar in memory | no fix
		s += v + w.z
		q.high = s
	}
	return s
}

func castToArray(a []int64, p *halves32) (s int64) {
	q := (*[2]int32)(unsafe.Pointer(p))
	for _, v := range a { // want: stopped | scalar in memory | no fix
		s += v + int64(p.high)
		q[1] = int32(s)
	}
	return s
}

func fieldByOffset(a []int64, p *halves32) (s int64) {
	q := (*int32)(unsafe.Add(unsafe.Pointer(&p.low), unsafe.Offsetof(p.high)))
	for _, v := range a { // want: stopped | scalar in memory | no fix
		s += v + int64(p.high)
		*q = int32(s)
	}
	return s
}

func sliceByHeader(a []int32) (s int32) {
	b := unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(a)), 4)), len(a)-1)
	for i := range b { // want: stopped | store beside the reduction | no fix
		s += a[i]
		b[i] = s
	}
	return s
}

func byReflection(a []int) (s int) {
	r := reflect.ValueOf(&s).Elem()
	for _, v := range a { // want: stopped | unknown call | no fix
		s += v
		r.SetInt(int64(v))
	}
	return s
}

func stateIsElement(a []int) {
	for _, v := range a { // want: stopped | scalar in memory | no fix
		a[0] += v
	}
}

func stateIsElementOfOther(a, b []int) {
	for _, v := range a { // want: reduction counted | under noalias | may panic: bounds | no fix
		b[0] += v
	}
}

func stateIsMapElement(a []int, m map[string]int) {
	for _, v := range a { // want: nothing
		m["s"] += v
	}
}

func stateByInterface(a []int, p any) {
	q := p.(*int)
	for _, v := range a { // want: reduction counted | under noalias | may panic: nil | no fix
		*q += v
	}
}

func twoPointers(a []int, p, q *int) {
	for _, v := range a { // want: reduction counted | under noalias | may panic: nil | no fix
		*p += v
		*q ^= v
	}
}

func pointerMoves(a []int, p, q *int) {
	for _, v := range a { // want: lift counted | a compaction | elsewhere than the loop: nil of *p | no fix
		*p += v
		if v == 0 {
			p = q
		}
	}
}

type embedded struct {
	cell
	next *embedded
}

func embeddedField(a []int, e *embedded) {
	for _, v := range a { // want: reduction counted | under noalias | may panic: nil | no fix
		e.n += v
	}
}

func linkedField(a []int, e *embedded) {
	for _, v := range a { // want: stopped | type of the state | no fix
		e.n += v
		e = e.next
	}
}

func sameField(a []embedded, e *embedded) {
	for i := range a { // want: reduction counted | under noalias | may panic: nil | no fix
		e.n += a[i].n
	}
}

func elementsOfStruct(a []cell, k int) {
	for i := range a { // want: stopped | scalar in memory | no fix
		a[k].n += a[i].n
	}
}

func copiesStruct(a []cell) (c cell) {
	for _, v := range a { // want: reduction counted | c.n = x0 + y0 | commutative | no fix
		d := c
		d.n += v.n
		c = d
	}
	return c
}

func comparesStructs(a []cell, c cell) (n int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		if v == c {
			n++
		}
	}
	return n
}

func comparesAddress(a []*int, b []cell) (n int) {
	for i, p := range a { // want: reduction counted | without: under | may panic: bounds | fix
		if p == &b[i].n {
			n++
		}
	}
	return n
}

func comparesPointers(a []*int) (n int) {
	var s int
	for _, p := range a { // want: reduction counted | without: under | without: may panic | no fix
		if p == &s {
			n++
		}
	}
	return n
}

func ringBuffer(a []int) (s int) {
	var last [4]int
	for i, v := range a { // want: stopped | store beside the reduction | no fix
		s += v - last[i&3]
		last[i&3] = v
	}
	return s
}

func localArray(a []int) int {
	var t [2]int
	for _, v := range a { // want: histogram counted | may panic: bounds | fix
		t[v&1] += v
	}
	return t[0] ^ t[1]
}

func localArrayConstant(a []int) int {
	var t [2]int
	for _, v := range a { // want: reduction counted | t[0], t[1] | no fix
		t[0] += v
		t[1] ^= v
	}
	return t[0] ^ t[1]
}

// Maps.

func mapOfSelf(m map[int]int) (n int) {
	for k := range m { // want: reduction counted | without: under | without: may panic | no fix
		if _, ok := m[k+1]; ok {
			n++
		}
	}
	return n
}

func mapGrows(m map[int]bool) (n int) {
	for k := range m { // want: nothing
		n++
		if k > 0 {
			m[k-1] = true
		}
	}
	return n
}

func mapOfNaN(m map[float64]int) (n int) {
	for k := range m { // want: reduction counted | without: under | without: may panic | no fix
		n += m[k]
	}
	return n
}

func mapXor(m map[string]uint64) (h uint64) {
	for k, v := range m { // want: reduction counted | without: under | without: may panic | no fix
		h ^= v * uint64(len(k))
	}
	return h
}

func mapAny(m map[string]bool) bool {
	for _, v := range m { // want: nothing
		if v {
			return true
		}
	}
	return false
}

func mapAnyKey(m map[string]bool) string {
	for k, v := range m { // want: nothing
		if v {
			return k
		}
	}
	return ""
}

func mapMaxOfFloats(m map[string]float64) (s float64) {
	for _, v := range m { // want: reduction counted | under nsz | without: may panic | no fix
		if v > s {
			s = v
		}
	}
	return s
}

func mapWithIndex(m map[string]int) (s int) {
	i := 0
	for _, v := range m { // want: stopped | range over a map | no fix
		s += v * i
		i++
	}
	return s
}

func mapOverflows(m map[string]int8) (s int8) {
	for _, v := range m { // want: reduction counted | without: under | without: may panic | no fix
		s += v
	}
	return s
}

func mapSaturates(m map[string]int8) (s int8) {
	for _, v := range m { // want: stopped | range over a map | no fix
		if t := int16(s) + int16(v); t > 127 {
			s = 127
		} else {
			s = int8(t)
		}
	}
	return s
}

// Generics.

type ordered interface{ ~int | ~float64 | ~string }

func genericMax[T ordered](a []T) (m T) {
	for _, v := range a { // want: reduction counted | by max | without: under | without: identity | no fix
		m = max(m, v)
	}
	return m
}

func genericCount[T comparable](a []T, x T) (n int) {
	for _, v := range a { // want: reduction counted | without: under | may panic: comparison | no fix
		if v == x {
			n++
		}
	}
	return n
}

func genericSum[T ~int8 | ~int64](a []T) (s T) {
	for _, v := range a { // want: reduction counted | by sum | without: under | no fix
		s += v
	}
	return s
}

func genericMethod[T counter](a []T) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		s += v.Count()
	}
	return s
}

func genericInts[S ~[]int](a S) (s int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | no fix
		s += v
	}
	return s
}

// Calls.

func popcounts(a []uint64) (n int) {
	for _, v := range a { // want: reduction counted | without: under | without: may panic | fix
		n += bits.OnesCount64(v)
	}
	return n
}

func carries(a, b []uint64) (c uint64) {
	for i, v := range a { // want: stopped | call on the state | no fix
		_, c = bits.Add64(v, b[i], c)
	}
	return c
}

func dividesWide(a []uint64) (r uint64) {
	for _, v := range a { // want: stopped | call on the state | no fix
		_, r = bits.Div64(r, v, 10)
	}
	return r
}

func mutualEven(n int) bool { return n == 0 || mutualOdd(n-1) }
func mutualOdd(n int) bool  { return n != 0 && mutualEven(n-1) }

func callsMutual(a, b []int) (n int) {
	for i, v := range a { // want: stopped | unknown call | no fix
		if mutualEven(v) {
			n += b[i]
		}
	}
	return n
}

var calls int

func counted(v int) int { calls++; return v }

func callsCounted(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		s += counted(v)
	}
	return s
}

func readsGlobal(v int) int { return v + calls }

func writesGlobalReads(a []int) {
	for _, v := range a { // want: stopped | scalar in memory | no fix
		calls = max(calls, readsGlobal(v))
	}
}

func storesForOther(b []int, i int) int { b[i&1] = i; return i }

func callsStore(a, b []int) (s int) {
	for i := range a { // want: stopped | unknown call | no fix
		s += storesForOther(b, i) + b[0]
	}
	return s
}

func recursive(v int) int {
	if v <= 0 {
		return 0
	}
	return recursive(v-2) + 1
}

func callsRecursive(a []int) (s int) {
	for _, v := range a { // want: stopped | unknown call | no fix
		s += recursive(v)
	}
	return s
}

func twoHalves(a []int) (s, low int) {
	p := (*[2]int32)(unsafe.Pointer(&s))
	for _, v := range a { // want: no fix | without: by sum
		s += v
		low += int(p[0])
	}
	return s, low
}

func rawBits(p *float64) uint64 { return *(*uint64)(unsafe.Pointer(p)) }

func readsAsBits(p *float64, a []float64) (n uint64) {
	for _, v := range a { // want: no fix | without: commutative
		*p += v
		n += rawBits(p)
	}
	return n
}
