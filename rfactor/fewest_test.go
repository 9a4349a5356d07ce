package rfactor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify"
)

// Some lifts are known to have no parameter too many, and the checker agrees.
func TestLeastIsProven(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		types, exprs string
		proven       bool
	}{
		{"x0:u64,y0:u64,y1:u64", "x0*y0 + y1", true},
		{"x0:u32,k0:u32,y0:u32", "x0*k0 + y0", true},
		{"x0:i32,y0:bool,y1:i32", "select(y0, y1, x0 + y1)", true},
		{"x0:bool,y0:bool,y1:bool", "select(y0, !x0, x0 || y1)", true},
		{"x0:u32,x1:u32,y0:u32", "x0 + y0; x0 + x1", true},
		{"x0:i32,y0:i32,y1:i32", "min(max(x0, y0), y1)", true},
		{"x0:u32,y0:u32,y1:u32", "(x0 ^ y0) & y1", true},
		{"x0:u64,y0:u64", "((x0 << 7) | (x0 >> 57)) ^ y0", true},
		{"x0:i64,x1:i64,y0:i64,y1:i64,y2:i64,y3:i64", "x0*y0 + x1*y1; x0*y2 + x1*y3", true},
		{"x0:bool,x1:bool,y0:bool", "x1; x0 != y0", true},
		{"x0:u32,x1:u32,y0:bool", "select(y0, x0 + 1, 0); x1 + select(y0, 1, 0)", true},
		{"x0:bool,x1:u32,y0:bool", "x0 != y0; x1 + select(x0, 1, 0)", true},
		{"x0:i64,x1:i64,x2:i64,y0:i64,y1:i64", "y0; y1; x2 + x0*y1 - x1*y0", true},
		{"x0:u8,y0:bool", "select(y0, select(x0 == 255, 255, x0 + 1), 0)", false}, // of (flag, u8) the flag is of no use where the number is 0
		{"x0:i32,x1:i32,y0:i32", "y0; max(x1, y0 - x0)", false},
		{"x0:i32,y0:i32", "max(x0 + y0, 0)", false}, // assumes nsw
	} {
		a := match(t, test.types, test.exprs, "all", 0)
		if a.Status != Lifted || (a.Least() != nil) != test.proven {
			t.Errorf("%s: %s, least %+v, want %t", test.exprs, a.Status, a.Least(), test.proven)
			continue
		}
		line, err := a.JSON(true)
		if err == nil {
			err = verified(line)
		}
		if err != nil || strings.Contains(string(line), `"least":"proven"`) != test.proven {
			t.Errorf("%s: %v\n%s", test.exprs, err, line)
		}
	}
}

