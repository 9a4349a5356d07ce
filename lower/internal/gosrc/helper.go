package gosrc

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Helper is the text of a function, and what it uses: packages and helpers.
type Helper struct {
	Uses []string
	Code string
}

// Helpers are the functions that emitted code may need beside what it computes. Each is
// written only where it is used.
var Helpers = map[string]Helper{
	"overlap": {[]string{"unsafe"}, `// overlap reports whether slices share memory.
func overlap[T, U any](a []T, b []U) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	p, q := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return p < q+uintptr(len(b))*unsafe.Sizeof(b[0]) && q < p+uintptr(len(a))*unsafe.Sizeof(a[0])
}
`},
	"reach": {nil, `// reach is the least and the greatest that n steps make of x, each of which adds a number from least to most. It is not ok where T does not hold
// them, nor where floats do not count so far.
func reach[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](x T, n int, least, most T) (low, high T, ok bool) {
	down, up := float64(x)+float64(n)*min(float64(least), 0), float64(x)+float64(n)*max(float64(most), 0)
	low, high = T(down), T(up)
	return low, high, -1<<52 <= down && up <= 1<<52 && float64(low) == down && float64(high) == up
}
`},
	"apart": {nil, `// apart keeps two shifts two instructions, of which Go 1.26 makes one that takes no count of 64 for 0.
//
//go:noinline
func apart[T any](x T) T { return x }
`},
	"pick": {nil, `// pick is c ? a : b.
func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}
`},
	"absInt": {nil, `// absInt is |a|; the least value stays as it is.
func absInt[T int8 | int16 | int32 | int64](a T) T {
	if a < 0 {
		return -a
	}
	return a
}
`},
	"euclidDiv": {nil, `// euclidDiv divides with a remainder of at least 0; it is 0 where b is.
func euclidDiv[T int8 | int16 | int32 | int64](a, b T) T {
	switch b {
	case 0:
		return 0
	case -1:
		return -a
	}
	q := a / b
	if a%b < 0 {
		if b > 0 {
			return q - 1
		}
		return q + 1
	}
	return q
}
`},
	"euclidMod": {nil, `// euclidMod is a remainder of at least 0; it is 0 where b is.
func euclidMod[T int8 | int16 | int32 | int64](a, b T) T {
	if b == 0 || b == -1 {
		return 0
	}
	r := a % b
	switch {
	case r >= 0:
		return r
	case b > 0:
		return r + b
	}
	return r - b
}
`},
	"unsignedDiv": {nil, `// unsignedDiv is 0 where b is.
func unsignedDiv[T uint8 | uint16 | uint32 | uint64](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b
}
`},
	"unsignedMod": {nil, `// unsignedMod is 0 where b is.
func unsignedMod[T uint8 | uint16 | uint32 | uint64](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}
`},
	"satAdd": {nil, `// satAdd adds within [lo, hi], the range of T.
func satAdd[T int8 | int16 | int32 | int64](a, b, lo, hi T) T {
	s := a + b
	switch {
	case (a^s)&(b^s) >= 0:
		return s
	case a < 0:
		return lo
	}
	return hi
}
`},
	"satSub": {nil, `// satSub subtracts within [lo, hi], the range of T.
func satSub[T int8 | int16 | int32 | int64](a, b, lo, hi T) T {
	s := a - b
	switch {
	case (a^b)&(a^s) >= 0:
		return s
	case a < 0:
		return lo
	}
	return hi
}
`},
	"satAddUnsigned": {nil, `// satAddUnsigned adds without wrapping.
func satAddUnsigned[T uint8 | uint16 | uint32 | uint64](a, b T) T {
	if s := a + b; s >= a {
		return s
	}
	return ^T(0)
}
`},
	"satSubUnsigned": {nil, `// satSubUnsigned subtracts without wrapping.
func satSubUnsigned[T uint8 | uint16 | uint32 | uint64](a, b T) T {
	if a < b {
		return 0
	}
	return a - b
}
`},
	"gcd": {[]string{"gcdUnsigned"}, `// gcd is that of the absolute values; the least value stands for its own.
func gcd[T int8 | int16 | int32 | int64](a, b T) T {
	x, y := uint64(a), uint64(b)
	if a < 0 {
		x = -x
	}
	if b < 0 {
		y = -y
	}
	return T(gcdUnsigned(x, y))
}
`},
	"gcdUnsigned": {nil, `// gcdUnsigned is a where b is 0.
func gcdUnsigned[T uint8 | uint16 | uint32 | uint64](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
`},
	"floatToInt": {[]string{"math"}, `// floatToInt rounds toward zero within [lo, hi], the range of T; NaN gives 0.
func floatToInt[T int8 | int16 | int32 | int64](f float64, lo, hi T) T {
	switch f = math.Trunc(f); {
	case f != f:
		return 0
	case f <= float64(lo):
		return lo
	case f >= -float64(lo):
		return hi
	}
	return T(f)
}
`},
	"floatToUint": {[]string{"math"}, `// floatToUint rounds toward zero within [lo, hi], the range of T; NaN gives 0.
func floatToUint[T uint8 | uint16 | uint32 | uint64](f float64, lo, hi T) T {
	switch f = math.Trunc(f); {
	case f != f, f <= 0:
		return lo
	case f >= 2*float64(hi/2+1):
		return hi
	}
	return T(f)
}
`},
	"toFloat32": {[]string{"bits"}, `// toFloat32 rounds once also where Go converts to float64 first, as on machines of 32 bits.
func toFloat32[T int64 | uint64](v T) float32 {
	if bits.UintSize == 32 && v/(1<<53) != 0 && v&2047 != 0 {
		v = v&^2047 | 2048 // for all bits that are dropped, on which ties depend
	}
	return float32(v)
}
`},
	"ceilDiv": {nil, `// ceilDiv is how many pieces of b make a; nothing where a is not positive.
func ceilDiv(a, b int) int { return (max(a, 0) + b - 1) / b }
`},
	"floorDiv": {nil, `// floorDiv divides with a remainder of at least 0; it is 0 where b is.
func floorDiv(a, b int) int {
	if b == 0 {
		return 0
	}
	q := a / b
	if a%b < 0 {
		if b > 0 {
			return q - 1
		}
		return q + 1
	}
	return q
}
`},
	"floorMod": {nil, `// floorMod is a remainder of at least 0; it is 0 where b is.
func floorMod(a, b int) int {
	if b == 0 {
		return 0
	}
	r := a % b
	if r < 0 {
		return r + max(b, -b)
	}
	return r
}
`},
	"grainBytes": {nil, `// grainBytes is the least amount of input that is worth a goroutine.
var grainBytes = 256 << 10
`},
	"crew": {[]string{"grainBytes", "runtime"}, `// crew is how many goroutines n steps are worth, of which each reads so many bytes.
func crew(n, bytesPerStep int) int {
	workers := n / max(grainBytes/max(bytesPerStep, 1), 1)
	if workers > 1 {
		workers = min(workers, runtime.GOMAXPROCS(0)) // asked only then, since that takes a lock
	}
	return max(workers, 1)
}
`},
	"share": {[]string{"sync"}, `// share runs body on so many goroutines, each over its slice of [0, n).
func share(workers, n int, body func(w, lo, hi int)) {
	var wg sync.WaitGroup
	for w := range workers - 1 {
		lo, hi := w*n/workers, (w+1)*n/workers
		wg.Go(func() { body(w, lo, hi) })
	}
	body(workers-1, (workers-1)*n/workers, n)
	wg.Wait()
}
`},
	"scanTiles": {[]string{"runtime", "share", "atomic"}, `// scanTiles scans tiles of n steps on goroutines. Each gives the total of a tile, waits for the state before it, says what comes behind it, and scans the
// tile while that is in cache. From the first tile on where some state is not finite, they are scanned again, one after another.
func scanTiles[T, P any](workers, n, tile int, state T, total func(lo, hi int) P, join func(x T, so P) T, scan func(lo, hi int, x T) bool,
	again func(lo, hi int, x T) T) {
	tiles := (n-1)/tile + 1
	before, fine := make([]T, tiles), make([]bool, tiles)
	var taken, known atomic.Int64 // tiles, and states before them
	share(workers, workers, func(_, _, _ int) {
		for t := int(taken.Add(1) - 1); t < tiles; t = int(taken.Add(1) - 1) {
			lo := t * tile
			hi := lo + min(tile, n-lo)
			so := total(lo, hi)
			for known.Load() < int64(t) {
				runtime.Gosched()
			}
			before[t] = state
			state = join(state, so)
			known.Store(int64(t) + 1)
			if fine[t] = scan(lo, hi, before[t]); !fine[t] {
				taken.Store(int64(tiles))
			}
		}
	})
	for t := range tiles {
		if fine[t] {
			continue
		}
		for x := before[t]; t < tiles; t++ {
			x = again(t*tile, t*tile+min(tile, n-t*tile), x)
		}
		return
	}
}
`},
	"partition": {[]string{"crew", "share"}, `// partition runs body over contiguous slices of [0, n), of which each step reads so many
// bytes, one slice on each of as many goroutines as there are processors.
func partition(n, bytesPerStep int, body func(lo, hi int)) {
	workers := crew(n, bytesPerStep)
	if workers == 1 {
		body(0, n)
		return
	}
	share(workers, n, func(_, lo, hi int) { body(lo, hi) })
}
`},
	"earliest": {[]string{"atomic"}, `// earliest is the first of the slices that have ended: those behind it are not needed.
type earliest struct{ place atomic.Int64 } // plus 1; 0 for none

// before reports whether a slice does not lie behind it.
func (e *earliest) before(u int) bool {
	at := e.place.Load()
	return at == 0 || int64(u) < at
}

// note says that a slice has ended.
func (e *earliest) note(u int) {
	for at := e.place.Load(); at == 0 || int64(u)+1 < at; at = e.place.Load() {
		if e.place.CompareAndSwap(at, int64(u)+1) {
			return
		}
	}
}
`},
	"parallel": {[]string{"crew", "grainBytes", "share", "atomic"}, `// parallel runs body over contiguous slices of [0, n), of which each step reads so many
// bytes, on as many goroutines as there are processors. Slices are short and go to whoever is done with
// the last one: processors are not equally fast, and goroutines do not begin at once.
func parallel(n, bytesPerStep int, body func(lo, hi int)) {
	workers := crew(n, bytesPerStep)
	if workers == 1 {
		body(0, n)
		return
	}
	length := max(grainBytes/max(bytesPerStep, 1), n/(64*workers), 1)
	var next atomic.Int64
	share(workers, workers, func(_, _, _ int) {
		for lo := int(next.Add(1)-1) * length; lo < n; lo = int(next.Add(1)-1) * length {
			body(lo, min(lo+length, n))
		}
	})
}
`},
	"fault": {[]string{"fmt", "sync"}, `// fault keeps the first thing that went wrong on any goroutine.
type fault struct {
	once sync.Once
	err  error
}

func (f *fault) outside(name string, at, lo, n int) {
	f.once.Do(func() { f.err = fmt.Errorf("%s: coordinate %d is outside of %d..%d", name, at, lo, lo+n-1) })
}
`},
}

