package rfactor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/ir/program"
)

// matchProgram matches a program over the input in and the domain r.
func matchProgram(t *testing.T, input, init, update string) *Answer {
	t.Helper()
	return matchProgramUnder(t, ir.DefaultAssumptions, input, init, update)
}

// matchProgramUnder is matchProgram under other assumptions, given some conditions.
func matchProgramUnder(t *testing.T, allowed ir.Assume, input, init, update string, given ...string) *Answer {
	t.Helper()
	head := "ImageParam in(" + input + ", 1);\nFunc f;\nRDom r(0, in.width());\n"
	prog, err := program.ParseProgram(ir.NewPool(), "test", head+"f() = "+init+";\nf() = "+update+";", ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	u := prog.Definitions()[0].Update()
	if u.Given, err = program.ParseGiven(u, given...); err != nil {
		t.Fatal(err)
	}
	a, err := Match(context.Background(), u, Options{Name: "f", Allowed: allowed})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestBoundedUnderMore matches programs that have an answer by the bounds of their state: under more assumptions they have one, too.
func TestBoundedUnderMore(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for _, test := range []struct {
		init, update string
		status       Status
	}{
		{"0", "select(f() == 100, 100, select(in(r) > 9, f() + 1, f()))", Lifted},
		{"{0, 0}", "{select(f()[0] < 10 && in(r) > 9, f()[0] + 1, f()[0]), select(f()[0] >= 10 && in(r) > 9, f()[1] + 1, f()[1])}", Staged},
	} {
		for _, allowed := range []ir.Assume{ir.DefaultAssumptions, ir.AllAssumptions} {
			a := matchProgramUnder(t, allowed, "UInt(8)", test.init, test.update)
			if a.Status != test.status {
				t.Errorf("%s under %s: %s, want %s (%s)", test.update, allowed, a.Status, test.status, a.Reason)
				continue
			}
			judge(t, a)
		}
	}
}

// The initial value bounds the state, by which a lift assumes nothing. Without what follows from that value the claim fails.
func TestBounded(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for _, test := range []struct{ input, init, update, given, via string }{
		{"UInt(8)", "cast<uint32_t>(0)", "(f()*10 + cast<uint32_t>(in(r))) % 7", "x0 <= 6", "lift:residues"},
		{"UInt(8)", "0", "(f()*3 + cast<int32_t>(in(r))) % 11", "0 <= x0; x0 <= 10", "lift:residues"},
		{"UInt(8)", "{0, 0}", "{select(in(r) > 32, select(f()[0] == 2, 0, f()[0] + 1), f()[0]), f()[1] + select(f()[0] == 0, 1, 0)}", "0 <= x0; x0 <= 2", "lift:cases of affine"},
		{"UInt(8)", "{0, 0}", "{select(f()[0] > 0, f()[0] - 1, select(in(r) == 101, 3, 0)), f()[1] + select(f()[0] == 0 && in(r) == 101, 1, 0)}", "0 <= x0; x0 <= 3", "lift:cases of affine"},
		{"UInt(8)", "{1, 0}", "{select(in(r) > 127, min(f()[0] + 1, 3), max(f()[0] - 1, 0)), f()[1] + select((f()[0] >= 2) == (in(r) > 127), 0, 1)}", "0 <= x0; x0 <= 3", "lift:cases of affine"},
		{"UInt(8)", "0", "select(in(r) > 10, select(f() + 1 >= 12, 0, f() + 1), f())", "0 <= x0; x0 <= 11", "lift:cyclic"},
		{"Int(32)", "5", "clamp(f() + select(in(r) > 0, 1, -1), 0, 10)", "0 <= x0; x0 <= 10", "lift:saturating"},
		{"UInt(8)", "{0, 0}", "{select(f()[0] == 59, 0, f()[0] + 1), f()[1] + select(f()[0] == 59, 1, 0) + cast<int32_t>(in(r))*0}", "0 <= x0; x0 <= 59", "positional"},
		{"UInt(8)", "12", "select(in(r) > 10, select(f() + 1 == 12, 0, f() + 1), f())", "", ""}, // goes on to the greatest number
		{"UInt(8)", "cast<uint32_t>(in(0))", "(f()*10 + cast<uint32_t>(in(r))) % 7", "", ""},    // starts anywhere
	} {
		a := matchProgram(t, test.input, test.init, test.update)
		if got := ir.Strings(a.Given); got != test.given || a.Via() != test.via || a.Assumes != 0 {
			t.Errorf("%s from %s: %s by %s, given %q, want %q by %s (%s)", test.update, test.init, a.Status, a.Via(), got, test.given, test.via, a.Reason)
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s: %v", test.update, err)
		}
		if err := claims.Check(line, 2000, 7); err != nil {
			t.Error(err)
		}
		if a.Status != Lifted {
			continue
		}
		outside := regexp.MustCompile(`"initial":\["[015]"`).ReplaceAll(line, []byte(`"initial":["100"`))
		rejected(t, test.update+" from 100", outside, "initial")
		unproven := regexp.MustCompile(`"kept":\[`).ReplaceAll(line, []byte(`"kept":[{"kind":"equal"},`))
		rejected(t, test.update+" with a proof too many", unproven, "a step keeps what is given")
		wider := []byte(strings.Replace(string(line), `"x0 <= `, `"x0 <= 1`, 1)) // 6 becomes 16, and no proof is one of that
		rejected(t, test.update+" with another bound", wider, "")
		if err := claims.Check(outside, 2000, 7); err == nil {
			t.Errorf("%s from 100 is what the evaluator confirms", test.update)
		}
	}
}

// No run leaves the bounds, and they are no wider than they have to be.
func TestBounds(t *testing.T) {
	for _, test := range []struct{ types, update, init, want string }{
		{"x0:i32,y0:bool", "select(y0, select(x0 == 2, 0, x0 + 1), x0)", "0", "[{0 2}]"},
		{"x0:u8,y0:u8", "select(x0 > 0, x0 - 1, select(y0 == 101, 3, 0))", "0", "[{0 3}]"},
		{"x0:u32,y0:u8", "(x0*10 + u32(y0)) % 7", "0", "[{0 6}]"},
		{"x0:i32,y0:bool", "select(y0, min(x0 + 1, 1000), max(x0 - 1, -5))", "0", "[{-5 1000}]"},
		{"x0:i32,y0:bool", "select(x0 < 1000, x0 + 1, x0)", "3", "[{3 1000}]"},
		{"x0:i32,y0:i32", "x0 + y0", "0", "[{-2147483648 2147483647}]"},
		{"x0:u64,y0:u64", "max(x0, y0)", "7", "[{7 9223372036854775807}]"},
		{"x0:i32,x1:i32,y0:bool", "select(x1 == 1, x0 & 3, 2); 1 - x1", "2; 0", "[{0 2} {0 1}]"},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.update)
		if err != nil {
			t.Fatal(err)
		}
		var init []ir.Expr
		for i, text := range strings.Split(test.init, "; ") {
			e, err := ir.Read(u.Pool, func(string) (ir.Expr, bool) { return ir.Expr{}, false }, u.Types[i], text)
			if err != nil {
				t.Fatal(err)
			}
			init = append(init, e)
		}
		found := bounds(u.Types, u.Values, init)
		if got := fmt.Sprint(found); got != test.want {
			t.Errorf("%s from %s: %s, want %s", test.update, test.init, got, test.want)
		}
		staysWithin(t, u, init, found)
	}
}

// staysWithin runs an update from its initial value, on inputs of every size.
func staysWithin(t *testing.T, u *ir.Update, init []ir.Expr, within []interval.Interval) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 11))
	state := make([]uint64, len(init))
	for i, e := range init {
		state[i] = ir.Eval(e, &ir.Env{})
	}
	for range 5000 {
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			if v.Kind() == ir.State {
				return state[v.Index()]
			}
			return v.Type().Wrap([]uint64{rng.Uint64(), uint64(rng.IntN(128)), v.Type().Min(), v.Type().Max()}[rng.IntN(4)])
		}}
		next := make([]uint64, len(state))
		for i, e := range u.Values {
			next[i] = ir.Eval(e, env)
			if v := int64(next[i]); v < within[i].Lo || v > within[i].Hi {
				if u.Types[i] != ir.U64 || v >= 0 {
					t.Fatalf("%s: component %d becomes %d", ir.Strings(u.Values), i, v)
				}
			}
		}
		state = next
	}
}

