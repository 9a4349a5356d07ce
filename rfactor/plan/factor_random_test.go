package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// reductions are what random schedules are tried on: the initial value and the update, over
// inputs in (of type T) and r. What commutes, or does so by the tie rule, can be factored in
// every way.
var reductions = []struct {
	name, types, init, update string
	commutes                  bool // if need be by the tie rule
}{
	{"sum", "i8 i32 u16 i64 f32 f64", "T(3)", "f() + in(R)", true},
	{"difference", "i32 u8 f32", "T(3)", "f() - in(R)", true},
	{"product", "i32 u64 f32", "T(1)", "f() * in(R)", true},
	{"min", "i8 u8 i32 i64", "T(2)", "min(f(), in(R))", true},
	{"max", "i16 u32 i32 f32", "T(3)", "max(in(R), f())", true},
	{"xor", "u8 i32", "T(1)", "f() ^ in(R)", true},
	{"or", "u8", "T(0)", "f() | in(R)", true},
	{"count-if", "i32 u8", "0", "select(in(R) > T(1), f() + 1, f())", true},
	{"conditional", "i32 f32", "T(1)", "select(in(R) > T(1), f() + in(R), f() - in(R))", true},
	{"all", "i32", "cast<bool>(1)", "f() && in(R) < T(4)", true},
	{"probability", "i32", "0", "f() + in(R) + 3*f()*in(R)", true},
	{"clamped", "i32 u8", "T(2)", "max(min(f(), T(3)), in(R))", false},
	{"argmin-first", "i32 u8 f32", "{T(2), POS(5)}", "{min(f()[0], in(R)), POS[select(in(R) < f()[0], COORD, OLD)]}", true},
	{"argmin-last", "i32 u8", "{T(2), POS(5)}", "{min(f()[0], in(R)), POS[select(f()[0] < in(R), OLD, COORD)]}", true},
	{"argmin-le", "i32 i8", "{T(2), POS(5)}", "{min(f()[0], in(R)), POS[select(f()[0] <= in(R), OLD, COORD)]}", true},
	{"argmin-first from the greatest", "u8 i32", "{MAX, POS(5)}", "{min(f()[0], in(R)), POS[select(in(R) < f()[0], COORD, OLD)]}", true},
	{"argmin-last from the greatest", "u8 i16", "{MAX, POS(5)}", "{min(f()[0], in(R)), POS[select(f()[0] < in(R), OLD, COORD)]}", true},
	{"argmax-last from the least", "i8 i64", "{MIN, POS(5)}", "{max(f()[0], in(R)), POS[select(f()[0] <= in(R), COORD, OLD)]}", true},
	{"argmax", "u8 i64 f32", "{T(0), POS(5)}", "{select(in(R) > f()[0], in(R), f()[0]), POS[select(in(R) > f()[0], COORD, OLD)]}", true},
	{"argmax-square", "i32", "{T(0), POS(5)}", "{select(in(R)*in(R) > f()[0]*f()[0], in(R), f()[0]), POS[select(in(R)*in(R) > f()[0]*f()[0], COORD, OLD)]}", true},
	{"matrix", "i32 u8", "{T(1), T(0), T(0), T(1)}", "{f()[0]*in(R) + f()[1]*T(2), f()[0]*T(3) + f()[1]*in(R), f()[2]*in(R) + f()[3]*T(2), f()[2]*T(3) + f()[3]*in(R)}", false},
	{"sum-and-max", "i32 u16", "{T(0), T(0)}", "{f()[0] + in(R), max(f()[1], in(R))}", true},
	{"sum-and-first", "i32", "{T(0), T(2), POS(5)}", "{f()[0] + in(R), min(f()[1], in(R)), POS2[select(in(R) < f()[1], COORD, OLD)]}", true},
}

// coordNames is the coordinates of a domain of some dimensions.
func coordNames(dims int) []string {
	if dims == 1 {
		return []string{"r.x"}
	}
	return []string{"r.x", "r.y", "r.z"}[:dims]
}

// expand fills in the pattern of a reduction: the type, the coordinates, and the components
// that hold them.
func expand(pattern, typ string, dims int) string {
	coords := coordNames(dims)
	each := func(from int, f func(i int, c string) string) string {
		var parts []string
		for i, c := range coords {
			parts = append(parts, f(from+i, c))
		}
		return strings.Join(parts, ", ")
	}
	for from, word := range []string{"", "POS[", "POS2["} {
		if start := strings.Index(pattern, word); word != "" && start >= 0 {
			end := strings.LastIndex(pattern, "]")
			body := pattern[start+len(word) : end]
			pattern = pattern[:start] + each(from, func(i int, c string) string {
				return strings.NewReplacer("COORD", c, "OLD", fmt.Sprintf("f()[%d]", i)).Replace(body)
			}) + pattern[end+1:]
		}
	}
	pattern = strings.ReplaceAll(pattern, "POS(5)", each(0, func(int, string) string { return "5" }))
	pattern = strings.ReplaceAll(pattern, "in(R)", "in("+strings.Join(coords, ", ")+")")
	pattern = strings.NewReplacer("MAX", haName(typ)+".max()", "MIN", haName(typ)+".min()").Replace(pattern)
	return strings.ReplaceAll(pattern, "T(", "cast<"+cName(typ)+">(")
}

func cName(typ string) string {
	return map[string]string{"i8": "int8_t", "i16": "int16_t", "i32": "int", "i64": "int64_t", "u8": "uint8_t",
		"u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t", "f32": "float", "f64": "double"}[typ]
}

func haName(typ string) string {
	kind := map[byte]string{'i': "Int", 'u': "UInt", 'f': "Float"}[typ[0]]
	return kind + "(" + typ[1:] + ")"
}

