package mutants

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
)

// This file changes what an answer claims.

// stateVars are x0, x1, …, or y0, y1, … of the types.
func stateVars(p *ir.Pool, letter byte, types []ir.Type) (out []ir.Expr) {
	for i, t := range types {
		if letter == 'x' {
			out = append(out, p.X(i, t))
		} else {
			out = append(out, p.Y(i, t))
		}
	}
	return out
}

func leafVars(c *claims.Claim) (out []ir.Expr) {
	for _, l := range c.Leaves {
		out = append(out, l.Var)
	}
	return out
}

func constants(c *claims.Claim) []ir.Expr {
	return slices.DeleteFunc(leafVars(c), func(v ir.Expr) bool { return v.Kind() != ir.Param })
}

func (m *maker) changeOperator(forge bool) string {
	c := m.read()
	vars := slices.Concat(stateVars(c.Pool, 'x', c.Operands), stateVars(c.Pool, 'y', c.Operands), constants(c))
	what := m.changeText(m.tree.At("operator", "exprs"), "operator", vars, c.Operands, c.Operator, forge)
	return what
}

func (m *maker) changeInject(forge bool) string {
	c := m.read()
	vars := leafVars(c)
	if m.IntN(20) == 0 { // it may not depend on the state
		vars = append(vars, stateVars(c.Pool, 'x', c.Types)...)
	}
	return m.changeText(m.tree.Get("inject"), "inject", vars, c.Operands, c.Inject, forge)
}

func (m *maker) changeApply() string {
	c := m.read()
	vars := append(ir.Vars(c.Apply...), stateVars(c.Pool, 'x', c.Types)...)
	return m.changeText(m.tree.Get("apply"), "apply", vars, c.Types, c.Apply, false)
}

func (m *maker) changeUpdate() string {
	c := m.read()
	vars := append(stateVars(c.Pool, 'x', c.Types), leafVars(c)...)
	return m.changeText(m.tree.Get("update"), "update", vars, c.Types, c.Update, false)
}

func (m *maker) changeIdentity(forge bool) string {
	c := m.read()
	list := m.tree.At("operator", "identity")
	if len(c.Identity) == 0 || list == nil {
		return ""
	}
	i := m.IntN(len(c.Identity))
	t := c.Operands[i]
	by := literalNear(m.Rand, c.Pool, t, 0)
	if e := c.Identity[i]; e.Op() == ir.Const && m.IntN(2) == 0 {
		by = literalNear(m.Rand, c.Pool, t, e.Value())
	}
	return m.putText(list, "identity", i, by, forge)
}

var sides = []string{"two", "left", "right", "middle", "none"}

func (m *maker) changeSide(forge bool) string {
	op := m.tree.Get("operator")
	if op == nil {
		return ""
	}
	side := oneOf(m.Rand, sides)
	op.Set("identity_side", ordered.StringOf(side))
	what := "identity_side: " + side
	c := m.read()
	if op.Get("identity") == nil && side != "none" { // one must be stated
		id := &ordered.Value{Kind: ordered.Array}
		for _, t := range c.Operands {
			id.Items = append(id.Items, ordered.StringOf(literalNear(m.Rand, c.Pool, t, 0).String()))
		}
		op.Set("identity", id)
		what += " with an identity"
	}
	if !forge {
		return what
	}
	for _, g := range m.groups() {
		g.Set("identity_side", ordered.StringOf(side))
		if side != "none" && g.Get("identity") == nil {
			id := &ordered.Value{Kind: ordered.Array}
			for _, i := range numbersOf(g) {
				if whole := op.Get("identity"); whole != nil && i >= 0 && i < len(whole.Items) {
					id.Items = append(id.Items, whole.Items[i].Clone())
				}
			}
			g.Set("identity", id)
		}
		m.copyProofs(g, []string{"left", "right", "middle"})
	}
	return what + ", in the groups too"
}

// copyProofs gives laws of a group that have no proofs those of another law.
func (m *maker) copyProofs(group *ordered.Value, laws []string) {
	properties := group.Get("properties")
	if properties == nil || properties.Kind != ordered.Object || len(properties.Items) == 0 {
		return
	}
	for _, law := range laws {
		if properties.Get(law) == nil {
			properties.Set(law, oneOf(m.Rand, properties.Items).Clone())
		}
	}
}