// A segment may start with a value that depends on the input that starts it, and that the lift does not know beforehand.
func TestClosingAtStart(t *testing.T) {
	a := matchProgram(t, "Float(32)", "{0, 0}", "{select(in(r) > 0.7f, 1, select(in(r) < 0.3f, 0, f()[0])), f()[1] + select(f()[0] == 0 && in(r) > 0.7f, 1, 0)}")
	if a.Status != Lifted {
		t.Fatalf("it is %s: %s", a.Status, a.Reason)
	}
	judge(t, a)
}

// Small machines with a count, drawn at random: whatever is answered is true, and most of them are answered in one pass.
func TestBoundedDrawn(t *testing.T) {
	skipShort(t)
	rng := rand.New(rand.NewPCG(3, 4))
	one := 0
	const drawn = 10
	for range drawn {
		k := 2 + rng.IntN(3)
		next := "f()[0]"
		for s := range k {
			next = fmt.Sprintf("select(f()[0] == %d, select(in(r) %% %d == %d, %d, %d), %s)", s, 2+rng.IntN(3), rng.IntN(2), rng.IntN(k), rng.IntN(k), next)
		}
		if rng.IntN(2) == 0 {
			next = fmt.Sprintf("(f()[0]*%d + cast<int32_t>(in(r) & 3)) %% %d", 1+rng.IntN(4), k)
		}
		a := matchProgram(t, "UInt(8)", fmt.Sprintf("{%d, 0}", rng.IntN(k)), fmt.Sprintf("{%s, f()[1] + select(f()[0] == %d, 1, 0)}", next, rng.IntN(k)))
		if a.Status == Refused || a.Status == Staged {
			continue
		}
		one++
		judge(t, a)
	}
	if one < drawn*8/10 {
		t.Errorf("%d of %d have an answer in one pass", one, drawn)
	}
}
