package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/suite"
)

// Reductions that users of other compilers found to be refused, or answered wrongly: what is
// answered here, and how.
func TestComplaints(t *testing.T) {
	for _, c := range []struct {
		types, exprs, assume string
		status               Status
		via                  string // empty: any
	}{
		{"x0:i32,y0:i32", "x0 + y0*(-5)", "none", Associative, "egraph:sum"},
		{"x0:i32,y0:i32", "x0 - y0", "none", Associative, "egraph:sum"},
		{"x0:u64,y0:u64", "x0 ^ y0", "none", Associative, "egraph:bit_xor"},
		{"x0:u16,y0:u16", "x0 & y0", "none", Associative, "egraph:bit_and"},
		{"x0:i32,y0:i32", "y0", "none", Associative, "egraph:last"},
		{"x0:i32,x1:bool,y0:i32,y1:bool", "select(y1, y0, x0); x1 || y1", "none", Associative, "egraph:last_flagged"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "select(y0 <= x1, r, x0); min(x1, y0)", "none", Associative, "egraph:index_argmin_last"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "select(x1 >= y0, x0, r); select(x1 >= y0, x1, y0)", "none", Associative, ""},
		{"x0:f32,x1:i32,y0:f32,r:i32", "select(y0 > x0, y0, x0); select(y0 > x0, r, x1)", "default", Associative, "egraph:argmax_first"},
		{"x0:f32,x1:i32,y0:f32,r:i32", "select(y0 >= x0, y0, x0); select(y0 >= x0, r, x1)", "default", Associative, ""},
		{"x0:i32,y0:i32,y1:bool", "select(y1 && y0 < x0, y0, x0)", "none", Associative, "egraph:min"},
		{"x0:f32,y0:f32,y1:bool", "select(y1, max(x0, y0), x0)", "none", Associative, ""},
		{"x0:u8,y0:u8", "saturating_add(x0, y0)", "none", Associative, ""},
		{"x0:u8,y0:u8", "u8(min(u16(x0) + u16(y0), 255))", "none", Associative, ""},
		{"x0:u8,y0:u8", "select(x0 + y0 < x0, 255, x0 + y0)", "none", Associative, ""},
		{"x0:i8,y0:i8", "saturating_add(x0, y0)", "none", Lifted, "lift:saturating"}, // (100 ⊕ 100) ⊕ −100 is no reduction of the state
		{"x0:i64,y0:i64", "saturating_add(x0, y0)", "none", Refused, ""},
		{"x0:i8,y0:i8", "max(min(x0 + y0, 127), -128)", "nsw", Associative, ""}, // what is promised not to overflow needs no clamp
		{"x0:i32,y0:i32", "max(min(x0 + y0, 127), -128)", "nsw", Lifted, "lift:clamp"},
		{"x0:i32,x1:i32,y0:i32", "max(x0, y0); max(min(x0, y0), x1)", "none", Associative, ""},
		{"x0:f64,x1:f64,y0:f64", "x0 + 1; x1 + (y0 - x1)/(x0 + 1)", "default", Associative, "egraph:merged_mean"},
		{"x0:f64,x1:f64,y0:f64", "x0 + (y0 - x0)/(x1 + 1); x1 + 1", "default", Associative, "egraph:mean_merged"},
		{"x0:f64,x1:f64,x2:f64,y0:f64", "x0 + 1; x1 + (y0 - x1)/(x0 + 1); x2 + (y0 - x1)*(y0 - (x1 + (y0 - x1)/(x0 + 1)))", "default", Associative, "egraph:merged_moments"},
		{"x0:f64,x1:f64,x2:f64,y0:f64", "x0 + (y0 - x1)*(y0 - (x1 + (y0 - x1)/(x2 + 1))); x1 + (y0 - x1)/(x2 + 1); x2 + 1", "default", Associative, "egraph:merged_moments"},
		{"x0:f32,x1:f32,x2:f32,x3:f32,y0:f32,y1:f32", "x0 + (y0 - x0)/(x3 + 1); x1 + (y0 - (x0 + (y0 - x0)/(x3 + 1)))*(y1 - x2); x2 + (y1 - x2)/(x3 + 1); x3 + 1", "default", Associative, "egraph:merged_covariance"},
		{"x0:f64,y0:f64", "log(exp(x0) + exp(y0))", "reassoc,afn", Associative, ""},
		{"x0:f64,y0:f64", "x0 + log(1 + exp(y0 - x0))", "all", Associative, "direct:log_sum_exp"},
		{"x0:f32,y0:f32", "max(x0, y0) + log(1 + exp(-abs(x0 - y0)))", "all", Associative, "direct:log_sum_exp"},
		{"x0:f64,x1:bool,y0:f64", "select(x1, log(exp(x0) + exp(y0)), y0); true", "reassoc,afn", Associative, "adjoined:egraph:log_sum_exp"},
		{"x0:f32,x1:f32,y0:f32", "max(x0, y0); x1*exp(x0 - max(x0, y0)) + exp(y0 - max(x0, y0))", "reassoc,nnan,afn", Associative, "egraph:softmax"},
		{"x0:f64,x1:f64,x2:bool,y0:f64", "select(x2, max(x0, y0), y0); select(x2, x1*exp(x0 - max(x0, y0)) + exp(y0 - max(x0, y0)), 1); true", "reassoc,nnan,afn", Associative, "adjoined:egraph:softmax"},
		{"x0:f64,x1:f64,y0:f64", "select(y0 > x0, y0, x0); select(y0 > x0, x1*exp(x0 - y0) + 1, x1 + exp(y0 - x0))", "all", Associative, "direct:softmax"},
		{"x0:f32,x1:f32,x2:bool,y0:f32", "select(x2, max(x0, y0), y0); select(x2, select(y0 > x0, x1*exp(x0 - y0) + 1, x1 + exp(y0 - x0)), 1); true", "all", Associative, "adjoined:direct:softmax"},
	} {
		a := match(t, c.types, c.exprs, c.assume, 0)
		if a.Status != c.status || c.via != "" && a.Via() != c.via {
			t.Errorf("%s: %s by %q, %s", c.exprs, a.Status, a.Via(), a.Reason)
			continue
		}
		switch a.Status {
		case Associative:
			judge(t, a)
		case Lifted:
			line, err := a.JSON(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := verified(line); err != nil {
				t.Errorf("%s: %v", c.exprs, err)
			}
			if err := claims.Check(line, suite.More(100, 300), 1); err != nil {
				t.Errorf("%s: %v", c.exprs, err)
			}
		default:
			if a.Counter == nil {
				t.Errorf("%s is refused without values", c.exprs)
			}
		}
	}
}
