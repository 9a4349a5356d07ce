package find

import (
	"iter"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// parsed returns a context and the whole of an update as a part.
func parsed(t *testing.T, types, update, assume string) (*Context, *tuple.Part) {
	t.Helper()
	allowed, err := ir.ParseAssume(assume)
	if err != nil {
		t.Fatal(err)
	}
	u, err := program.ParseUpdate(ir.NewPool(), types, update)
	if err != nil {
		t.Fatal(err)
	}
	return newContext(u.Pool, allowed), tuple.Restrict(u.Pool, u.Types, u.Values, tuple.Indices(len(u.Types)))
}

// Each finder proposes first what it is for, and nothing where the update has not its form.
func TestFinders(t *testing.T) {
	probe, direct, saturate, exact, commuted, greedy := (*Context).Probe, (*Context).Direct, (*Context).Saturate, (*Context).Exact, (*Context).Commuted, (*Context).Greedy
	for _, c := range []struct {
		label                 string
		finder                func(*Context, *tuple.Part) iter.Seq[Candidate]
		types, update, assume string
		want                  string // the first candidate: how it was found, and its inject
	}{
		{"points agree with an operator", probe, "x0:i32,y0:i32", "select(y0 < x0, y0, x0)", "none", "probe:min with y0"},
		{"points agree with a conjugate", probe, "x0:u32,y0:u32,k0:u32", "k0 - max(k0 - x0, y0)", "none", "probe:max[k0 - x] with k0 - y0"},
		{"points agree with no operator", probe, "x0:i32,y0:i32", "x0*x0 + y0", "none", ""},
		{"the update is its own operator", direct, "x0:i32,y0:i32", "x0 + y0 + x0*y0", "none", "direct with y0"},
		{"a whole leaf is the operand", direct, "x0:i32,y0:i32,y1:i32", "x0 + y0*y1", "none", "direct with y0*y1"},
		{"no role makes it associative", direct, "x0:i32,y0:i32", "x0 - y0", "none", ""},
		{"the e-graph has an operator", saturate, "x0:i32,y0:i32", "select(y0 > 9, x0 + 1, x0)", "none", "egraph:sum with select(9 < y0, 1, 0)"},
		{"the e-graph has none", saturate, "x0:i32,y0:i32", "x0*x0 + y0", "none", ""},
		{"as it stands", exact, "x0:i32,y0:i32", "x0 + y0", "none", "exact:sum with y0"},
		{"not as it stands", exact, "x0:i32,y0:i32", "select(y0 > 9, x0 + 1, x0)", "none", ""},
		{"in another order", commuted, "x0:i32,y0:i32", "y0 + x0", "none", "commuted:sum with y0"},
		{"after simplifying", greedy, "x0:i32,y0:i32", "x0 + y0 + 0", "none", "greedy:sum with y0"},
	} {
		cx, p := parsed(t, c.types, c.update, c.assume)
		got := ""
		for f := range c.finder(cx, p) {
			got = f.Via + " with " + ir.Strings(f.Inject)
			break
		}
		if got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.label, c.update, got, c.want)
		}
	}
}

// Each way to rewrite an update replaces what it is for, and leaves alone what it would not simplify.
func TestRewritings(t *testing.T) {
	tidied, multiplied, distributed, signs := (*Context).Tidied, (*Context).Multiplied, (*Context).Distributed, (*Context).Signs
	for _, c := range []struct {
		label                 string
		rewrite               func(*Context, *tuple.Part) []Rewriting
		types, update, assume string
		want                  string
	}{
		{"a leaf that computes nothing", tidied, "x0:i32,y0:i32", "max(x0, y0 - y0)", "none", "y0 - y0 = 0"},
		{"a leaf that is simple", tidied, "x0:i32,y0:i32", "max(x0, y0)", "none", ""},
		{"a shift is a product", multiplied, "x0:i32,y0:i32", "(x0 << 3) + x0", "none", "(x0 << 3) + x0 = x0*9"},
		{"a remainder that is spelled out", multiplied, "x0:u32", "x0 - x0/7*7", "none", "x0 - x0/7*7 = x0 % 7"},
		{"a sum around an extremum", distributed, "x0:i32,y0:i32,y1:i32", "y0 + max(x0 - y0, y1)", "nsw", "y0 + max(x0 - y0, y1) = max(x0, y0 + y1)"},
		{"the same where integers wrap", distributed, "x0:i32,y0:i32,y1:i32", "y0 + max(x0 - y0, y1)", "none", ""},
		{"a sign bit", signs, "x0:i32,y0:i32", "x0 + (y0 >> 31)", "none", ""},
		{"a sign bit of the state", signs, "x0:i32,y0:i32", "(x0 >> 31) + y0", "none", "x0 >> 31 = select(x0 < 0, -1, 0)"},
	} {
		cx, p := parsed(t, c.types, c.update, c.assume)
		var got []string
		for _, r := range c.rewrite(cx, p) {
			got = append(got, r.From.String()+" = "+r.To.String())
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s: %q, want %q", c.label, c.update, text, c.want)
		}
	}
}