func (m *maker) setFlag(forge bool) string {
	op := m.tree.Get("operator")
	flag := oneOf(m.Rand, []string{"commutative", "idempotent"})
	if v := op.Get(flag); v == nil || v.Text == "true" {
		return ""
	}
	op.Set(flag, ordered.BoolOf(true))
	if !forge {
		return flag
	}
	for _, g := range m.groups() {
		g.Set(flag, ordered.BoolOf(true))
		m.copyProofs(g, []string{flag})
	}
	return flag + ", in the groups too"
}

// isAssumptions reports whether a list under the key is of assumptions.
func isAssumptions(key string, v *ordered.Value) bool {
	return v.Kind == ordered.Array && strings.HasSuffix(key, "assumes")
}

func (m *maker) dropAssumptions(forge bool) string {
	names := m.tree.Get("assumes").Texts()
	if len(names) == 0 {
		return ""
	}
	drop := []string{oneOf(m.Rand, names)}
	switch m.IntN(4) {
	case 0:
		drop = names
	case 1:
		drop = append(drop, oneOf(m.Rand, names))
	}
	m.everyAssumes(forge, func(v *ordered.Value) {
		v.Items = slices.DeleteFunc(v.Items, func(item *ordered.Value) bool { return slices.Contains(drop, item.Text) })
	})
	return "without " + strings.Join(drop, ", ") + everywhere(forge)
}

func everywhere(forge bool) string {
	if forge {
		return ", nowhere left alone"
	}
	return ""
}

// everyAssumes calls f for the list of assumptions, and with forge for each in the certificate.
func (m *maker) everyAssumes(forge bool, f func(*ordered.Value)) {
	f(m.tree.Get("assumes"))
	if forge {
		m.tree.Get("proof").Walk("", func(key string, v *ordered.Value) {
			if isAssumptions(key, v) {
				f(v)
			}
		})
	}
}

func (m *maker) addAssumption(forge bool) string {
	name := oneOf(m.Rand, ir.AllAssumptions.Names())
	if m.tree.Get("assumes") == nil || slices.Contains(m.tree.Get("assumes").Texts(), name) {
		return ""
	}
	m.everyAssumes(forge, func(v *ordered.Value) { v.Items = append(v.Items, ordered.StringOf(name)) })
	if forge { // proofs that assume nothing have no list
		m.tree.Get("proof").Walk("", func(_ string, v *ordered.Value) {
			if v.Kind == ordered.Object && v.Get("assumes") == nil && (v.Get("cases") != nil || v.Get("steps") != nil) {
				v.Set("assumes", ordered.StringsOf(name))
			}
		})
	}
	return "with " + name + everywhere(forge)
}

func (m *maker) changeGiven() string {
	c := m.read()
	list := m.tree.Get("given")
	if list == nil {
		return ""
	}
	what := ""
	switch n := len(list.Items); {
	case n > 0 && m.IntN(3) == 0:
		i := m.IntN(n)
		what = "without given " + list.Items[i].Text
		list.Items = slices.Delete(list.Items, i, i+1)
	case n > 0 && m.IntN(2) == 0 && len(c.Given) == n:
		vars := append(stateVars(c.Pool, 'x', c.Types), leafVars(c)...)
		what = m.changeText(list, "given", vars, nil, c.Given, false)
	default:
		g := m.condition(c)
		if !g.IsValid() {
			return ""
		}
		what = "given " + g.String()
		list.Items = append(list.Items, ordered.StringOf(g.String()))
	}
	if m.IntN(2) == 0 {
		given := m.IntN(3) > 0
		for _, g := range m.groups() {
			g.Set("given", ordered.BoolOf(given))
		}
		what += fmt.Sprintf(", used by groups: %t", given)
	}
	return what
}

// condition compares two variables, or one with a literal.
func (m *maker) condition(c *claims.Claim) ir.Expr {
	vars := stateVars(c.Pool, 'x', c.Types)
	if m.IntN(3) == 0 {
		vars = append(vars, leafVars(c)...)
	}
	a := oneOf(m.Rand, vars)
	if a.Type() == ir.Bool {
		return a
	}
	b := literalNear(m.Rand, c.Pool, a.Type(), 0)
	if v := oneOf(m.Rand, vars); v.Type() == a.Type() && v != a {
		b = v
	}
	return ir.Make(oneOf(m.Rand, []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}), a, b)
}

func (m *maker) changeInitial() string {
	c := m.read()
	list := m.tree.Get("initial")
	if list == nil || m.IntN(8) == 0 {
		if len(c.Given) == 0 {
			return ""
		}
		list = &ordered.Value{Kind: ordered.Array}
		for _, t := range c.Types {
			list.Items = append(list.Items, ordered.StringOf(literalNear(m.Rand, c.Pool, t, 0).String()))
		}
		m.tree.Set("initial", list)
		return "initial " + strings.Join(list.Texts(), ", ")
	}
	i := m.IntN(len(list.Items))
	list.Items[i] = ordered.StringOf(literalNear(m.Rand, c.Pool, c.Types[i], 0).String())
	return fmt.Sprintf("initial[%d]: %s", i, list.Items[i].Text)
}

