package mutants

import (
	"strconv"

	"github.com/rfactor-go/rfactor/internal/ordered"
)

// This file changes what is said of the number of parameters.

// changeLeast claims of a lift that it has no parameter too many, by what shows that of another; or changes what shows it.
func (m *maker) changeLeast() string {
	lift := m.tree.At("proof", "certificate", "lift")
	if lift == nil {
		return ""
	}
	shown := lift.Get("least")
	if shown != nil && m.IntN(4) > 0 {
		return m.changeProducts(shown)
	}
	other := oneOf(m.Rand, m.lifts)
	by := other.tree.At("proof", "certificate", "lift", "least")
	m.tree.Set("least", ordered.StringOf("proven"))
	if by == nil || other == m.of {
		if shown != nil {
			lift.Delete("least")
			return "least, and nothing shows it"
		}
		return "least is said"
	}
	lift.Set("least", by.Clone())
	return "least as of " + other.from
}

// changeNoOperator claims that there is no operator on the state, by what shows that of another answer; or changes what shows it.
func (m *maker) changeNoOperator() string {
	if shown := m.tree.Get("no_operator"); shown != nil && m.IntN(4) > 0 {
		return m.changeProducts(shown)
	}
	other := oneOf(m.Rand, m.all)
	by := other.tree.Get("no_operator")
	if by == nil {
		by = other.tree.At("proof", "certificate", "lift", "least")
	}
	if by == nil || other == m.of {
		return ""
	}
	m.tree.Set("no_operator", by.Clone())
	return "no operator, as of " + other.from
}

// changeProducts changes, drops or doubles a part of what shows that a lift has no parameter too many.
func (m *maker) changeProducts(shown *ordered.Value) string {
	i := m.IntN(len(shown.Keys))
	key, part := shown.Keys[i], shown.Items[i]
	if m.IntN(6) == 0 {
		shown.Delete(key)
		return "least without " + key
	}
	for len(part.Items) > 0 && m.IntN(3) > 0 {
		part = oneOf(m.Rand, part.Items)
	}
	if what := m.spoil(part); what != "" {
		return "least: " + key + ": " + what
	}
	return ""
}

// addParameter gives a lift a parameter twice, with all that proves the rest of the answer.
func (m *maker) addParameter() string {
	cost := m.tree.At("cost", "parameters")
	if cost == nil {
		return ""
	}
	n, err := strconv.Atoi(cost.Text)
	lift := m.tree.At("proof", "certificate", "lift")
	if err != nil || lift == nil || n == 0 {
		return ""
	}
	i := m.IntN(n)
	cost.Text = strconv.Itoa(n + 1)
	for _, list := range []*ordered.Value{m.tree.At("operator", "types"), m.tree.At("operator", "exprs"), m.tree.At("operator", "identity"),
		m.tree.Get("inject"), lift.Get("step"), lift.Get("simpler")} {
		if list != nil && i < len(list.Items) {
			list.Items = append(list.Items, list.Items[i].Clone())
		}
	}
	types := m.tree.At("operator", "types")
	if wide := m.tree.Get("parameter_types"); wide != nil && i < len(wide.Items) {
		wide.Items = append(wide.Items, wide.Items[i].Clone())
	} else {
		m.tree.Set("parameter_types", types.Clone())
	}
	if m.tree.Get("least") == nil {
		return "parameter " + strconv.Itoa(i) + " twice"
	}
	return "parameter " + strconv.Itoa(i) + " twice, and least"
}
