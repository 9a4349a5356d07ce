package find

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// newContext returns a context in which nothing is given and the search does not end.
func newContext(pool *ir.Pool, allowed ir.Assume) *Context {
	return &Context{Ctx: context.Background(), Over: func() bool { return false }, Consider: func(int) {}, Pool: pool, Allowed: allowed, Workspace: NewWorkspace()}
}

// Points at which everything overflows, is infinite, or is left as it was confirm nothing: what
// survives only there is not tried. Each update has an instance of the table's operators, or none.
func TestTrials(t *testing.T) {
	tests := []struct {
		types, update, assume string
		want                  string // the first trial
	}{
		{"x0:i32,y0:bool", "select(y0, select(x0 == 2, 0, x0 + 1), x0)", "nsw", ""},
		{"x0:i32,y0:bool", "select(y0, min(x0, 3), x0)", "nsw", "min"},
		{"x0:u32,k0:u32", "min(x0 << 1, k0)", "nuw", "product_about"},
		{"x0:f64,k0:f64", "k0*x0*(1 - x0)", "reassoc,nnan,nsz", ""},
		{"x0:f64,y0:f64", "max(x0, y0*2)", "reassoc,nnan,nsz", "max"},
		{"x0:i32,y0:i32", "-max(-x0, y0)", "nsw", "min"},
		{"x0:u32,y0:u32,k0:u32", "k0 - max(k0 - x0, y0)", "", "max[k0 - x]"},
	}
	for _, test := range tests {
		types, exprs := test.types, test.update
		allowed, err := ir.ParseAssume(test.assume)
		if err != nil {
			t.Fatal(err)
		}
		u, err := program.ParseUpdate(ir.NewPool(), types, exprs)
		if err != nil {
			t.Fatal(err)
		}
		cx := newContext(u.Pool, allowed)
		got := ""
		trials := cx.trials(tuple.Restrict(u.Pool, u.Types, u.Values, []int{0}))
		if len(trials) > 0 {
			got = trials[0].Name + trials[0].phi.name()
		}
		if got != test.want {
			t.Errorf("%s under %s: the first of %d trials is %q, want %q", exprs, test.assume, len(trials), got, test.want)
		}
	}
}

// What is screened together is what is left of the table where every entry is compared on its own.
func TestScreening(t *testing.T) {
	tests := []struct{ types, update, assume string }{
		{"x0:i32,y0:i32,k0:i32", "min(max(x0, y0), k0)", "nsw"},
		{"x0:i32,y0:bool", "select(y0, min(x0, 3), x0)", "nsw"},
		{"x0:i32,y0:i32,k0:i32", "max(max(min(x0, k0), y0), y0 + 0*x0)", ""},
		{"x0:u8,y0:u8", "~(~x0 & y0)", ""},
		{"x0:f32,y0:f32", "-max(-x0, y0)", "reassoc,nnan,nsz"},
		{"x0:bool,y0:bool", "x0 != y0", ""},
		{"x0:i32,x1:i32,y0:i32", "min(x0, y0); select(y0 < x0, 5, x1)", "nsw"},
	}
	found := 0
	for _, test := range tests {
		allowed, err := ir.ParseAssume(test.assume)
		if err != nil {
			t.Fatal(err)
		}
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.update)
		if err != nil {
			t.Fatal(err)
		}
		cx := newContext(u.Pool, allowed)
		p := tuple.Restrict(u.Pool, u.Types, u.Values, tuple.Indices(len(u.Types)))
		got := map[string]bool{}
		name := func(t trial) string {
			text := t.Name + t.phi.name()
			if t.k.IsValid() {
				text += " " + t.k.String()
			}
			return text
		}
		for _, t := range cx.trials(p) {
			got[name(t)] = true
		}
		found += len(got)
		s := cx.Points
		s.Evaluate(p, nil, allowed)
		s.TellingFirst()
		bindings := cx.bindings(p)
		for _, phi := range cx.bijections(p) {
			if phi.overflows(s.States[0], s.Valid, allowed) || phi.overflows(s.Want[0], s.Valid, allowed) {
				continue
			}
			w := cx.prober(p, phi)
			for i, e := range cx.probeTable(p).entries {
				for _, k := range e.choices(&bindings) {
					one := trial{e, k, phi, 0, 0, i}
					wrong, agreed := w.compare(one)
					if want := wrong == 0 && agreed&(1<<tape.Few-1) != 0; want != got[name(one)] {
						t.Errorf("%s: %s is left: %v, compared on its own: %v", test.update, name(one), !want, want)
					}
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d trials are left: the test shows little", found)
	}
}
