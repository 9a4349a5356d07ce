package mutants

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
)

// A kind is one way to change an answer. Apply changes m.tree, or puts the mutant into m.text,
// and says what it did; "" where the answer has nothing that can be changed in this way.
type kind struct {
	name   string
	weight int
	of     func(*answers) []*answer
	apply  func(m *maker) string
}

func ofClaims(s *answers) []*answer   { return s.claims }
func ofLifts(s *answers) []*answer    { return s.lifts }
func ofRefusals(s *answers) []*answer { return s.refusals }
func ofAll(s *answers) []*answer      { return s.all }

// kinds are all ways to change an answer. The forged ones change a fact in every place where
// it stands. Weights are such that most mutants claim something false.
var kinds = []kind{
	{"operator", 4, ofClaims, func(m *maker) string { return m.changeOperator(false) }},
	{"operator forged", 17, ofClaims, func(m *maker) string { return m.changeOperator(true) }},
	{"inject", 4, ofClaims, func(m *maker) string { return m.changeInject(false) }},
	{"inject forged", 11, ofClaims, func(m *maker) string { return m.changeInject(true) }},
	{"apply", 6, ofLifts, (*maker).changeApply},
	{"update", 17, ofClaims, (*maker).changeUpdate},
	{"identity", 2, ofClaims, func(m *maker) string { return m.changeIdentity(false) }},
	{"identity forged", 5, ofClaims, func(m *maker) string { return m.changeIdentity(true) }},
	{"side", 1, ofClaims, func(m *maker) string { return m.changeSide(false) }},
	{"side forged", 3, ofClaims, func(m *maker) string { return m.changeSide(true) }},
	{"flag", 2, ofClaims, func(m *maker) string { return m.setFlag(false) }},
	{"flag forged", 3, ofClaims, func(m *maker) string { return m.setFlag(true) }},
	{"assumption dropped", 3, ofClaims, func(m *maker) string { return m.dropAssumptions(false) }},
	{"assumption dropped forged", 6, ofClaims, func(m *maker) string { return m.dropAssumptions(true) }},
	{"assumption added", 1, ofClaims, func(m *maker) string { return m.addAssumption(false) }},
	{"assumption added forged", 2, ofClaims, func(m *maker) string { return m.addAssumption(true) }},
	{"given", 3, ofClaims, (*maker).changeGiven},
	{"initial", 1, ofClaims, (*maker).changeInitial},
	{"bounds of a program", 4, ofInitial, (*maker).changeKept},
	{"types", 3, ofClaims, (*maker).changeTypes},
	{"parameter types", 1, ofLifts, (*maker).changeParameterTypes},
	{"cost", 1, ofLifts, (*maker).changeCost},
	{"least", 2, ofLifts, (*maker).changeLeast},
	{"a parameter too many", 2, ofLifts, (*maker).addParameter},
	{"leaves", 3, ofClaims, (*maker).changeLeaves},
	{"status", 2, ofAll, (*maker).changeStatus},
	{"groups", 1, ofClaims, (*maker).changeGroups},
	{"proof node", 5, ofClaims, (*maker).changeNode},
	{"proof taken", 3, ofClaims, (*maker).takeProof},
	{"proof value", 5, ofClaims, (*maker).changeProofValue},
	{"steps", 2, ofClaims, (*maker).changeSteps},
	{"claim and proofs", 10, ofClaims, (*maker).forgeProofs},
	{"of a similar answer", 7, ofClaims, (*maker).transplant},
	{"stage order", 2, ofStaged, (*maker).orderStages},
	{"stage inclusive or exclusive", 2, ofStaged, (*maker).changeWhen},
	{"stage reads", 2, ofStaged, (*maker).changeRead},
	{"stage components", 2, ofStaged, (*maker).changeStageComponents},
	{"stage answer", 4, ofStaged, (*maker).changeStage},
	{"stage proof", 2, ofStaged, (*maker).swapStageAnswers},
	{"staged update", 2, ofStaged, (*maker).changeWhole},
	{"truncated", 1, ofAll, (*maker).truncate},
	{"schema", 1, ofAll, (*maker).changeSchema},
	{"keys", 2, ofAll, (*maker).changeKeys},
	{"forms of JSON", 2, ofAll, (*maker).changeForm},
	{"huge numbers", 1, ofAll, (*maker).hugeNumber},
	{"deep nesting", 1, ofAll, (*maker).nest},
	{"values of a refusal", 2, ofRefusals, (*maker).changeCounterexample},
	{"no operator", 2, ofAll, (*maker).changeNoOperator},
}

// mutant is a changed answer.
type mutant struct {
	number int
	kind   string
	of     *answer
	what   string // was changed
	text   []byte
}

// maker makes one mutant.
type maker struct {
	*rand.Rand
	*answers
	of    *answer
	tree  *ordered.Value // to be changed
	text  []byte         // where the mutant is no tree
	claim *claims.Claim  // of the answer before it was changed
}

