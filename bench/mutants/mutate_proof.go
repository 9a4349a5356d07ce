package mutants

import (
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/rfactor-go/rfactor/internal/ordered"
)

// This file changes how an answer is proven. It knows little of the form of certificates: a
// node is an object with a kind, and every value may be changed.

// leaves of proofs by cases that say nothing but their kind.
var leafKinds = []string{"equal", "absurd", "squeeze", "vacuous", "exhaustive", "threshold", "scaled"}

func leafNode(kind string) *ordered.Value {
	return &ordered.Value{Kind: ordered.Object, Keys: []string{"kind"}, Items: []*ordered.Value{ordered.StringOf(kind)}}
}

func (m *maker) certificate() *ordered.Value { return m.tree.At("proof", "certificate") }

// nodes are the places of proofs in a value: each the pointer to a node.
func nodes(v *ordered.Value) (out []**ordered.Value) {
	if v == nil {
		return nil
	}
	for i := range v.Items {
		if v.Items[i].Get("kind") != nil {
			out = append(out, &v.Items[i])
		}
		out = append(out, nodes(v.Items[i])...)
	}
	return out
}

func (m *maker) changeNode() string {
	all := nodes(m.certificate())
	if len(all) == 0 {
		return ""
	}
	at := oneOf(m.Rand, all)
	node := *at
	kind := node.Get("kind").Text
	switch m.IntN(6) {
	case 0:
		to := oneOf(m.Rand, m.seen["kind"]).Text
		node.Set("kind", ordered.StringOf(to))
		return kind + " is " + to
	case 1, 2:
		*at = leafNode(oneOf(m.Rand, leafKinds))
		return kind + " replaced by " + (*at).Get("kind").Text
	case 3:
		if node.Get("then") == nil || node.Get("else") == nil {
			return ""
		}
		then, other := node.Get("then"), node.Get("else")
		if m.IntN(2) == 0 {
			*at = then
			return kind + " replaced by its first case"
		}
		node.Set("then", other)
		node.Set("else", then)
		return kind + " with its cases swapped"
	case 4:
		i := m.IntN(len(node.Keys))
		node.Delete(node.Keys[i])
		return kind + " with a member less"
	}
	i := m.IntN(len(node.Items))
	return kind + ": " + node.Keys[i] + " " + m.spoil(node.Items[i])
}

// spoil changes a value in place and says how; "" where it cannot.
func (m *maker) spoil(v *ordered.Value) string {
	switch v.Kind {
	case ordered.Bool:
		*v = *ordered.BoolOf(v.Text == "false")
		return "is " + v.Text
	case ordered.Number:
		n, _ := strconv.Atoi(v.Text)
		v.Text = oneOf(m.Rand, []string{strconv.Itoa(n + 1), strconv.Itoa(n - 1), "0", "1", strconv.Itoa(-n), "1000000", "9223372036854775807"})
		return "is " + v.Text
	case ordered.String:
		return m.spoilText(v)
	case ordered.Array:
		return m.spoilList(v)
	case ordered.Object:
		if len(v.Keys) == 0 {
			return ""
		}
		k := oneOf(m.Rand, v.Keys)
		v.Delete(k)
		return "without " + k
	}
	return ""
}

func (m *maker) spoilText(v *ordered.Value) string {
	old := v.Text
	raw, err := base64.StdEncoding.DecodeString(old)
	if err == nil && len(raw) > 3 && m.IntN(4) > 0 { // bytes
		i := m.IntN(len(raw))
		switch m.IntN(3) {
		case 0:
			raw = raw[:i]
		case 1:
			raw[i] ^= 1 << m.IntN(8)
		default:
			raw = append(raw[:i:i], raw[i+1:]...)
		}
		v.Text = base64.StdEncoding.EncodeToString(raw)
		return "with bytes changed"
	}
	if len(old) > 0 && m.IntN(2) == 0 {
		v.Text = old[:m.IntN(len(old))]
		return "cut to " + v.Text
	}
	if names := renamings[m.IntN(len(renamings))]; renamed(old, names[0], names[1]) != old {
		v.Text = renamed(old, names[0], names[1])
		return "is " + v.Text
	}
	return ""
}

var renamings = [][2]string{{"x0", "y0"}, {"y0", "x0"}, {"x0", "x1"}, {"y0", "z0"}, {"p0", "q0"}, {"x1", "y1"}, {"1", "0"}, {"0", "1"}, {"y1", "y0"}}

func (m *maker) spoilList(v *ordered.Value) string {
	n := len(v.Items)
	if n == 0 {
		return ""
	}
	i, j := m.IntN(n), m.IntN(n)
	switch m.IntN(3) {
	case 0:
		v.Items = append(v.Items[:i:i], v.Items[i+1:]...)
		return "without an element"
	case 1:
		v.Items = append(v.Items, v.Items[i].Clone())
		return "with an element twice"
	}
	v.Items[i], v.Items[j] = v.Items[j], v.Items[i]
	return "with elements swapped"
}