// randomSchedule writes directives for f.update(0) with the given reduction loops, outermost
// first. It does not care whether they are allowed.
func randomSchedule(rng *rand.Rand, loops []string) string {
	var b strings.Builder
	fresh := 0
	name := func(prefix string) string {
		fresh++
		return fmt.Sprintf("%s%d", prefix, fresh)
	}
	var declared []string
	var schedule func(f string, loops []string, depth int)
	schedule = func(f string, loops []string, depth int) {
		for range rng.IntN(3) {
			i := rng.IntN(len(loops))
			o, in := name("outer"), name("inner")
			declared = append(declared, o, in)
			fmt.Fprintf(&b, "%s.update(0).split(%s, %s, %s, %d);\n", f, loops[i], o, in, 1+rng.IntN(9))
			loops = append(append(append([]string{}, loops[:i]...), o, in), loops[i+1:]...)
		}
		if rng.IntN(6) == 0 && len(loops) > 1 {
			i := rng.IntN(len(loops) - 1)
			fmt.Fprintf(&b, "%s.update(0).reorder(%s, %s);\n", f, loops[i], loops[i+1])
			loops = append([]string{}, loops...)
			loops[i], loops[i+1] = loops[i+1], loops[i]
		}
		if rng.IntN(8) == 0 && len(loops) > 1 {
			i, v := rng.IntN(len(loops)-1), name("fused")
			declared = append(declared, v)
			fmt.Fprintf(&b, "%s.update(0).fuse(%s, %s, %s);\n", f, loops[i+1], loops[i], v)
			loops = append(append(append([]string{}, loops[:i]...), v), loops[i+2:]...)
		}
		var pairs, rest, taken []string
		made := name("m")
		var pure []string
		for _, l := range loops {
			if rng.IntN(2) == 0 {
				u := name("lane")
				pairs, taken, pure = append(pairs, "{"+l+", "+u+"}"), append(taken, l), append(pure, u)
			} else {
				rest = append(rest, l)
			}
		}
		if len(pairs) == 0 {
			return
		}
		for _, u := range pure {
			fmt.Fprintf(&b, "Var %s;\n", u)
		}
		fmt.Fprintf(&b, "Func %s = %s.update(0).rfactor({%s});\n%s.compute_root();\n", made, f, strings.Join(pairs, ", "), made)
		for _, u := range pure {
			fmt.Fprintf(&b, "%s.update(0).%s(%s);\n", made, []string{"parallel", "vectorize", "unroll"}[rng.IntN(3)], u)
		}
		if depth < 2 && len(rest) > 0 && rng.IntN(2) == 0 {
			schedule(made, rest, depth+1)
		}
		if depth < 2 && rng.IntN(3) == 0 {
			schedule(f, taken, depth+1)
		}
	}
	schedule("f", loops, 0)
	text := ""
	for _, d := range declared {
		text += "RVar " + d + ";\n"
	}
	return text + b.String()
}

// Schedules drawn at random give what the program gives without them, bit for bit.
func TestRandomSchedules(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	predicates := []string{"", "", "(r.x + r.y) % 3 == 0", "r.x > r.y", "r.y >= 2", "false"}
	for _, red := range reductions {
		for _, typ := range strings.Fields(red.types) {
			accepted, tried := 0, 0
			for range rounds {
				dims := []int{1, 1, 2, 2, 3}[rng.IntN(5)]
				var bounds []string
				for i := range dims {
					bounds = append(bounds, "0, "+[]string{"in.width()", "in.height()", "in.channels()"}[i])
				}
				text := fmt.Sprintf("ImageParam in(%s, %d);\nFunc f;\nf() = %s;\nRDom r(%s);\n", haName(typ), dims, expand(red.init, typ, dims), strings.Join(bounds, ", "))
				if p := predicates[rng.IntN(len(predicates))]; dims > 1 && p != "" {
					text += "r.where(" + p + ");\n"
				}
				text += "f() = " + expand(red.update, typ, dims) + ";\n"
				if dims == 1 {
					text = strings.ReplaceAll(text, "r.x", "r")
				}
				var loops []string
				for i := dims - 1; i >= 0; i-- {
					loops = append(loops, coordNames(dims)[i])
				}
				if dims == 1 {
					loops[0] = "r"
				}
				ok := runBoth(t, rng, text+randomSchedule(rng, loops), dims)
				tried++
				if ok {
					accepted++
				}
			}
			if red.commutes && accepted < tried/3 && tried > 3 {
				t.Errorf("%s %s: of %d schedules %d were accepted", red.name, typ, tried, accepted)
			}
		}
	}
}

// runBoth compares a program with and without its schedule; false where it is refused.
func runBoth(t *testing.T, rng *rand.Rand, text string, dims int) bool {
	t.Helper()
	prog := parseText(t, "random.rf", text)
	p, err := Factor(context.Background(), prog, plain)
	if err != nil {
		if _, ok := err.(ir.ErrorList); !ok {
			t.Errorf("%v\n%s", err, text)
		}
		return false
	}
	sizes := []int{0, 1, 2, 3, 63, 64, 65}
	if dims > 1 {
		sizes = []int{0, 1, 2, 3, 7, 10}
	}
	if dims > 2 {
		sizes = []int{0, 1, 2, 3, 5}
	}
	for range 6 {
		in := drawInputs(prog, rng, func(int) int { return sizes[rng.IntN(len(sizes))] })
		want, err := RunSerial(prog, plain, in)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got, err := p.Run(in, rng.Uint64())
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, p)
		}
		if !sameOutputs(got, want) {
			t.Fatalf("%v\ngot  %v\nwant %v\n%s\n%s", in.Arrays["in"].Dims, got["f"].Data, want["f"].Data, text, p)
		}
	}
	return true
}
