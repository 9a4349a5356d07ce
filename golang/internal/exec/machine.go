// Package exec executes steps of loops in SSA form on random values, and compares them with the updates that package
// read extracts. The machine knows nothing of expressions: it runs instructions, on numbers of Go.
package exec

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"math/rand/v2"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
)

// Values of signed integers are int64, of unsigned ones uint64, both in the range of their type. Floats, complex
// numbers, booleans and strings are themselves.
type (
	pointer struct{ path string } // the empty path is nil
	slice   struct {
		base      string // where element 0 of the array would be
		first, n  int
		hasNumber bool // n is decided
	}
	tuple []any
	thing struct{ path string } // anything else: structs, arrays, maps, interfaces, functions; empty is nil
)

// stuck says why a step cannot be executed; panicked, that it panics.
type (
	stuck    struct{ why string }
	panicked struct{ why string }
)

// zeroed begins the paths of variables that a step makes.
const zeroed = "new "

// machine executes one step.
type machine struct {
	rng       *rand.Rand
	sizes     types.Sizes
	elsewhere map[string]*ssa.Function // of other packages
	copies    map[string]string        // structs and arrays that were written, and what they were read from
	memory    map[string]any           // values at addresses, drawn when they are first read
	before    map[string]any           // those of the beginning of the step, where they were read or written
	drawn     map[ssa.Value]any
	tokens    map[any]uint64 // numbers of values that are no numbers
	tame      bool           // small numbers, long slices and strings, no nil: steps seldom panic
	fresh     int
	budget    int
}

// frame holds the values of one activation.
type frame struct {
	m    *machine
	loop *loops.Loop // nil in a callee
	env  map[ssa.Value]any
}

// get returns the value of v: of an instruction that ran, or drawn where it belongs to the surroundings.
func (f *frame) get(v ssa.Value) any {
	if x, ok := f.env[v]; ok {
		return x
	}
	switch v := v.(type) {
	case *ssa.Const:
		return f.m.literal(v)
	case *ssa.Global:
		return pointer{"global " + v.Name()}
	case *ssa.Function, *ssa.Builtin:
		return thing{"function " + v.Name()}
	}
	if f.loop == nil || f.loop.Holds(v) {
		panic(stuck{"a value that was not computed"})
	}
	if x, ok := f.m.drawn[v]; ok {
		return x
	}
	var x any
	if _, isAlloc := v.(*ssa.Alloc); isAlloc {
		x = pointer{f.m.name()}
	} else {
		x = f.m.draw(v.Type())
	}
	f.m.drawn[v] = x
	return x
}

func (m *machine) name() string {
	m.fresh++
	return fmt.Sprint("v", m.fresh)
}

func (m *machine) literal(c *ssa.Const) any {
	if c.Value == nil {
		return m.zero(c.Type())
	}
	b, ok := c.Type().Underlying().(*types.Basic)
	if !ok {
		panic(stuck{"a constant of type " + c.Type().String()})
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return constant.BoolVal(c.Value)
	case info&types.IsString != 0:
		return constant.StringVal(c.Value)
	case info&types.IsInteger != 0:
		v := constant.ToInt(c.Value)
		if info&types.IsUnsigned != 0 {
			u, _ := constant.Uint64Val(v)
			return u
		}
		i, _ := constant.Int64Val(v)
		return i
	case b.Kind() == types.Float32:
		f, _ := constant.Float32Val(c.Value)
		return f
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(c.Value)
		return f
	case info&types.IsComplex != 0:
		if b.Kind() == types.Complex64 {
			return complex128(complex64(c.Complex128()))
		}
		return c.Complex128()
	}
	panic(stuck{"a constant of type " + c.Type().String()})
}

func (m *machine) zero(t types.Type) any {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return false
		case info&types.IsString != 0:
			return ""
		case info&types.IsUnsigned != 0:
			return uint64(0)
		case info&types.IsInteger != 0:
			return int64(0)
		case u.Kind() == types.Float32:
			return float32(0)
		case info&types.IsFloat != 0:
			return 0.0
		case info&types.IsComplex != 0:
			return complex128(0)
		}
	case *types.Pointer:
		return pointer{}
	case *types.Slice:
		return slice{hasNumber: true}
	case *types.Map, *types.Interface, *types.Signature, *types.Chan:
		return thing{}
	}
	panic(stuck{"a zero of type " + t.String()})
}