// takeProof replaces a proof by one from another place, or from another answer.
func (m *maker) takeProof() string {
	all := nodes(m.certificate())
	if len(all) == 0 {
		return ""
	}
	at := oneOf(m.Rand, all)
	from := m.of
	if m.IntN(2) == 0 {
		from = oneOf(m.Rand, m.claims)
	}
	others := nodes(from.tree.At("proof", "certificate"))
	if len(others) == 0 {
		return ""
	}
	*at = (*oneOf(m.Rand, others)).Clone()
	return "a proof from " + from.from
}

// changeProofValue changes any value of the certificate, or replaces it by one that stands
// under the same key elsewhere.
func (m *maker) changeProofValue() string {
	type place struct {
		key string
		v   *ordered.Value
	}
	var all []place
	m.certificate().Walk("certificate", func(key string, v *ordered.Value) { all = append(all, place{key, v}) })
	if len(all) == 0 {
		return ""
	}
	p := oneOf(m.Rand, all)
	if others := m.seen[p.key]; len(others) > 0 && m.IntN(2) == 0 {
		*p.v = *oneOf(m.Rand, others).Clone()
		return p.key + " of another answer"
	}
	if what := m.spoil(p.v); what != "" {
		return p.key + " " + what
	}
	return ""
}

// changeSteps drops, doubles, swaps or changes rewrite steps and lemmas.
func (m *maker) changeSteps() string {
	var lists []*ordered.Value
	m.certificate().Walk("", func(key string, v *ordered.Value) {
		if (key == "steps" || key == "lemmas") && v.Kind == ordered.Array && len(v.Items) > 0 {
			lists = append(lists, v)
		}
	})
	if len(lists) == 0 {
		return ""
	}
	list := oneOf(m.Rand, lists)
	if m.IntN(2) == 0 {
		return "steps " + m.spoilList(list)
	}
	step := oneOf(m.Rand, list.Items)
	if step.Kind != ordered.Object || len(step.Items) == 0 {
		return ""
	}
	i := m.IntN(len(step.Items))
	if others := m.seen[step.Keys[i]]; len(others) > 0 && m.IntN(2) == 0 {
		step.Items[i] = oneOf(m.Rand, others).Clone()
		return "a step with another " + step.Keys[i]
	}
	if what := m.spoil(step.Items[i]); what != "" {
		return "a step: " + step.Keys[i] + " " + what
	}
	return ""
}

// forgeProofs changes a claim wherever it stands, and replaces the proofs by such as might be
// believed: leaves, or those of other answers.
func (m *maker) forgeProofs() string {
	forgeries := []func() string{
		func() string { return m.changeOperator(true) }, func() string { return m.changeInject(true) },
		func() string { return m.changeIdentity(true) }, func() string { return m.setFlag(true) },
		func() string { return m.dropAssumptions(true) }, m.changeUpdate, m.changeApply, func() string { return m.changeSide(true) },
	}
	what := oneOf(m.Rand, forgeries)()
	if what == "" {
		return ""
	}
	all := nodes(m.certificate())
	style, n := m.IntN(3), 0
	kind := oneOf(m.Rand, leafKinds)
	for _, at := range all {
		switch {
		case style == 0:
			*at = leafNode(kind)
		case style == 1 && m.IntN(len(all)) < 2:
			*at = leafNode(oneOf(m.Rand, leafKinds))
		case style == 2 && m.IntN(len(all)) < 3:
			*at = (*oneOf(m.Rand, all)).Clone()
		default:
			continue
		}
		n++
	}
	return fmt.Sprintf("%s; %d proofs replaced", what, n)
}

// transplant takes what a similar answer says, or how it is proven.
func (m *maker) transplant() string {
	other := oneOf(m.Rand, m.similar[kinship(m.of.tree)])
	if other == m.of {
		return ""
	}
	sets := [][]string{
		{"proof"}, {"update"}, {"update", "leaves"}, {"inject"}, {"operator"}, {"assumes"}, {"given"}, {"apply"}, {"operator", "inject"},
		{"operator", "inject", "apply", "proof", "groups", "cost", "parameter_types"},
		{"operator", "inject", "apply", "proof", "groups", "cost", "parameter_types", "assumes", "given"},
	}
	set := oneOf(m.Rand, sets)
	for _, key := range set {
		if v := other.tree.Get(key); v != nil {
			m.tree.Set(key, v.Clone())
		} else {
			m.tree.Delete(key)
		}
	}
	return fmt.Sprintf("%v of %s", set, other.from)
}