func typeName(m *maker) string { return ir.Type(1 + m.IntN(ir.NumTypes-1)).String() }

// changeTypes changes the type of a component, mostly wherever that type stands.
func (m *maker) changeTypes() string {
	list := m.tree.Get("types")
	if list == nil || len(list.Items) == 0 {
		return ""
	}
	i := m.IntN(len(list.Items))
	from, to := list.Items[i].Text, typeName(m)
	if m.IntN(5) == 0 {
		list.Items[i] = ordered.StringOf(to)
		return fmt.Sprintf("types[%d]: %s", i, to)
	}
	every := func(_ string, v *ordered.Value) {
		if v.Kind == ordered.String && v.Text == from {
			v.Text = to
		}
	}
	for _, at := range []*ordered.Value{list, m.tree.At("operator", "types"), m.tree.Get("parameter_types"), m.tree.Get("leaves"), m.tree.Get("proof")} {
		at.Walk("", every)
	}
	return fmt.Sprintf("every %s: %s", from, to)
}

func (m *maker) changeParameterTypes() string {
	list := m.tree.Get("parameter_types")
	if list == nil || m.IntN(8) == 0 {
		m.tree.Set("parameter_types", ordered.StringsOf(m.tree.At("operator", "types").Texts()...))
		return "parameter_types are the operator's"
	}
	i := m.IntN(len(list.Items))
	list.Items[i] = ordered.StringOf(typeName(m))
	return fmt.Sprintf("parameter_types[%d]: %s", i, list.Items[i].Text)
}

func (m *maker) changeCost() string {
	cost := m.tree.Get("cost")
	if cost == nil || cost.Kind != ordered.Object {
		return ""
	}
	key := oneOf(m.Rand, []string{"parameters", "multiplications"})
	n, _ := strconv.Atoi(cost.Get(key).Text)
	cost.Set(key, ordered.NumberOf(strconv.Itoa(n+1-2*m.IntN(2))))
	return key + ": " + cost.Get(key).Text
}

func (m *maker) changeLeaves() string {
	leaves := m.tree.Get("leaves")
	if leaves == nil || len(leaves.Items) == 0 {
		return ""
	}
	i := m.IntN(len(leaves.Items))
	name, leaf := leaves.Keys[i], leaves.Items[i]
	switch m.IntN(5) {
	case 4:
		return m.aliasLeaf(leaves, i)
	case 0:
		leaf.Set("type", ordered.StringOf(typeName(m)))
		return name + " is " + leaf.Get("type").Text
	case 1:
		on := leaf.Get("nonneg") == nil
		leaf.Set("nonneg", ordered.BoolOf(on))
		if on && m.IntN(2) == 0 {
			for _, g := range m.groups() {
				g.Set("nonneg", ordered.StringsOf(name))
			}
		}
		return fmt.Sprintf("%s is nonneg: %t", name, on)
	case 2:
		leaves.Keys, leaves.Items = slices.Delete(leaves.Keys, i, i+1), slices.Delete(leaves.Items, i, i+1)
		return "without leaf " + name
	}
	return m.renameLeaf(leaves, i)
}

// renameLeaf gives a leaf another name, mostly wherever it occurs: names say which role a
// variable has.
func (m *maker) renameLeaf(leaves *ordered.Value, i int) string {
	old := leaves.Keys[i]
	name := oneOf(m.Rand, []string{"", "x0", "x1", "x9", "y0", "y1", "y00", "y0b", "y7", "k0", "k1", "k0b", "k00", "p0", "p1", "q0", "z0", "r", "r.x", "in", "f", "true", "tmin", "y", "k"})
	if name == old {
		return ""
	}
	leaves.Keys[i] = name
	if m.IntN(4) == 0 {
		return old + " is called " + strconv.Quote(name)
	}
	rename := func(_ string, v *ordered.Value) {
		if v.Kind == ordered.String {
			v.Text = renamed(v.Text, old, name)
		}
	}
	for _, key := range []string{"update", "inject", "given", "operator", "proof", "apply"} {
		m.tree.Get(key).Walk("", rename)
	}
	return old + " is called " + strconv.Quote(name) + " wherever it occurs"
}

