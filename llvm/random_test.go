package llvm

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	run "github.com/rfactor-go/rfactor/llvm/internal/exec"
)

// randomFunction writes a function of two numbers of i32 whose instructions have a value for all operands.
func randomFunction(rng *rand.Rand, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "define i32 @%s(i32 %%x, i32 %%y) {\n", name)
	values := []string{"%x", "%y", "7", "-3", "2147483647"}
	pick := func() string { return values[rng.IntN(len(values))] }
	for i := range 3 + rng.IntN(8) {
		v := fmt.Sprintf("%%v%d", i)
		line := func(format string, args ...any) { fmt.Fprintf(&b, "  %s"+format+"\n", append([]any{v}, args...)...) }
		switch n := rng.IntN(12); n {
		case 0, 1:
			line(" = %s i32 %s, %s", []string{"add", "sub", "mul", "and", "or", "xor"}[rng.IntN(6)], pick(), pick())
		case 2:
			line(" = %s i32 %s, %d", []string{"shl", "lshr", "ashr"}[rng.IntN(3)], pick(), rng.IntN(32))
		case 3:
			line(" = %s i32 %s, %d", []string{"udiv", "urem", "sdiv", "srem"}[rng.IntN(4)], pick(), []int{2, 3, 7, 8, 1000, -5}[rng.IntN(6)])
		case 4, 5:
			line(".c = icmp %s i32 %s, %s", []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}[rng.IntN(10)], pick(), pick())
			line(" = select i1 %s.c, i32 %s, i32 %s", v, pick(), pick())
		case 6:
			line(" = call i32 @llvm.%s.i32(i32 %s, i32 %s)", []string{"smax", "smin", "umax", "umin", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"}[rng.IntN(8)], pick(), pick())
		case 7:
			small := []string{"i1", "i8", "i16"}[rng.IntN(3)]
			line(".s = trunc i32 %s to %s", pick(), small)
			line(" = %s %s %s.s to i32", []string{"sext", "zext"}[rng.IntN(2)], small, v)
		case 8:
			wide := []string{"sext", "zext"}[rng.IntN(2)]
			line(".a = %s i32 %s to i64", wide, pick())
			line(".b = %s i32 %s to i64", wide, pick())
			line(".p = mul i64 %s.a, %s.b", v, v)
			line(".h = %s i64 %s.p, %d", []string{"lshr", "ashr"}[rng.IntN(2)], v, rng.IntN(64))
			line(" = trunc i64 %s.h to i32", v)
		case 9:
			line(" = call i32 @llvm.%s.i32(i32 %s, i32 %s, i32 %d)", []string{"fshl", "fshr"}[rng.IntN(2)], pick(), pick(), rng.IntN(40))
		case 10:
			line(" = call i32 @llvm.%s.i32(i32 %s, i1 false)", []string{"abs", "ctlz", "cttz"}[rng.IntN(3)], pick())
		case 11:
			line(" = call i32 @llvm.%s.i32(i32 %s)", []string{"ctpop", "bitreverse"}[rng.IntN(2)], pick())
		}
		values = append(values, v)
	}
	fmt.Fprintf(&b, "  ret i32 %s\n}\n", values[len(values)-1])
	return b.String()
}

// executed runs functions on inputs by the interpreter.
func executed(t *testing.T, m *Module, inputs [][12][2]int32) (results []int32) {
	for f, of := range inputs {
		for _, in := range of {
			v, err := run.Run(m.m.Funcs[f], []run.Value{{Bits: uint64(uint32(in[0]))}, {Bits: uint64(uint32(in[1]))}}, nil, nil)
			if err != nil || v.Poison {
				t.Fatalf("f%d of %v is %v, %v", f, in, v, err)
			}
			results = append(results, int32(v.Bits))
		}
	}
	return results
}

