package canon

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// parse reads expressions over x_i, y_i, k_i of the given types into one pool: new values
// of x0, beside an x1 that keeps its value.
func parse(t testing.TB, types string, texts ...string) []ir.Expr {
	pool := ir.NewPool()
	var es []ir.Expr
	for _, text := range texts {
		if strings.Contains(types, "x1") {
			text += "; x1"
		}
		u, err := program.ParseUpdate(pool, types, text)
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, u.Values[0])
	}
	return es
}

var derivations = []struct {
	types, from, to string
	allowed         ir.Assume
	assumed         ir.Assume
}{
	{"x0:i32,y0:i32", "~(~x0 - y0)", "x0 + y0", 0, 0},
	{"x0:i32,y0:i32,k0:i32", "select(y0 <= k0, x0, x0 + 1)", "x0 + select(y0 > k0, 1, 0)", 0, 0},
	{"x0:i32,y0:i32", "~min(~x0, ~y0)", "max(x0, y0)", 0, 0},
	{"x0:i32,y0:i32", "-max(-x0, -y0)", "min(x0, y0)", ir.NSW, ir.NSW},
	{"x0:i32,y0:i32", "max(x0 + y0, x0 - y0)", "x0 + max(y0, -y0)", ir.NSW, ir.NSW},
	{"x0:i32,y0:i32", "x0 + y0 - min(x0, y0)", "max(x0, y0)", ir.NSW, 0},
	{"x0:u8,y0:u8", "select(x0 + y0 < x0, tmax, x0 + y0)", "min(x0, ~y0) + y0", 0, 0},
	{"x0:bool,y0:bool", "(x0 || y0) && !(x0 && y0)", "x0 != y0", 0, 0},
	{"x0:f32,y0:f32", "select(x0 < y0, y0, x0)", "max(x0, y0)", ir.DefaultAssumptions, ir.NNaN | ir.NSZ},
	{"x0:f32,y0:f32", "x0 - (-y0)", "x0 + y0", 0, 0},
	{"x0:i32,y0:i32,k0:i32", "min(max(x0, y0), max(k0, y0))", "max(min(x0, k0), y0)", 0, 0},
	{"x0:i32,y0:i32,y1:bool", "select(!y1, x0, min(y0, x0))", "min(x0, select(y1, y0, tmax))", 0, 0},
}

func TestDeriveAndCheck(t *testing.T) {
	s := NewSession()
	for _, d := range derivations {
		es := parse(t, d.types, d.from, d.to)
		steps, err := s.Derive(context.Background(), es[0], es[1], d.allowed)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := Check(steps, es[0], es[1], d.allowed); err != nil {
			t.Errorf("%s = %s: %v", d.from, d.to, err)
		}
		if a := Assumed(steps); a != d.assumed {
			t.Errorf("%s = %s assumes %s, want %s", d.from, d.to, a, d.assumed)
			for _, st := range steps {
				t.Logf("%s %v %v: %s", st.Rule, st.Backward, st.Path, st.After)
			}
		}
	}
}

// TestWrongProofsAreRejected spoils good proofs in every way a proof can be wrong.
func TestWrongProofsAreRejected(t *testing.T) {
	s := NewSession()
	rejected := 0
	for _, d := range derivations {
		es := parse(t, d.types, d.from, d.to)
		steps, err := s.Derive(context.Background(), es[0], es[1], d.allowed)
		if err != nil {
			t.Fatal(err)
		}
		for i := range steps {
			for _, spoil := range []func(st *Step){
				func(st *Step) { st.Backward = !st.Backward },
				func(st *Step) { st.Rule = "and-absorb-bits" },
				func(st *Step) { st.Rule = "no such rule" },
				func(st *Step) { st.Rule = ReasonFold },
				func(st *Step) { st.Path = append([]int{1}, st.Path...) },
				func(st *Step) { st.After = es[0].Pool().X(0, es[0].Type()) },
				func(st *Step) { st.Before, st.After = st.After, st.Before },
			} {
				bad := append([]Step{}, steps...)
				spoil(&bad[i])
				if Check(bad, es[0], es[1], d.allowed) != nil {
					rejected++
				} else if bad[i].Rule == steps[i].Rule && bad[i].After != steps[i].After {
					t.Errorf("%s: a spoilt step %d passes", d.from, i+1)
				}
			}
		}
		if len(steps) > 0 {
			want := "step 1 begins with"
			if len(steps) == 1 {
				want = "the last step ends with"
			}
			rejects(t, d.from+" without its first step", Check(steps[1:], es[0], es[1], d.allowed), want)
			rejects(t, d.from+" reversed", Check(steps, es[1], es[0], d.allowed), "step 1 begins with")
		}
		if d.assumed != 0 {
			rejects(t, d.from+" without its assumptions", Check(steps, es[0], es[1], 0), "under none")
		}
	}
	t.Logf("%d spoilt proofs rejected", rejected)
}

// rejects reports an error that is not there, or says something else.
func rejects(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}