// aliasLeaf adds a leaf with a name that is much like that of another, and injects it in place
// of that one.
func (m *maker) aliasLeaf(leaves *ordered.Value, i int) string {
	old := leaves.Keys[i]
	name := old + oneOf(m.Rand, []string{"b", "0", ".x", "x", "x0"})
	if digits := strings.TrimLeft(old, "abcdefghijklmnopqrstuvwxyz"); m.IntN(3) == 0 && digits != "" {
		name = strings.TrimSuffix(old, digits) + "0" + digits
	}
	if leaves.Get(name) != nil {
		return ""
	}
	leaves.Set(name, leaves.Items[i].Clone())
	rename := func(_ string, v *ordered.Value) {
		if v.Kind == ordered.String {
			v.Text = renamed(v.Text, old, name)
		}
	}
	m.tree.Get("inject").Walk("", rename)
	for _, g := range m.groups() {
		g.Get("inject").Walk("", rename)
	}
	return "inject takes " + name + " for " + old
}

// renamed is a text with a name in place of another.
func renamed(text, old, name string) string {
	isPart := func(c byte) bool { return c == '_' || c == '.' || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z' }
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && isPart(text[j]) {
			j++
		}
		switch {
		case j == i:
			b.WriteByte(text[i])
			j++
		case text[i:j] == old:
			b.WriteString(name)
		default:
			b.WriteString(text[i:j])
		}
		i = j
	}
	return b.String()
}

// changeStatus says another status: a word, or what makes an answer a refusal or the other way
// around.
func (m *maker) changeStatus() string {
	now := m.of.status()
	word := oneOf(m.Rand, []string{"associative", "lifted", "refused", "error", "proved", "", "Associative", "REFUSED", "associative "})
	if word == now {
		return ""
	}
	m.tree.Set("status", ordered.StringOf(word))
	what := "status " + strconv.Quote(word)
	if now == "refused" && m.IntN(3) > 0 { // an answer to another update
		other := oneOf(m.Rand, m.claims)
		for _, key := range []string{"operator", "inject", "apply", "cost", "parameter_types", "assumes", "given", "groups", "proof"} {
			if v := other.tree.Get(key); v != nil {
				m.tree.Set(key, v.Clone())
			}
		}
		m.tree.Set("status", ordered.StringOf(other.status()))
		return "the answer to " + other.from
	}
	if word == "refused" && len(m.refusals) > 0 && m.IntN(2) == 0 {
		m.tree.Set("counterexample", oneOf(m.Rand, m.refusals).tree.Get("counterexample").Clone())
		if m.tree.Get("counterexample") == nil {
			m.tree.Delete("counterexample")
		}
		for _, key := range []string{"operator", "inject", "apply", "cost", "parameter_types", "groups", "proof"} {
			m.tree.Delete(key)
		}
		what += " in place of the answer"
	}
	return what
}

func (m *maker) changeGroups() string {
	groups := m.tree.Get("groups")
	if groups == nil || len(groups.Items) == 0 {
		return ""
	}
	g := oneOf(m.Rand, groups.Items)
	switch n := len(m.tree.Get("types").Items); {
	case m.IntN(3) == 0:
		groups.Items = append(groups.Items, g.Clone())
		return "a group twice"
	case m.IntN(2) == 0 && len(g.Items) > 0:
		g.Items = g.Items[:len(g.Items)-1]
		return "a group without its last component"
	default:
		g.Items = append(g.Items, ordered.NumberOf(strconv.Itoa(m.IntN(n+1))))
		return "a group with one component more"
	}
}

// changeCounterexample changes a value by which a refusal refutes something.
func (m *maker) changeCounterexample() string {
	at := m.tree.Get("counterexample")
	if n := m.tree.At("nearest", "at"); n != nil && (at == nil || m.IntN(2) == 0) {
		at = n
	}
	if at == nil || len(at.Items) == 0 {
		return ""
	}
	i := m.IntN(len(at.Items))
	old := at.Items[i].Text
	switch n, err := strconv.Atoi(old); {
	case m.IntN(6) == 0:
		at.Items[i] = at.Items[m.IntN(len(at.Items))].Clone()
	case err == nil:
		at.Items[i] = ordered.StringOf(strconv.Itoa(n + 1 - 2*m.IntN(2)))
	case old == "true" || old == "false":
		at.Items[i] = ordered.StringOf(strconv.FormatBool(old == "false"))
	default:
		at.Items[i] = ordered.StringOf(oneOf(m.Rand, []string{"0", "1", "-1", "NaN", "+Inf", ""}))
	}
	return at.Keys[i] + ": " + at.Items[i].Text + " for " + old
}
