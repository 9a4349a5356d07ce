// Package same compares functions with their loops replaced with the functions as they were.
package same

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"fix"
	before "fix/before"
)

// functions are those whose loops were replaced, and the same before.
var functions = [][2]any{
	{fix.Any, before.Any}, {fix.All, before.All}, {fix.First, before.First}, {fix.Same, before.Same}, {fix.Strided, before.Strided},
	{fix.Inclusive, before.Inclusive}, {fix.Counted, before.Counted}, {fix.Several, before.Several}, {fix.Moves, before.Moves}, {fix.Ends, before.Ends},
	{fix.Divides, before.Divides}, {fix.Checks, before.Checks}, {fix.Structs, before.Structs}, {fix.Nested, before.Nested}, {fix.Found, before.Found}, {fix.Early, before.Early},
	{fix.Local, before.Local}, {fix.Words, before.Words}, {fix.Odd, before.Odd}, {fix.ComplexSum, before.ComplexSum}, {fix.ComplexState, before.ComplexState}, {fix.Named, before.Named}, {fix.OwnCount, before.OwnCount},
	{fix.Running, before.Running}, {fix.InPlace, before.InPlace}, {fix.Exclusive, before.Exclusive}, {fix.Valid, before.Valid},
	{fix.Kept, before.Kept}, {fix.KeptDown, before.KeptDown}, {fix.KeptUnsigned, before.KeptUnsigned}, {fix.KeptSearch, before.KeptSearch}, {fix.KeptLast, before.KeptLast},
	{fix.Down, before.Down},
	{fix.DownBy, before.DownBy},
	{fix.DownSearch, before.DownSearch},
	{fix.DownTo, before.DownTo},

	{fix.Narrow, before.Narrow},
	{fix.Unsigned, before.Unsigned},
	{fix.Signed, before.Signed},
	{fix.Ranged, before.Ranged},
	{fix.UnsignedDown, before.UnsignedDown},
	{fix.NarrowSearch, before.NarrowSearch},
	{fix.LongSearch, before.LongSearch},
	{fix.LastWidth, before.LastWidth}, {fix.LastWord, before.LastWord}, {fix.LastOfTwo, before.LastOfTwo}, {fix.Addressed, before.Addressed}, {fix.HoistedLarge, before.HoistedLarge}, {fix.Hoisted, before.Hoisted}, {fix.HoistedSearch, before.HoistedSearch}, {fix.HoistedNew, before.HoistedNew}, {fix.HoistedState, before.HoistedState},
	{fix.Bytes, before.Bytes}, {fix.Weighted, before.Weighted}, {fix.Bits, before.Bits},
}

// draw fills an argument. Most numbers are small, a few are any, so that searches end early, late, or not at all.
func draw(rng *rand.Rand, v reflect.Value, n, rare int) {
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), max(n-rng.IntN(16)/15, 0), n))
		for i := range v.Len() {
			draw(rng, v.Index(i), rng.IntN(300), rare)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			draw(rng, v.Field(i), n, rare)
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(rng.IntN(9) + 1))
		if rng.IntN(rare) == 0 {
			v.SetInt(int64(rng.IntN(n+40) - 20))
		}
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(rng.IntN(9)-2), float64(rng.IntN(9)-4)))
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Float64:
		v.SetFloat(float64(rng.IntN(100)))
	case reflect.Uint, reflect.Uint32:
		v.SetUint(uint64(rng.IntN(n + 40)))
	case reflect.Uint8:
		v.SetUint(uint64(rng.IntN(100)))
		if rng.IntN(rare) == 0 {
			v.SetUint(200)
		}
	case reflect.String:
		v.SetString(fmt.Sprint(rng.IntN(min(rare, 100)) % 100))
	}
}

// outcome is what a call returns or how it panics, and what its arguments are then.
func outcome(f any, args []reflect.Value) (text string, own []reflect.Value) {
	for _, a := range args {
		if a.Kind() == reflect.Slice {
			a = reflect.AppendSlice(reflect.MakeSlice(a.Type(), 0, a.Len()), a)
		}
		own = append(own, a)
	}
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint("panic: ", p)
		}
	}()
	for _, r := range reflect.ValueOf(f).Call(own) {
		for r.Kind() == reflect.Pointer && !r.IsNil() {
			r = r.Elem()
		}
		text += fmt.Sprintf("%v ", r.Interface())
	}
	return text, own
}

func TestSame(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	outcomes := map[int][]string{}
	for seed := range uint64(12) {
		for _, n := range []int{0, 1, 17, 1000, 4000} {
			for which, f := range functions {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				is := reflect.TypeOf(f[0])
				var args []reflect.Value
				for i := range is.NumIn() {
					args = append(args, reflect.New(is.In(i)).Elem())
					draw(rng, args[i], n, []int{2, 100, n + 1, 10 * (n + 1)}[seed%4])
				}
				got, gotArgs := outcome(f[0], args)
				want, wantArgs := outcome(f[1], args)
				isSame := got == want
				for i := range gotArgs {
					isSame = isSame && reflect.DeepEqual(gotArgs[i].Interface(), wantArgs[i].Interface())
				}
				if !isSame {
					t.Fatalf("function %d, seed %d, n %d:\ngot  %.200s\nwant %.200s", which, seed, n, got, want)
				}
				if n == 4000 && !slices.Contains(outcomes[which], want) {
					outcomes[which] = append(outcomes[which], want)
				}
			}
		}
	}
	for which := range functions {
		if len(outcomes[which]) < 2 {
			t.Errorf("function %d always gives the same", which)
		}
	}
}
