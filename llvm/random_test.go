package llvm

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
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

// TestRandomFunctions compares what is read of random functions with what lli computes, with signed numbers and without sign.
func TestRandomFunctions(t *testing.T) {
	lli := ""
	for _, name := range []string{"lli-16", "lli-19", "lli-15"} {
		if path, err := exec.LookPath(name); err == nil && lli == "" {
			lli = path
		}
	}
	if lli == "" {
		t.Skip("no lli of LLVM 15 or later is on the path")
	}
	const functions, points = 200, 12
	rng := rand.New(rand.NewPCG(3, 3))
	var source, main strings.Builder
	inputs := make([][points][2]int32, functions)
	for f := range functions {
		source.WriteString(randomFunction(rng, fmt.Sprintf("f%d", f)))
		for p := range points {
			for i := range 2 {
				inputs[f][p][i] = []int32{int32(rng.Uint32()), int32(rng.IntN(9)) - 4, -1 << 31}[rng.IntN(3)]
			}
			fmt.Fprintf(&main, "  %%r%d.%d = call i32 @f%d(i32 %d, i32 %d)\n  call i32 (ptr, ...) @printf(ptr @format, i32 %%r%d.%d)\n", f, p, f, inputs[f][p][0], inputs[f][p][1], f, p)
		}
	}
	whole := "@format = constant [4 x i8] c\"%d\\0A\\00\"\ndeclare i32 @printf(ptr, ...)\n" + source.String() + "define i32 @main() {\n" + main.String() + "  ret i32 0\n}\n"
	for _, name := range strings.Fields("smax smin umax umin uadd.sat usub.sat sadd.sat ssub.sat") {
		whole += fmt.Sprintf("declare i32 @llvm.%s.i32(i32, i32)\n", name)
	}
	whole += "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i32 @llvm.fshr.i32(i32, i32, i32)\ndeclare i32 @llvm.abs.i32(i32, i1)\ndeclare i32 @llvm.ctlz.i32(i32, i1)\n" +
		"declare i32 @llvm.cttz.i32(i32, i1)\ndeclare i32 @llvm.ctpop.i32(i32)\ndeclare i32 @llvm.bitreverse.i32(i32)\n"
	cmd := exec.Command(lli, "-")
	cmd.Stdin = strings.NewReader(whole)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	results := strings.Fields(string(out))
	m, err := Parse("random.ll", source.String())
	if err != nil {
		t.Fatal(err)
	}
	ops := m.Operators()
	if len(ops) != functions || len(results) != functions*points {
		t.Fatalf("%d functions are read, %d results", len(ops), len(results))
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
				if want := results[f*points+p]; fmt.Sprint(int32(got)) != want {
					t.Fatalf("%s(%d, %d) is %s, and read as %s it is %d", finding.Func, in[0], in[1], want, e, int32(got))
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