// draw returns a random value of a type; often one at which operators have their corners.
func (m *machine) draw(t types.Type) any {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return thing{m.name()}
	case *types.Tuple:
		var list tuple
		for v := range u.Variables() {
			list = append(list, m.draw(v.Type()))
		}
		return list
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return m.rng.IntN(2) == 0
		case info&types.IsString != 0:
			length, letters := m.rng.IntN(6), 256
			if m.tame {
				length, letters = 20, 3
			}
			b := make([]byte, length)
			for i := range b {
				b[i] = byte(m.rng.IntN(letters))
			}
			return string(b)
		case info&types.IsUnsigned != 0:
			return m.wrap(u, uint64(m.integer()))
		case info&types.IsInteger != 0:
			return m.wrap(u, uint64(m.integer()))
		case u.Kind() == types.Float32:
			return float32(m.float())
		case u.Kind() == types.Float64:
			return m.float()
		case u.Kind() == types.Complex128:
			return complex(m.float(), m.float())
		case u.Kind() == types.Complex64:
			return complex(float64(float32(m.float())), float64(float32(m.float())))
		case u.Kind() == types.UnsafePointer:
			return pointer{m.name()}
		}
	case *types.Pointer:
		if !m.tame && m.rng.IntN(20) == 0 {
			return pointer{}
		}
		return pointer{m.name()}
	case *types.Slice:
		return slice{base: m.name()}
	}
	return thing{m.name()}
}

func (m *machine) integer() int64 {
	if m.tame {
		return m.rng.Int64N(5)
	}
	switch m.rng.IntN(8) {
	case 0:
		return int64(m.rng.Uint64())
	case 1:
		return []int64{math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, math.MaxInt16, math.MinInt16, 127, -128, 255, -1}[m.rng.IntN(10)]
	case 2:
		return m.rng.Int64N(200) - 100
	}
	return m.rng.Int64N(12) - 2
}

func (m *machine) float() float64 {
	switch m.rng.IntN(8) {
	case 0:
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.MaxFloat64, math.SmallestNonzeroFloat64}[m.rng.IntN(7)]
	case 1, 2:
		return m.rng.NormFloat64()
	}
	return float64(m.rng.IntN(12) - 4)
}

// wrap brings bits into the range of an integer type.
func (m *machine) wrap(b *types.Basic, bits uint64) any {
	shift := uint(64 - 8*m.sizes.Sizeof(b))
	if b.Info()&types.IsUnsigned != 0 {
		return bits << shift >> shift
	}
	return int64(bits<<shift) >> shift
}

// read returns what is at a path of memory. A struct or an array there is the path itself.
func (m *machine) read(path string, t types.Type) any {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return thing{path}
	}
	key := keyOf(path, t)
	x, ok := m.memory[key]
	if !ok {
		x = m.first(path, t)
		m.memory[key], m.before[key] = x, x
	}
	return x
}

// first is what a variable holds before it is written by itself: what the struct or array around it was copied from held
// then, or else a drawn value.
func (m *machine) first(path string, t types.Type) any {
	for whole := path; ; {
		cut := strings.LastIndexAny(whole, ".[")
		if cut < 0 {
			break
		}
		whole = whole[:cut]
		if from, ok := m.copies[whole]; ok {
			part := from + path[cut:]
			m.read(part, t)
			return m.before[keyOf(part, t)]
		}
	}
	if strings.HasPrefix(path, zeroed) {
		return m.zero(t)
	}
	return m.draw(t)
}

// copy writes a struct or an array. What was written of the original so far is copied, the rest when it is read.
func (m *machine) copy(to, from string) {
	if to == from {
		return
	}
	isPart := func(key, whole string) bool {
		rest, ok := strings.CutPrefix(key, whole)
		return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
	}
	for key := range m.copies {
		if isPart(key, to) || isPart(key, from) || isPart(to, key) {
			panic(stuck{"copies of parts"})
		}
	}
	if _, ok := m.copies[from]; ok {
		panic(stuck{"a copy of a copy"})
	}
	for key := range m.memory {
		if isPart(key, to) {
			delete(m.memory, key)
		}
	}
	for key, x := range m.memory {
		if isPart(key, from) {
			m.memory[to+strings.TrimPrefix(key, from)] = x
		}
	}
	m.copies[to] = from
}

// keyOf names a variable at a path; byte and uint8 are one type.
func keyOf(path string, t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return path + " " + types.Typ[b.Kind()].String()
	}
	return path + " " + t.String()
}

// length decides how long a slice is, where that was not asked for before.
func (m *machine) length(s slice, atLeast int) int {
	if s.hasNumber {
		return s.n
	}
	key := "length of " + s.base
	n, ok := m.memory[key].(int)
	if !ok {
		n = atLeast + m.rng.IntN(10)
		if m.tame {
			n += 20
		}
		m.memory[key] = n
	}
	return n - s.first
}