// A part is kept where no point shows that a step changes it, and only where it has one component.
func TestKeeps(t *testing.T) {
	for _, c := range []struct {
		types, update string
		want          bool
	}{
		{"x0:i32", "x0", true},
		{"x0:i32,y0:i32", "x0 + (y0 - y0)", true},
		{"x0:i32,y0:i32", "x0 + y0", false},
		{"x0:i32,y0:i32", "y0", false},
		{"x0:i32,x1:i32", "x0; x1", false},
	} {
		if cx, p := parsed(t, c.types, c.update, "none"); cx.Keeps(p) != c.want {
			t.Errorf("%s: kept is %v, want %v", c.update, !c.want, c.want)
		}
	}
}

// A survey counts the assignments of roles, and says where points refute each of them.
func TestSurvey(t *testing.T) {
	for _, c := range []struct {
		update string
		tried  int
		all    bool
	}{
		{"x0 - y0", 1, true},
		{"x0 + y0", 1, false},
	} {
		cx, p := parsed(t, "x0:i32,y0:i32", c.update, "none")
		if tried, all := cx.Survey(p); tried != c.tried || all != c.all {
			t.Errorf("%s: %d roles, all refuted: %v; want %d, %v", c.update, tried, all, c.tried, c.all)
		}
	}
}

// Sweeping replaces what is proven, and asks for proofs about words before those about unbounded integers.
func TestSweep(t *testing.T) {
	for _, c := range []struct {
		label, update, assume string
		proves                bool
		want                  string // what is left, or empty
	}{
		{"what is at hand", "max(x0, min(x0, y0)) + y1", "none", true, "x0 + y1"},
		{"a literal", "x0 + select(y0 < y1, 0, select(y1 > y0, 5, 0))", "none", true, "x0"},
		{"without a proof", "max(x0, min(x0, y0)) + y1", "none", false, ""},
		{"what is simple", "max(x0, y0) + y1", "none", true, ""},
		{"where overflow is assumed away", "select(y0 < 0, x0 + y0 - y0, x0 + 1 - 1)", "nsw", true, "x0"},
	} {
		cx, p := parsed(t, "x0:i32,y0:i32,y1:i32", c.update, c.assume)
		got := ""
		later := false
		if q := cx.Sweep(p, func(_ Rewriting, unbounded bool) bool {
			if later && !unbounded {
				t.Errorf("%s: words are asked about after unbounded integers", c.label)
			}
			later = unbounded
			return c.proves
		}); q != nil {
			got = ir.Strings(q.Values)
		}
		if got != c.want {
			t.Errorf("%s: %s becomes %q, want %q", c.label, c.update, got, c.want)
		}
	}
}

// Each transfer proposes another part, or none where the update has not its form.
func TestTransfers(t *testing.T) {
	adjoined, counted, reordered := (*Context).Adjoined, (*Context).Counted, (*Context).Reordered
	for _, c := range []struct {
		label                 string
		transfer              func(*Context, *tuple.Part) iter.Seq[Transfer]
		types, update, assume string
		want                  string // the first part that is proposed
	}{
		{"a flag that steps set", adjoined, "x0:i32,x1:bool,y0:i32", "select(x1, min(x0, y0), y0); true", "none", "min(x0, y0)"},
		{"a flag that steps take back", adjoined, "x0:i32,x1:bool,y0:i32", "select(x1, min(x0, y0), y0); y0 > 0", "none", ""},
		{"a first step that reads the state", adjoined, "x0:i32,x1:bool,y0:i32", "select(x1, min(x0, y0), x0 + y0); true", "none", ""},
		{"a count that is read as a float", counted, "x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/f64(x1 + 1); x1 + 1", "reassoc,nsw", "x0 + (y0 - x0)/(x1 + 1.0); x1 + 1.0"},
		{"a count that wraps", counted, "x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/f64(x1 + 1); x1 + 1", "reassoc", ""},
		{"the order of a table", reordered, "x0:bool,x1:i32,y0:i32", "x0 && x1 == y0; x1", "none", "x0; x1 && x0 == y0"},
		{"no other order", reordered, "x0:i32,y0:i32", "x0 + y0", "none", ""},
	} {
		cx, p := parsed(t, c.types, c.update, c.assume)
		got := ""
		for other := range c.transfer(cx, p) {
			got = ir.Strings(other.Part.Values)
			break
		}
		if got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.label, c.update, got, c.want)
		}
	}
}