// Of states of few bits all functions are listed: where a lift is called least, they are too many for fewer parameters.
func TestLeastIsTrue(t *testing.T) {
	t.Parallel()
	proven := 0
	for _, test := range []string{
		"x0:bool,y0:bool,y1:bool; select(y0, !x0, x0 || y1)", "x0:bool,x1:bool,y0:bool; x1; x0 != y0",
		"x0:bool,x1:bool,y0:bool; y0; x1 || (x0 && y0)", "x0:bool,x1:bool,y0:bool; y0; x0",
		"x0:bool,x1:bool,y0:bool,y1:bool; x0 != (y1 && !x1); !x1 && y0", "x0:bool,x1:bool,y0:bool; x0 && (!x1 || y0); x1 || y0",
		"x0:u8,y0:bool; (x0 << 1) + select(y0, 1, 0)", "x0:u8,y0:bool; select(y0, min(x0, 2) + 1, max(x0, 1) - 1)",
		"x0:u8; x0*5 + 3", "x0:u8,y0:bool; select(y0, x0 >> 1, x0 + 1)", "x0:u8,y0:u8; (x0 ^ y0)*3", "x0:u8,y0:u8; ~(x0 | y0)",
		"x0:u8,y0:bool; select(y0, select(x0 == 255, 255, x0 + 1), 0)",
	} {
		u := parsed(t, test)
		a, err := Match(t.Context(), u, Options{Allowed: ir.AllAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != Lifted || a.Least() == nil {
			continue
		}
		proven++
		if fewer := verify.Fewer(a.Operator.Types).Int64(); countFunctions(a.Update, int(fewer)+1) <= int(fewer) {
			t.Errorf("%s: there are no more functions than %d", test, fewer)
		}
	}
	if proven < 6 {
		t.Errorf("only %d lifts are proven to be least", proven)
	}
}

// Of which updates no operator on the state exists, and that the checker agrees.
func TestNoOperator(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		types, exprs string
		proven       bool
	}{
		{"x0:u32,y0:u32", "x0*x0 + y0", true},
		{"x0:u64,y0:u64,y1:u64", "x0*y0 + y1", true}, // a lift
		{"x0:i32,y0:i32", "max(x0, x0 + y0)", true},  // there is one under nsw alone
		{"x0:u8,y0:bool", "select(y0, x0 >> 1, x0 + 1)", true},
		{"x0:bool,y0:bool,y1:bool", "select(y0, !x0, x0 || y1)", true},
		{"x0:u32", "x0*1664525 + 1013904223", false}, // as many functions as states
		{"x0:i32,y0:i32", "x0 + y0", false},
		{"x0:i32,r:u31", "x0*x0 + r", false}, // r is not negative
	} {
		a := match(t, test.types, test.exprs, "none", 0)
		if (a.NoOperator() != nil) != test.proven {
			t.Errorf("%s: %s, no operator %+v, want %t", test.exprs, a.Status, a.NoOperator(), test.proven)
			continue
		}
		line, err := a.JSON(true)
		if err == nil {
			err = verified(line)
		}
		if err != nil || strings.Contains(string(line), `"no_operator":`) != test.proven {
			t.Errorf("%s: %v\n%s", test.exprs, err, line)
		}
	}
}

// Every function of few bits is listed: where no operator exists, there are more than states.
func TestNoOperatorIsTrue(t *testing.T) {
	t.Parallel()
	claimed, n := 0, 0
	for _, op := range []string{"x0 + %s", "x0*x0 + %s", "x0 ^ %s", "(x0 & 6) ^ %s", "min(x0, %s)", "x0*3 + %s", "max(x0, %s) + x0", "x0 >> %s", "saturating_sub(x0, %s)", "x0 / %s"} {
		for _, leaf := range suite.More([]string{"y0"}, []string{"y0", "select(y0 > 3, x0, y0)"}) {
			u := parsed(t, "x0:u8,y0:u8; "+fmt.Sprintf(op, leaf))
			n++
			a, err := Match(t.Context(), u, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a.NoOperator() == nil {
				continue
			}
			claimed++
			if countFunctions(a.Update, 257) <= 256 {
				t.Errorf("%s: an operator may exist", ir.Strings(a.Update))
			}
		}
	}
	if claimed < 3 || claimed == n {
		t.Errorf("%d of %d updates have no operator", claimed, n)
	}
}

func parsed(t *testing.T, text string) *ir.Update {
	types, exprs, _ := strings.Cut(text, ";")
	u, err := program.ParseUpdate(ir.NewPool(), types, exprs)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// countFunctions returns how many functions of the state products of steps are, or enough where there are as many. All
// variables have few bits, and there are at most 256 states.
func countFunctions(update []ir.Expr, enough int) int {
	var states, leaves []ir.Expr
	for _, e := range update {
		states = append(states, update[0].Pool().X(len(states), e.Type()))
	}
	for _, v := range ir.Vars(update...) {
		if v.Kind() != ir.State {
			leaves = append(leaves, v)
		}
	}
	all := tuples(states)
	number := func(state []uint64) (n int) { // its place in all
		for i, v := range state {
			bits := states[i].Type().Bits()
			n = n<<bits | int(v)&(1<<bits-1)
		}
		return n
	}
	var steps [][]byte // what a step does to each state, by numbers
	for _, by := range tuples(leaves) {
		to := make([]byte, len(all))
		for i, x := range all {
			values := ir.EvalAll(update, &ir.Env{Var: func(v ir.Expr) uint64 {
				if i := slices.Index(states, v); i >= 0 {
					return x[i]
				}
				return by[slices.Index(leaves, v)]
			}})
			to[i] = byte(number(values))
		}
		steps = append(steps, to)
	}
	seen := map[string]bool{}
	next := steps
	for len(next) > 0 && len(seen) < enough {
		var longer [][]byte
		for _, f := range next {
			if key := string(f); !seen[key] && len(seen) < enough {
				seen[key] = true
				for _, s := range steps {
					g := make([]byte, len(f))
					for i, y := range f {
						g[i] = s[y]
					}
					longer = append(longer, g)
				}
			}
		}
		next = longer
	}
	return len(seen)
}

// tuples lists all values of variables together.
func tuples(vars []ir.Expr) [][]uint64 {
	out := [][]uint64{nil}
	for _, v := range vars {
		var longer [][]uint64
		for _, t := range out {
			for n := range 1 << v.Type().Bits() {
				longer = append(longer, append(slices.Clone(t), v.Type().Wrap(uint64(n))))
			}
		}
		out = longer
	}
	return out
}
