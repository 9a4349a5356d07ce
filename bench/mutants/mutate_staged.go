package mutants

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/ordered"
)

// This file changes staged answers: which stages there are, what they read, and the answers of stages.

func ofStaged(s *answers) []*answer { return s.staged }

// ofStages are the ways to change the answer of a stage, which is an answer of its own.
var ofStages []*kind

func init() {
	for i := range kinds {
		switch kinds[i].name {
		case "operator", "operator forged", "inject", "inject forged", "update", "apply", "identity forged", "assumption dropped forged", "types", "leaves",
			"proof node", "proof taken", "proof value", "steps", "claim and proofs":
			ofStages = append(ofStages, &kinds[i])
		}
	}
}

// stage is one of the stages; nil where there are none.
func (m *maker) stage() *ordered.Value {
	if s := m.tree.Get("stages"); s != nil && len(s.Items) > 0 {
		return oneOf(m.Rand, s.Items)
	}
	return nil
}

// stageRead is one of the leaves that stages read of earlier ones; nil where there are none.
func (m *maker) stageRead() *ordered.Value {
	var all []*ordered.Value
	for _, s := range m.tree.Get("stages").Items {
		all = append(all, s.Get("reads").Items...)
	}
	if len(all) == 0 {
		return nil
	}
	return oneOf(m.Rand, all)
}

// orderStages puts two stages in each other's place, or lists one twice or not at all.
func (m *maker) orderStages() string {
	s := m.tree.Get("stages")
	i, j := m.IntN(len(s.Items)), m.IntN(len(s.Items))
	switch m.IntN(4) {
	case 0:
		s.Items = slices.Delete(s.Items, i, i+1)
		return fmt.Sprintf("no stage %d", i)
	case 1:
		s.Items = append(s.Items, s.Items[i].Clone())
		return fmt.Sprintf("stage %d twice", i)
	}
	if i == j {
		return ""
	}
	s.Items[i], s.Items[j] = s.Items[j], s.Items[i]
	return fmt.Sprintf("stages %d and %d the other way round", i, j)
}

// changeWhen reads after the step what was read before it, or the other way round.
func (m *maker) changeWhen() string {
	r := m.stageRead()
	if r == nil {
		return ""
	}
	by := "after"
	if r.Get("when").Text == "after" {
		by = "before"
	}
	r.Set("when", ordered.StringOf(by))
	return "read " + by + " the step"
}

// changeRead reads another component, or another leaf, or reads a leaf of the tuple.
func (m *maker) changeRead() string {
	r := m.stageRead()
	if r == nil {
		return ""
	}
	n := len(m.tree.Get("types").Items)
	switch m.IntN(4) {
	case 0:
		names := m.tree.Get("leaves").Keys
		if len(names) == 0 {
			return ""
		}
		r.Set("leaf", ordered.StringOf(oneOf(m.Rand, names)))
		return "a leaf of the tuple is read"
	case 1:
		for _, s := range m.tree.Get("stages").Items {
			reads := s.Get("reads")
			if i := slices.Index(reads.Items, r); i >= 0 {
				reads.Items = slices.Delete(reads.Items, i, i+1)
			}
		}
		return "a leaf is not read"
	}
	r.Get("component").Text = fmt.Sprint(m.IntN(n))
	return "component " + r.Get("component").Text + " is read"
}

// changeStageComponents gives a stage other components, or says that it stores others, or takes other passes.
func (m *maker) changeStageComponents() string {
	key := oneOf(m.Rand, []string{"components", "components", "stores", "passes"})
	if key == "passes" {
		m.tree.Get(key).Text = fmt.Sprint(m.IntN(4))
		return "passes"
	}
	list := m.stage().Get(key)
	if len(list.Items) == 0 {
		return ""
	}
	list.Items[m.IntN(len(list.Items))].Text = fmt.Sprint(m.IntN(len(m.tree.Get("types").Items)))
	return key
}

// changeStage changes the answer of one stage as answers of their own are changed.
func (m *maker) changeStage() string {
	s := m.stage()
	inner := &maker{Rand: m.Rand, answers: m.answers, of: m.of, tree: s.Get("answer")}
	k := oneOf(m.Rand, ofStages)
	what := k.attempt(inner)
	if what == "" || inner.text != nil {
		return ""
	}
	s.Set("answer", inner.tree)
	return "stage: " + k.name + ": " + what
}

// swapStageAnswers gives a stage the answer of another, or of an answer in one pass, or only the certificate of it.
func (m *maker) swapStageAnswers() string {
	s, other := m.stage(), m.stage().Get("answer")
	if m.IntN(2) == 0 {
		other = oneOf(m.Rand, m.claims).tree
	}
	if m.IntN(2) == 0 {
		s.Set("answer", other.Clone())
		return "the answer of another stage"
	}
	s.Get("answer").Set("proof", other.Get("proof").Clone())
	return "the proof of another stage"
}

// changeWhole changes an expression of the update of a staged answer, or an assumption.
func (m *maker) changeWhole() string {
	if m.IntN(3) == 0 {
		list := m.tree.Get("assumes")
		if len(list.Items) == 0 {
			return ""
		}
		list.Items = slices.Delete(list.Items, 0, 1)
		return "an assumption is dropped"
	}
	return m.changeUpdate()
}
