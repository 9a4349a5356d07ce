package mutants

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/ordered"
)

// This file changes the form of a line.

func (m *maker) truncate() string {
	text := m.tree.Bytes()
	n := m.IntN(len(text))
	m.text = text[:n:n]
	if m.IntN(3) == 0 { // closed again, so that it may be JSON
		m.text = append(m.text, closing(m.text)...)
	}
	return fmt.Sprintf("cut after %d bytes", n)
}

// closing is what closes the brackets and the string that text leaves open.
func closing(text []byte) []byte {
	var open []byte
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	var out []byte
	if quoted {
		out = append(out, '"')
	}
	for i := range open {
		out = append(out, open[len(open)-1-i])
	}
	return out
}

func (m *maker) changeSchema() string {
	if m.IntN(5) == 0 {
		m.tree.Delete("schema")
		return "no schema"
	}
	now := m.tree.Get("schema").Text
	to := oneOf(m.Rand, []string{"0", "1", "2", "3", "-1", "1e0", "2.0", "null", `"` + now + `"`, "99999999999999999999"})
	if to == now {
		return ""
	}
	m.tree.Set("schema", ordered.NumberOf(to))
	return "schema " + to
}

// objects are all objects of the mutant that have members.
func (m *maker) objects() (out []*ordered.Value) {
	m.tree.Walk("", func(_ string, v *ordered.Value) {
		if v.Kind == ordered.Object && len(v.Keys) > 0 {
			out = append(out, v)
		}
	})
	return out
}

// changeKeys drops a member, or adds one: a second of the same name, one of that name in
// capitals, one of a name that there is not. A reader may take either of two for the claim.
func (m *maker) changeKeys() string {
	v := m.tree
	if m.IntN(2) == 0 {
		v = oneOf(m.Rand, m.objects())
	}
	i := m.IntN(len(v.Keys))
	key, item := v.Keys[i], v.Items[i].Clone()
	other := oneOf(m.Rand, m.claims).tree.Get(key)
	if other != nil && v == m.tree {
		item = other.Clone()
	} else {
		m.spoil(item)
	}
	insert := func(at int, key string) {
		v.Keys = append(v.Keys[:at:at], append([]string{key}, v.Keys[at:]...)...)
		v.Items = append(v.Items[:at:at], append([]*ordered.Value{item}, v.Items[at:]...)...)
	}
	switch m.IntN(6) {
	case 5:
		right := v.Items[i]
		v.Items[i], item = item, right
		insert(len(v.Keys), strings.ToUpper(key))
		return "another " + key + ", the right one is " + strings.ToUpper(key)
	case 0:
		v.Delete(key)
		return "no " + key
	case 1:
		insert(i, key)
		return "a second " + key + " before it"
	case 2:
		insert(len(v.Keys), key)
		return "a second " + key + " at the end"
	case 3:
		insert(len(v.Keys), strings.ToUpper(key))
		return "also " + strings.ToUpper(key)
	}
	insert(m.IntN(len(v.Keys)), oneOf(m.Rand, []string{"extra", "", "lift", "operator", "given", "initial", "apply", "assumes"}))
	return "an extra member"
}

// changeForm replaces a value by one of another form.
func (m *maker) changeForm() string {
	v := oneOf(m.Rand, m.objects())
	if m.IntN(2) == 0 {
		v = m.tree
	}
	i := m.IntN(len(v.Keys))
	to := oneOf(m.Rand, []string{"null", "0", "1.5", `""`, "true", "[]", "{}", `[null]`, `[[]]`, `["x0"]`, `{"kind":null}`})
	by, err := ordered.Parse([]byte(to))
	if err != nil {
		panic("internal: " + err.Error())
	}
	v.Items[i] = by
	return v.Keys[i] + ": " + to
}

var huge = []string{"1e400", "-1e400", "9223372036854775808", "-9223372036854775809", "340282366920938463463374607431768211456", "2147483648", "1e18", "4294967296", "1000000000"}

// hugeNumber puts a number where one stands, or into an expression.
func (m *maker) hugeNumber() string {
	var numbers, texts []*ordered.Value
	m.tree.Walk("", func(key string, v *ordered.Value) {
		switch {
		case v.Kind == ordered.Number:
			numbers = append(numbers, v)
		case v.Kind == ordered.String && strings.ContainsAny(v.Text, "0123456789"):
			texts = append(texts, v)
		}
	})
	to := oneOf(m.Rand, huge)
	if m.IntN(3) > 0 && len(numbers) > 0 {
		oneOf(m.Rand, numbers).Text = to
		return "a number " + to
	}
	if len(texts) == 0 {
		return ""
	}
	v := oneOf(m.Rand, texts)
	v.Text = renamed(v.Text, oneOf(m.Rand, []string{"0", "1", "2", "x0", "y0"}), to)
	return "a literal: " + v.Text
}

// nest puts brackets into brackets: around an expression, in a proof, or in the line itself.
func (m *maker) nest() string {
	depth := 1 << (4 + m.IntN(13))
	switch m.IntN(4) {
	case 0:
		m.text = []byte(strings.Replace(string(m.tree.Bytes()), `"proof":`, `"extra":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+`,"proof":`, 1))
		return "brackets " + strconv.Itoa(depth) + " deep"
	case 1:
		all := nodes(m.certificate())
		if len(all) == 0 {
			return ""
		}
		at := oneOf(m.Rand, all)
		node := *at
		for range min(depth, 9000) {
			node = &ordered.Value{Kind: ordered.Object, Keys: []string{"kind", "then", "else"}, Items: []*ordered.Value{ordered.StringOf("split"), node, leafNode("equal")}}
		}
		*at = node
		return "a proof " + strconv.Itoa(depth) + " cases deep"
	}
	list := m.tree.Get(oneOf(m.Rand, []string{"update", "inject", "given"}))
	if list == nil || len(list.Items) == 0 {
		return ""
	}
	v := oneOf(m.Rand, list.Items)
	open, end := "(", ")"
	switch m.IntN(3) {
	case 0:
		open, end = "abs(", ")"
	case 1:
		open, end = "-", ""
	}
	v.Text = strings.Repeat(open, depth) + v.Text + strings.Repeat(end, depth)
	return fmt.Sprintf("%d times %s", depth, open)
}
