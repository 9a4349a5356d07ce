package prove_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// corpusProblems are the equations of the corpus: for each update with a known operator,
// update = x ⊕ inject in each component, and the operator's associativity.
func corpusProblems(t *testing.T) map[string][]proof.Problem {
	f, err := os.Open("../testdata/corpus/updates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]proof.Problem{}
	for _, l := range lines {
		if l.Op == "" || l.Inject == "" {
			continue
		}
		pool := ir.NewPool()
		u, err := program.ParseUpdate(pool, l.Types, l.Exprs)
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		state := func(letter byte) (vs []ir.Expr) {
			for i, typ := range u.Types {
				vs = append(vs, pool.Var(ir.Leaf, fmt.Sprintf("%c%d", letter, i), 100+i, typ))
			}
			return vs
		}
		x, z, w := make([]ir.Expr, len(u.Types)), state('z'), state('w')
		for i, typ := range u.Types {
			x[i] = pool.X(i, typ)
		}
		scope := program.Scope{Var: func(name string) (ir.Expr, bool) {
			for _, v := range append(append([]ir.Expr{}, u.Vars...), z...) {
				if v.Name() == name {
					return v, true
				}
			}
			return ir.Expr{}, false
		}}
		read := func(text string) []ir.Expr {
			var es []ir.Expr
			for i, part := range strings.Split(text, ";") {
				e, err := program.ParseExpr(pool, scope, u.Types[i], part)
				if err != nil {
					return nil
				}
				es = append(es, e)
			}
			return es
		}
		op, inject := read(l.Op), read(l.Inject)
		if op == nil || inject == nil || len(op) != len(u.Types) || len(inject) != len(u.Types) {
			t.Logf("%s: operator or inject cannot be read", l.Name)
			continue
		}
		apply := func(a, b []ir.Expr) (out []ir.Expr) {
			for _, e := range op {
				out = append(out, ir.Subst(e, append(append([]ir.Expr{}, x...), z...), append(append([]ir.Expr{}, a...), b...)))
			}
			return out
		}
		all[l.Name] = append(proof.Equations(nil, u.Values, apply(x, inject)), proof.Equations(nil, apply(apply(x, z), w), apply(x, apply(z, w)))...)
	}
	return all
}

// What the prover proves of the corpus the checker accepts.
func TestCorpusCertificates(t *testing.T) {
	count := map[prove.Status]int{}
	size := 0
	for name, problems := range corpusProblems(t) {
		for i, p := range problems {
			a := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: ir.DefaultAssumptions | ir.NSW | ir.NUW})
			count[a.Status]++
			if a.Status != prove.Proved {
				if testing.Verbose() {
					t.Logf("%s, equation %d is %s: %s = %s%s", name, i, a.Status, p.Left, p.Right, provetest.Values(a.Counter))
				}
				continue
			}
			size = max(size, a.Proof().Size())
			if err := provetest.Check(t, p, a.Assumes, a.Proof()); err != nil {
				text, _ := json.Marshal(a.Proof())
				t.Errorf("%s, equation %d: %s = %s under %s: %v\n%.2000s", name, i, p.Left, p.Right, a.Assumes, err, text)
			}
		}
	}
	t.Logf("%d proved, %d refuted, %d unknown; the largest certificate has %d nodes", count[prove.Proved], count[prove.Refuted], count[prove.Unknown], size)
}
