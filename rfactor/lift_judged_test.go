package rfactor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// respellings are the tokens that a near miss changes, each into another of its list.
var respellings = [][]string{
	{"max", "min"}, {"<=", "<", ">", ">=", "=="}, {"+", "-"}, {"x0", "x1"}, {"y0", "y1"}, {"0", "1", "3", "8"}, {">>", "<<"}, {"&", "|"}, {"*", "/"},
}

var tokens = regexp.MustCompile(`max|min|<=|>=|==|<<|>>|[<>+*/&|-]|\b[xy][01]\b|\b[0138]\b`)

// nearMiss changes up to two tokens of an update's text.
func nearMiss(rng *rand.Rand, exprs string) string {
	for range rng.IntN(3) {
		all := tokens.FindAllStringIndex(exprs, -1)
		at := all[rng.IntN(len(all))]
		for _, list := range respellings {
			for _, token := range list {
				if token == exprs[at[0]:at[1]] {
					exprs = exprs[:at[0]] + list[rng.IntN(len(list))] + exprs[at[1]:]
					at[1] = at[0]
				}
			}
			if at[1] == at[0] {
				break
			}
		}
	}
	return exprs
}

// TestNearMisses changes updates of the families for chains, ties, ranges and quotients at random places. What is
// answered is judged by evaluation.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	for i, test := range []struct{ family, types, exprs string }{
		{"aligned", "x0:i32,y0:i32,y1:i32", "select(y0 == 9, (x0/8 + 1)*8, select(y0 == 1, y1, x0 + 1))"},
		{"aligned", "x0:u8,y0:u8,y1:u8", "((x0 + y0) & 248) + y1"},
		{"aligned", "x0:i16,y0:i16,y1:i16", "select(y0 < y1, (x0 | 7) + 1, x0 + y0)"},
		{"shift", "x0:i16,y0:i16,y1:i16", "select(y0 < 3, x0 >> y1, x0 >> 1)"},
		{"shift", "x0:i8,y0:i8,y1:i8", "select(y0 < 0, y1, x0/8)"},
		{"cut", "x0:i16,y0:i16,y1:i16", "((x0 << y0) & y1) | 3"},
		{"cut below", "x0:u32,y0:u32,y1:u32", "select(y0 == 0, y1, (x0 >> 1) & y0)"},
		{"carry", "x0:u8,y0:u8,y1:u8", "select(y1 == 0, y0, u8((u16(y0)*u16(y1) + u16(x0)) >> 8))"},
		{"quotient", "x0:u8,y0:u8,y1:u8", "select(y1 == 0, y0, select(y1 < 3, x0/3, x0/y0))"},
		{"quotient", "x0:u64,y0:u64", "x0/y0/3"},
		{"floor", "x0:u16,y0:u16,y1:u16", "select(y0 < y1, (x0 + y0)/10, x0 + 1)"},
		{"floor", "x0:u32,y0:u32,y1:u32", "select(y1 == 0, y0, (x0 >> 1) + (y0/3))"},
		{"interval", "x0:i32,x1:i32,y0:i32,y1:i32", "max(y1, max(x0*y0, x1*y0)); min(y1, min(x0*y0, x1*y0))"},
		{"interval", "x0:f64,x1:f64,y0:f64,y1:f64", "max(x0*y0 + y1, x1*y0 + y1); min(x0*y0 + y1, x1*y0 + y1)"},
		{"record", "x0:i16,x1:i16,y0:i16,y1:i16", "min(x0, y0); select(y0 < x0, y1, select(y0 == x0, 3*x1 + y1, x1 + 1))"},
		{"record", "x0:f32,x1:i32,y0:f32,y1:i32", "max(x0, y0); select(y0 > x0, 0, x1 + y1)"},
		{"ranked", "x0:i64,x1:i64,y0:i64,y1:i64", "max(x0, y0); select(x0 > y0, x1 + 1, select(x0 == y0, max(x1, y1) + 1, y1 + 1))"},
		{"projective", "x0:f64,x1:f64,y0:f64,y1:f64", "x0 + x1/(x1 + y1)*(y0 - x0); x1*y1/(x1 + y1) + 1.0"},
		{"projective", "x0:f64,x1:f64,y0:f64,y1:f64", "y1/(y0 - x0); (y1 - x1)/(y0 - x0)"},
		{"softmax", "x0:f64,x1:f64,y0:f64,y1:f64", "max(x0 - y1, y0); x1*exp(x0 - y1 - max(x0 - y1, y0)) + exp(y0 - max(x0 - y1, y0))"},
		{"clamp", "x0:f64,y0:f64,y1:f64", "max(min(x0*0.9 + y0, y1), 0.0 - y1)"},
		{"clamp", "x0:u32,x1:i32,y0:i32", "select(x0 == 0 || x1 < y0, x0 + 1, x0); y0"},
		{"affine", "x0:bool,x1:i32,y0:i32,y1:bool", "x0 || y1; select(x0 || y1, x1, x1*3 + y0)"},
	} {
		rng := rand.New(rand.NewPCG(uint64(i), 3))
		lifted := map[string]int{}
		for n := range suite.Sample(suite.More(2, 5), 600) {
			exprs := test.exprs
			if n > 0 {
				exprs = nearMiss(rng, exprs)
			}
			u, err := program.ParseUpdate(ir.NewPool(), test.types, exprs)
			if err != nil {
				continue // the change mixed types
			}
			for _, allowed := range []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions} {
				o := Options{Name: fmt.Sprintf("%s.%d.%d", test.family, i, n), Allowed: allowed}
				if n == 0 { // it is answered, however long that takes
					o.Effort = 20 * DefaultEffort
				}
				a, err := Match(context.Background(), u, o)
				if err != nil {
					t.Fatalf("%s: %v", exprs, err)
				}
				line, err := a.JSON(true)
				if err != nil {
					t.Fatalf("%s: %v", exprs, err)
				}
				if a.Status != Lifted && a.Status != Associative {
					continue
				}
				lifted[a.Via()]++
				if err := claims.Check(line, suite.More(100, 300), uint64(n)); err != nil {
					t.Errorf("%s: %v", exprs, err)
				}
				if err := verified(line); err != nil {
					t.Errorf("%s: %v", exprs, err)
				}
			}
		}
		if !strings.Contains(fmt.Sprint(lifted), test.family) {
			t.Errorf("%s: answered by %v alone", test.exprs, lifted)
		}
	}
}
