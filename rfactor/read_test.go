package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// TestAnswersAreCanonical reads the expressions of every tenth answer of the corpus back with
// ir.Read, which takes the canonical notation only.
func TestAnswersAreCanonical(t *testing.T) {
	read := 0
	check := func(name string, es []ir.Expr) {
		for _, e := range es {
			if !e.IsValid() {
				continue
			}
			vars := ir.Vars(e)
			named := func(name string) (ir.Expr, bool) {
				for _, v := range vars {
					if v.Name() == name {
						return v, true
					}
				}
				return ir.Expr{}, false
			}
			if back, err := ir.Read(e.Pool(), named, e.Type(), e.String()); err != nil || back != e {
				t.Errorf("%s: %s reads back as %s, %v", name, e, back, err)
			}
			read++
		}
	}
	lines := readCorpus(t, "updates.tsv")
	for i := 0; i < len(lines); i += 10 {
		l := lines[i]
		a := match(t, l.Types, l.Exprs, "all", AllMatchers)
		check(l.Name, a.Update)
		check(l.Name, a.Given)
		check(l.Name, a.Inject)
		if a.Operator != nil {
			check(l.Name, a.Operator.Exprs)
			check(l.Name, a.Operator.Identity)
		}
		if a.Lift != nil {
			check(l.Name, a.Lift.Apply)
		}
	}
	if read < 150 {
		t.Errorf("%d expressions were read: too few to tell", read)
	}
}