// Packages are those that emitted code may import, by the names that it calls them.
var Packages = [...][2]string{
	{"errors", "errors"}, {"fmt", "fmt"}, {"math", "math"}, {"bits", "math/bits"}, {"rand", "math/rand/v2"}, {"runtime", "runtime"},
	{"simd", "simd"}, {"archsimd", "simd/archsimd"}, {"sync", "sync"}, {"atomic", "sync/atomic"}, {"testing", "testing"}, {"unsafe", "unsafe"},
}

// Uses is the packages and functions that a file names, noted as it is written.
type Uses map[string]bool

// Note notes a name, and gives it: a kernel.Use.
func (u Uses) Note(name string) string {
	u[name] = true
	return name
}

// Declare is the text of helpers, and notes what they use.
func (u Uses) Declare(names Uses) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		b.WriteString("\n" + Helpers[name].Code)
		for _, used := range Helpers[name].Uses {
			u.Note(used)
		}
	}
	return b.String()
}

// Imports is the import declaration of a file that uses some names; nothing where these are of no package.
func (u Uses) Imports() string {
	var paths []string
	for _, p := range Packages {
		if u[p[0]] {
			paths = append(paths, strconv.Quote(p[1]))
		}
	}
	if len(paths) == 0 {
		return ""
	}
	return "import (\n" + strings.Join(paths, "\n") + "\n)\n\n"
}

// HelpersOf names the helpers that files use, and those that they use in turn.
func HelpersOf(files ...Uses) Uses {
	out := Uses{}
	var add func(name string)
	add = func(name string) {
		h, ok := Helpers[name]
		if !ok || out[name] {
			return
		}
		out[name] = true
		for _, n := range h.Uses {
			add(n)
		}
	}
	for _, f := range files {
		for name := range f {
			add(name)
		}
	}
	return out
}