// mutate makes the mutant of a number: the same one for the same answers and seed.
func (s *answers) mutate(number int, seed uint64) mutant {
	rng := rand.New(rand.NewPCG(seed, uint64(number)))
	for {
		k := pickKind(rng)
		if m, ok := s.mutateBy(k, rng); ok {
			m.number = number
			return m
		}
	}
}

func pickKind(rng *rand.Rand) *kind {
	total := 0
	for i := range kinds {
		total += kinds[i].weight
	}
	n := rng.IntN(total)
	for i := range kinds {
		if n -= kinds[i].weight; n < 0 {
			return &kinds[i]
		}
	}
	panic("internal: no kind")
}

// mutateBy changes answers in one way until that makes a difference; false where it makes
// none to any of those tried. One mutant in eight is changed once more.
func (s *answers) mutateBy(k *kind, rng *rand.Rand) (mutant, bool) {
	of := k.of(s)
	if len(of) == 0 {
		return mutant{}, false
	}
	for range 60 {
		m := &maker{Rand: rng, answers: s, of: oneOf(rng, of)}
		if rng.IntN(2) == 0 { // of the sorts of answers those that are rare as often as the others
			if m.of = oneOf(rng, oneOf(rng, s.sorts)); !slices.Contains(of, m.of) {
				continue
			}
		}
		m.tree = m.of.tree.Clone()
		what := k.apply(m)
		if what != "" && m.text == nil && rng.IntN(8) == 0 {
			if again := &kinds[rng.IntN(len(kinds))]; slices.Contains(again.of(s), m.of) {
				if more := again.attempt(m); more != "" {
					what += "; " + again.name + ": " + more
				}
			}
		}
		if what == "" {
			continue
		}
		if m.text == nil {
			m.text = m.tree.Bytes()
		}
		if !bytes.Equal(m.text, m.of.text) && bytes.IndexByte(m.text, '\n') < 0 {
			return mutant{kind: k.name, of: m.of, what: what, text: m.text}, true
		}
	}
	return mutant{}, false
}

// attempt changes what was changed before, which may not have the form that apply counts on;
// then it stays as far as it was changed.
func (k *kind) attempt(m *maker) (what string) {
	defer func() {
		if recover() != nil {
			what = "in part"
		}
	}()
	return k.apply(m)
}

// read parses the claim, once.
func (m *maker) read() *claims.Claim {
	if m.claim == nil {
		m.claim, _ = claims.Read(m.tree)
	}
	return m.claim
}

// oneOf is an element of a list that is not empty.
func oneOf[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// groups are the certificates of the groups.
func (m *maker) groups() []*ordered.Value {
	if g := m.tree.At("proof", "certificate", "groups"); g != nil {
		return g.Items
	}
	return nil
}

// numbersOf are the components of a group, -1 for each that is no number.
func numbersOf(group *ordered.Value) (out []int) {
	list := group.Get("components")
	if list == nil {
		return nil
	}
	for _, item := range list.Items {
		n := -1
		fmt.Sscan(item.Text, &n)
		out = append(out, n)
	}
	return out
}

// changeText changes one expression of a list and says how. The texts of the same expression
// in the groups are those under field; with forge they are changed, too.
func (m *maker) changeText(list *ordered.Value, field string, scope []ir.Expr, types []ir.Type, es []ir.Expr, forge bool) string {
	if list == nil || len(es) == 0 || len(list.Items) != len(es) {
		return ""
	}
	i := m.IntN(len(es))
	by := changed(m.Rand, es[i], scope)
	if !by.IsValid() || by.Size() > 4000 {
		return ""
	}
	return m.putText(list, field, i, by, forge)
}

// putText puts an expression for component i into a list, and where forge is set into each
// group that has the component.
func (m *maker) putText(list *ordered.Value, field string, i int, by ir.Expr, forge bool) string {
	what := fmt.Sprintf("%s[%d]: %s for %s", field, i, by, list.Items[i].Text)
	list.Items[i] = ordered.StringOf(by.String())
	if !forge {
		return what
	}
	for _, g := range m.groups() {
		components := numbersOf(g)
		j := slices.Index(components, i)
		texts := g.Get(field)
		if j < 0 || texts == nil || j >= len(texts.Items) {
			continue
		}
		old, here := texts.Items[j].Text, by
		if field == "operator" {
			here = inGroup(by, components)
		}
		texts.Items[j] = ordered.StringOf(here.String())
		g.Walk("", func(_ string, v *ordered.Value) { // wherever else it stands
			if v.Kind == ordered.String && v.Text == old && len(old) > 3 {
				v.Text = texts.Items[j].Text
			}
		})
	}
	return what + ", wherever it stands"
}

// inGroup renumbers operands as a group numbers its components.
func inGroup(e ir.Expr, components []int) ir.Expr {
	p := e.Pool()
	return p.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || e.Kind() != ir.State && e.Kind() != ir.Leaf {
			return ir.Expr{}
		}
		j := slices.Index(components, e.Index())
		switch {
		case j < 0:
		case e.Kind() == ir.State:
			return p.X(j, e.Type())
		case strings.HasPrefix(e.Name(), "y"):
			return p.Y(j, e.Type())
		}
		return ir.Expr{}
	})[0]
}