// viaLLI runs functions on inputs by LLVM's interpreter; nil where there is none.
func viaLLI(t *testing.T, source string, inputs [][12][2]int32) (results []int32) {
	lli := onPath("lli-16", "lli-19", "lli-15", "lli-14", "lli")
	if lli == "" {
		return nil
	}
	pointer, format := "ptr", "@format"
	if version, _ := exec.Command(lli, "--version").Output(); strings.Contains(string(version), "version 14") {
		pointer, format = "i8*", "getelementptr ([4 x i8], [4 x i8]* @format, i64 0, i64 0)"
	}
	whole := "@format = constant [4 x i8] c\"%d\\0A\\00\"\ndeclare i32 @printf(" + pointer + ", ...)\n" + source + "define i32 @main() {\n"
	for f, of := range inputs {
		for p, in := range of {
			whole += fmt.Sprintf("  %%r%d.%d = call i32 @f%d(i32 %d, i32 %d)\n  call i32 (%s, ...) @printf(%s %s, i32 %%r%d.%d)\n", f, p, f, in[0], in[1], pointer, pointer, format, f, p)
		}
	}
	whole += "  ret i32 0\n}\n"
	for _, name := range strings.Fields("smax smin umax umin uadd.sat usub.sat sadd.sat ssub.sat") {
		whole += fmt.Sprintf("declare i32 @llvm.%s.i32(i32, i32)\n", name)
	}
	whole += "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i32 @llvm.fshr.i32(i32, i32, i32)\ndeclare i32 @llvm.abs.i32(i32, i1)\ndeclare i32 @llvm.ctlz.i32(i32, i1)\n" +
		"declare i32 @llvm.cttz.i32(i32, i1)\ndeclare i32 @llvm.ctpop.i32(i32)\ndeclare i32 @llvm.bitreverse.i32(i32)\n"
	cmd := exec.Command(lli, "-")
	cmd.Stdin = strings.NewReader(whole)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.FieldsSeq(string(out)) {
		n, _ := strconv.Atoi(line)
		results = append(results, int32(n))
	}
	return results
}

// TestRandomFunctions compares what is read of random functions with what the interpreter computes, and that with lli, with signed
// numbers and without sign.
func TestRandomFunctions(t *testing.T) {
	const functions, points = 200, 12
	rng := rand.New(rand.NewPCG(3, 3))
	var source strings.Builder
	inputs := make([][points][2]int32, functions)
	for f := range functions {
		source.WriteString(randomFunction(rng, fmt.Sprintf("f%d", f)))
		for p := range points {
			for i := range 2 {
				inputs[f][p][i] = []int32{int32(rng.Uint32()), int32(rng.IntN(9)) - 4, -1 << 31}[rng.IntN(3)]
			}
		}
	}
	m, err := Parse("random.ll", source.String())
	if err != nil {
		t.Fatal(err)
	}
	results := executed(t, m, inputs)
	if byLLI := viaLLI(t, source.String(), inputs); byLLI != nil && !slices.Equal(results, byLLI) {
		t.Error("lli computes something else than the interpreter")
	}
	ops := m.Operators()
	if len(ops) != functions {
		t.Fatalf("%d functions are read", len(ops))
	}
	for f, op := range ops {
		for _, finding := range []Finding{op.Finding, other(op)} {
			if finding.Update == nil {
				t.Errorf("%s is not read: %v", finding.Func, finding.Obstacles)
				continue
			}
			for p, in := range inputs[f] {
				e := finding.Update.Values[0]
				got := ir.Eval(e, &ir.Env{Var: func(v ir.Expr) uint64 {
					if v.Kind() == ir.State {
						return v.Type().Wrap(uint64(int64(in[0])))
					}
					return v.Type().Wrap(uint64(int64(in[1])))
				}})
				if want := results[f*points+p]; int32(got) != want {
					t.Fatalf("%s(%d, %d) is %d, and read as %s it is %d", finding.Func, in[0], in[1], want, e, int32(got))
				}
			}
		}
	}
}

// other reads an operator with integers of the other kind.
func other(op *Operator) Finding {
	if op.again == nil {
		return op.Finding
	}
	return op.again()
}
