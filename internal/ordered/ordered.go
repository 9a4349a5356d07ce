// Package ordered holds JSON as it was written: keys in their order, a key twice where it
// stands twice, and numbers as text. Mutations and the judge need what encoding/json drops.
package ordered

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Kind says which of the six forms of JSON a Value has.
type Kind uint8

// The forms of JSON.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is a JSON value. Text is the literal of a bool or number, or a string decoded.
// Items are the elements of an array, or the members of an object, whose names are Keys.
type Value struct {
	Kind  Kind
	Text  string
	Keys  []string
	Items []*Value
}

// Parse reads one JSON value and nothing after it. The error is that of encoding/json.
func Parse(text []byte) (*Value, error) {
	if !json.Valid(text) {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, err
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := read(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("text after the value")
	}
	return v, nil
}

func read(d *json.Decoder) (*Value, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		return readItems(d, t)
	case json.Number:
		return NumberOf(t.String()), nil
	case string:
		return StringOf(t), nil
	case bool:
		return BoolOf(t), nil
	}
	return &Value{}, nil
}

func readItems(d *json.Decoder, open json.Delim) (*Value, error) {
	v := &Value{Kind: Array}
	if open == '{' {
		v.Kind = Object
	}
	for d.More() {
		if open == '{' {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v.Keys = append(v.Keys, k.(string))
		}
		item, err := read(d)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := d.Token()
	return v, err
}

// NumberOf is the number that is written as text.
func NumberOf(text string) *Value { return &Value{Kind: Number, Text: text} }

// StringOf is a string.
func StringOf(text string) *Value { return &Value{Kind: String, Text: text} }

// BoolOf is true or false.
func BoolOf(b bool) *Value {
	if b {
		return &Value{Kind: Bool, Text: "true"}
	}
	return &Value{Kind: Bool, Text: "false"}
}

// StringsOf is an array of strings.
func StringsOf(texts ...string) *Value {
	v := &Value{Kind: Array}
	for _, t := range texts {
		v.Items = append(v.Items, StringOf(t))
	}
	return v
}

// Clone copies v with everything below it.
func (v *Value) Clone() *Value {
	if v == nil {
		return nil
	}
	c := &Value{Kind: v.Kind, Text: v.Text, Keys: append([]string(nil), v.Keys...)}
	if len(v.Items) > 0 {
		c.Items = make([]*Value, len(v.Items))
		for i, item := range v.Items {
			c.Items[i] = item.Clone()
		}
	}
	return c
}

// Get is the member of an object with that name, the last one where there are several; nil
// where v is nil or no object, or has no such member.
func (v *Value) Get(key string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := len(v.Keys) - 1; i >= 0; i-- {
		if v.Keys[i] == key {
			return v.Items[i]
		}
	}
	return nil
}

// At follows keys from v. It is nil where one is missing.
func (v *Value) At(keys ...string) *Value {
	for _, k := range keys {
		v = v.Get(k)
	}
	return v
}

// Set replaces the member of an object with that name, or adds one at the end.
func (v *Value) Set(key string, to *Value) {
	for i, k := range v.Keys {
		if k == key {
			v.Items[i] = to
			return
		}
	}
	v.Keys, v.Items = append(v.Keys, key), append(v.Items, to)
}

// Delete drops every member of an object with that name.
func (v *Value) Delete(key string) {
	keys, items := v.Keys[:0], v.Items[:0]
	for i, k := range v.Keys {
		if k != key {
			keys, items = append(keys, k), append(items, v.Items[i])
		}
	}
	v.Keys, v.Items = keys, items
}

// Texts are the texts of the strings in an array; nil where v is nil or no array of strings.
func (v *Value) Texts() []string {
	if v == nil || v.Kind != Array {
		return nil
	}
	out := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if item.Kind != String {
			return nil
		}
		out = append(out, item.Text)
	}
	return out
}

// Walk calls f for v and for everything below it, with the key that the value, or the array
// that it is an element of, stands under.
func (v *Value) Walk(key string, f func(key string, v *Value)) {
	if v == nil {
		return
	}
	f(key, v)
	for i, item := range v.Items {
		k := key
		if v.Kind == Object {
			k = v.Keys[i]
		}
		item.Walk(k, f)
	}
}

// Bytes is v as JSON on one line.
func (v *Value) Bytes() []byte { return v.append(nil) }

func (v *Value) append(b []byte) []byte {
	switch v.Kind {
	case Null:
		return append(b, "null"...)
	case Bool, Number:
		return append(b, v.Text...)
	case String:
		return appendString(b, v.Text)
	case Array:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.append(b)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, item := range v.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, v.Keys[i])
		b = append(b, ':')
		b = item.append(b)
	}
	return append(b, '}')
}

func appendString(b []byte, s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string is always encoded
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}
