package rule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// committed reads the certificates of the tree, anew for each test that changes them.
func committed(tb testing.TB) []Certificate {
	tb.Helper()
	certs, err := Read(strings.NewReader(rules.Certificates()))
	if err != nil {
		tb.Fatal(err)
	}
	return certs
}

func find(tb testing.TB, certs []Certificate, name string) *Certificate {
	tb.Helper()
	i := slices.IndexFunc(certs, func(c Certificate) bool { return c.Rule == name })
	if i < 0 {
		tb.Fatalf("no certificate of %s", name)
	}
	return &certs[i]
}

func TestRulesAreProven(t *testing.T) {
	proven, failed := Check(committed(t))
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	if want := len(rules.Ranked()) - len(rules.Axioms()); len(proven) != want {
		t.Errorf("%d rules are proven, want %d", len(proven), want)
	}
}

// TestTampered changes one certificate at a time.
func TestTampered(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		change     func(c *Certificate)
		want       string
	}{
		{"dropped", "neg-min", func(c *Certificate) { c.Rule = "" }, "neg-min: no certificate"},
		{"of no rule", "neg-min", func(c *Certificate) { c.Rule = "neg-mean" }, "neg-mean: a certificate of no rule"},
		{"of an axiom", "neg-min", func(c *Certificate) { c.Rule = "axiom-neg-min" }, "axiom-neg-min: a certificate of no rule"},
		{"twice", "neg-min", func(c *Certificate) { c.Rule = "neg-max" }, "neg-max: two certificates"},
		{"dropped instance", "neg-min", func(c *Certificate) { c.Proofs[0].At = c.Proofs[0].At[1:] }, "neg-min: i8/nsw: no proof"},
		{"dropped proof", "neg-min", func(c *Certificate) { c.Proofs = c.Proofs[:1] }, "neg-min: f32: no proof"},
		{"instance twice", "neg-min", func(c *Certificate) { c.Proofs[0].At[1] = "i8/nsw" }, "neg-min: i8/nsw is no instance, or is proven twice"},
		{"a type it is not for", "neg-min", func(c *Certificate) { c.Proofs[0].At[0] = "u8/nuw" }, "neg-min: u8/nuw is no instance"},
		{"words where none wrap", "neg-min", func(c *Certificate) { c.Proofs[0].At[0] = "i8" }, "neg-min: i8 is no instance"},
		{"fewer assumptions", "max-as-select", func(c *Certificate) {
			for i := range c.Proofs {
				if j := slices.Index(c.Proofs[i].At, "f32/nnan+nsz"); j >= 0 {
					c.Proofs[i].At[j] = "f32/nnan"
				}
			}
		}, "max-as-select: f32/nnan is no instance"},
		{"a proof over ℤ for words", "abs-of-max", func(c *Certificate) { c.Proofs[0].Tree = c.Proofs[1].Tree }, "abs-of-max: i8: certificate: "},
		{"no tree", "neg-min", func(c *Certificate) { c.Proofs[0].Tree = nil }, "neg-min: i8/nsw: the steps lead to"},
		{"a bare assertion", "neg-min", func(c *Certificate) { c.Proofs[0].Tree = &proof.Tree{Kind: proof.Equal} }, "neg-min: i8/nsw: certificate: "},
		{"a solver's word", "neg-min", func(c *Certificate) { c.Proofs[0].Tree = &proof.Tree{Kind: proof.Solver, Solver: "z3"} }, "proves nothing here"},
		{"itself", "neg-min", byFloats(steps.Step{Rule: "neg-min", To: "max(-a, -b)"}), "which is not below"},
		{"a circle", "neg-max", byFloats(steps.Step{Rule: "min-of-negs", Backward: true, To: "min(-a, -b)"}), "min-of-negs is of rank"},
		{"a rule of another type", "neg-min", byFloats(steps.Step{Rule: "not-min", To: "max(-a, -b)"}), "not-min does not turn"},
		{"an axiom that needs more", "neg-min", byFloats(steps.Step{Rule: "axiom-mul-zero", To: "max(-a, -b)"}), "axiom-mul-zero does not turn"},
		{"an axiom under too little", "mul-zero", func(c *Certificate) {
			c.Proofs = []Proof{{At: []string{"f32/reassoc+nnan+nsz"}, Steps: []steps.Step{{Rule: "axiom-mul-zero", To: "0.0"}}}}
		}, "axiom-mul-zero does not hold at f32 under reassoc,nnan,nsz"},
		{"no term", "neg-min", byFloats(steps.Step{Rule: "axiom-neg-min", To: "max(-a, "}), "step 1: "},
		{"no number", "neg-min", byFloats(steps.Step{Rule: "axiom-neg-min", To: "max(-a, 1.2.3)"}), `"1.2.3" is not how a value of f32 is written`},
		{"ill typed", "neg-min", byFloats(steps.Step{Rule: "axiom-neg-min", To: "max(-a, p)"}), "step 1: "},
		{"a deep term", "neg-min", byFloats(steps.Step{Rule: "axiom-neg-min", To: strings.Repeat("-", 20000) + "a"}), "step 1: "},
		{"a variable too many", "neg-min", byFloats(steps.Step{Rule: "axiom-neg-min", To: "max(-a, -c)"}), `"c" is not declared`},
	} {
		certs := committed(t)
		changed := []Certificate{*find(t, certs, c.rule)}
		if c.rule != "neg-max" {
			changed = append(changed, *find(t, certs, "neg-max"))
		}
		c.change(&changed[0])
		_, failed := Check(changed)
		if err := errors.Join(failed...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// byFloats puts the steps in place of the proof for floats.
func byFloats(chain ...steps.Step) func(*Certificate) {
	return func(c *Certificate) {
		last := &c.Proofs[len(c.Proofs)-1]
		*last = Proof{At: last.At, Steps: chain}
	}
}

// TestEveryNodeCounts leaves out one branch of each tree, and one step of each chain, of the
// certificates: no proof holds without it.
func TestEveryNodeCounts(t *testing.T) {
	mutants := 0
	for _, c := range committed(t) {
		rank, _ := rules.Rank(c.Rule)
		instances := Instances(rules.Ranked()[rank])
		for _, p := range c.Proofs {
			in := instances[slices.IndexFunc(instances, func(in Instance) bool { return in.String() == p.At[0] })]
			refused := func(what string, q Proof) {
				if mutants++; q.check(in) == nil {
					t.Errorf("%s at %s is proven without %s", c.Rule, in, what)
				}
			}
			for i := range p.Steps {
				refused(fmt.Sprintf("step %d", i+1), Proof{Steps: slices.Delete(slices.Clone(p.Steps), i, i+1), Tree: p.Tree})
			}
			eachBranch(p.Tree, func() { refused("a branch", p) })
		}
	}
	t.Logf("%d mutants", mutants)
}

// eachBranch calls f with each branch of the tree left out once.
func eachBranch(t *proof.Tree, f func()) {
	if t == nil {
		return
	}
	branches := []**proof.Tree{&t.Then, &t.Else}
	for i := range t.Cases {
		branches = append(branches, &t.Cases[i])
	}
	for _, b := range branches {
		if branch := *b; branch != nil {
			*b = nil
			f()
			*b = branch
			eachBranch(branch, f)
		}
	}
}

// TestMoreAssumptions evaluates every rule for floats under more than it needs, for which it
// has no certificate of its own.
func TestMoreAssumptions(t *testing.T) {
	var points testpoint.Evaluator
	for _, r := range rules.Ranked() {
		for _, in := range Instances(r) {
			if !in.Type.IsFloat() {
				continue
			}
			for more := range ir.AllAssumptions + 1 {
				if !more.Has(in.Assume) || more&(ir.NSW|ir.NUW) != 0 {
					continue
				}
				if c := points.Refute(in.Problem(), more); c != nil {
					t.Errorf("%s at %s is false under %s: %v", r.Name, in, more, c)
				}
			}
		}
	}
}

func TestInstances(t *testing.T) {
	for line, want := range map[string]string{
		"t [bool] : p && p => p":                  "bool",
		"t [signed] : a & a => a":                 "i8 i8/nsw i16 i16/nsw i32 i32/nsw i64 i64/nsw",
		"t [unsigned/wrap] : a & a => a":          "u8 u16 u32 u64",
		"t [unsigned/nowrap] : a + 0 => a":        "u8/nuw u16/nuw u32/nuw u64/nuw",
		"t [float/nnan+nsz] : a + 0 => a":         "f32/nnan+nsz f64/nnan+nsz",
		"t [unsigned/wrap float/nsz] : a+0 => a":  "u8 u16 u32 u64 f32/nsz f64/nsz",
		"t [bool unsigned/wrap] : a == b => b==a": "bool u8 u16 u32 u64",
	} {
		rs, err := rules.Load("test", line)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, in := range Instances(rs[0]) {
			got = append(got, in.String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: instances %s, want %s", line, s, want)
		}
	}
}

// TestGoal: a proof over signed integers serves unsigned ones only where neither the sign nor
// the width of the type matters.
func TestGoal(t *testing.T) {
	for line, same := range map[string]bool{
		"t [unsigned] : a & a => a":                       true,
		"t [unsigned] : (a & b) << 1 => (b & a) << 1":     true,
		"t [unsigned] : select(p, a, 0) => select(p,a,0)": true,
		"t [unsigned] : a & -1 => a":                      false,
		"t [unsigned] : a*-1 => -a":                       false,
		"t [unsigned] : ~~a => a":                         false,
		"t [unsigned] : min(a, tmax) => a":                false,
		"t [unsigned] : a/b => a/b":                       false,
		"t [unsigned] : a << b => a << b":                 false,
		"t [unsigned] : saturating_add(a, 0) => a":        false,
	} {
		rs, err := rules.Load("test", line)
		if err != nil {
			t.Fatal(err)
		}
		goal := Instance{rs[0], ir.U16, ir.NUW}.Goal()
		want := "u16/nuw"
		if same {
			want = "i16/nsw"
		}
		if goal.String() != want {
			t.Errorf("%s at u16/nuw is proven as %s, want %s", line, goal, want)
		}
		if goal := (Instance{rs[0], ir.U16, 0}).Goal(); goal.String() != "u16" {
			t.Errorf("%s at u16 is proven as %s", line, goal)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n{":                       "certificate 2: ",
		`{"rule":"a","trust":true}`:   `certificate 1: json: unknown field "trust"`,
		`{"rule":"a","proofs":[1]}`:   "certificate 1: ",
		`{"rule":"a","proofs":null}x`: "certificate 2: invalid character",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

// FuzzCheck asks that no certificate, however broken, stops the checker, and that none
// proves an axiom or a rule that does not exist.
func FuzzCheck(f *testing.F) {
	lines := strings.Split(rules.Certificates(), "\n")
	for i := 0; i < len(lines); i += 25 {
		f.Add(lines[i])
	}
	f.Fuzz(func(t *testing.T, text string) {
		certs, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if proven, failed := Check(certs); len(failed) == 0 {
			t.Errorf("%d rules are proven by %d certificates", len(proven), len(certs))
		}
	})
}
