package syntax

import (
	"strconv"
	"strings"
)

// Type is a type of LLVM.
type Type struct {
	Kind  TypeKind
	Bits  int     // of an Integer
	Elem  *Type   // of an Array, a Vector or a typed Pointer; nil of an opaque one
	Len   int     // of an Array or a Vector
	Elems []*Type // of a Struct
	Name  string  // of a named struct, with %
	pack  bool
}

// TypeKind says what a type is.
type TypeKind uint8

// The kinds of types.
const (
	Void TypeKind = iota
	Integer
	FloatType
	DoubleType
	Pointer
	Array
	Vector
	Struct
	Strange // half, x86_fp80, label, metadata, functions
)

// String names a type as IR does, in few words.
func (t *Type) String() string {
	switch t.Kind {
	case Void:
		return "void"
	case Integer:
		return "i" + strconv.Itoa(t.Bits)
	case FloatType:
		return "float"
	case DoubleType:
		return "double"
	case Pointer:
		return "ptr"
	case Array:
		return "[" + strconv.Itoa(t.Len) + " x " + t.Elem.String() + "]"
	case Vector:
		return "<" + strconv.Itoa(t.Len) + " x " + t.Elem.String() + ">"
	case Struct:
		if t.Name != "" {
			return t.Name
		}
		var parts []string
		for _, e := range t.Elems {
			parts = append(parts, e.String())
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return t.Name
}

// maxNesting bounds types within types.
const maxNesting = 64

// Size returns how many bytes a type takes in memory, and false where it is not known.
func (t *Type) Size() (int64, bool) { size, _, ok := t.layout(0); return size, ok }

// Offset returns where a field of a struct begins.
func (t *Type) Offset(field int) (int64, bool) {
	if t.Kind != Struct || field < 0 || field >= len(t.Elems) {
		return 0, false
	}
	at := int64(0)
	for i, e := range t.Elems {
		size, align, ok := e.layout(1)
		if !ok {
			return 0, false
		}
		if at = t.aligned(at, align); i == field {
			return at, true
		}
		at += size
	}
	return 0, false
}

func (t *Type) aligned(at, align int64) int64 {
	if t.pack {
		return at
	}
	return (at + align - 1) / align * align
}

// layout returns size and alignment on a machine of 64 bits, as all that Debian has of LLVM's are by default.
func (t *Type) layout(depth int) (size, align int64, ok bool) {
	if depth > maxNesting {
		return 0, 0, false
	}
	switch t.Kind {
	case Integer:
		if t.Bits > 64 {
			return 0, 0, false
		}
		size = 1
		for size*8 < int64(t.Bits) {
			size *= 2
		}
		return size, size, true
	case FloatType:
		return 4, 4, true
	case DoubleType, Pointer:
		return 8, 8, true
	case Array:
		size, align, ok = t.Elem.layout(depth + 1)
		if size != 0 && int64(t.Len) > 1<<40/size {
			return 0, 0, false
		}
		return size * int64(t.Len), align, ok
	case Struct:
		align = 1
		for _, e := range t.Elems {
			s, a, ok := e.layout(depth + 1)
			if !ok || size > 1<<40 {
				return 0, 0, false
			}
			size = t.aligned(size, a) + s
			align = max(align, a)
		}
		if t.pack {
			align = 1
		}
		return t.aligned(size, align), align, true
	}
	return 0, 0, false
}

// typ parses a type.
func (p *parser) typ() *Type {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		p.fail("types are nested more than %d deep", maxNesting)
	}
	t := p.baseType()
	for {
		switch {
		case p.is("*"):
			p.next()
			t = &Type{Kind: Pointer, Elem: t}
		case p.is("addrspace"):
			p.next()
			p.parens()
		case p.is("("):
			p.parens()
			t = &Type{Kind: Strange, Name: "a function"}
		default:
			return t
		}
	}
}

func (p *parser) baseType() *Type {
	tok := p.peek()
	switch {
	case tok.kind == word && isIntegerType(tok.text):
		p.next()
		n, _ := strconv.Atoi(tok.text[1:])
		return &Type{Kind: Integer, Bits: n}
	case tok.kind == word && simpleTypes[tok.text] != nil:
		p.next()
		return simpleTypes[tok.text]
	case tok.kind == local:
		p.next()
		return p.named(tok.text)
	case p.is("{"):
		return p.structType(false)
	case p.is("["):
		p.next()
		n := p.count()
		p.expect("x")
		t := &Type{Kind: Array, Len: n, Elem: p.typ()}
		p.expect("]")
		return t
	case p.is("<"):
		p.next()
		if p.is("{") {
			t := p.structType(true)
			p.expect(">")
			return t
		}
		if p.is("vscale") {
			p.next()
			p.expect("x")
		}
		n := p.count()
		p.expect("x")
		t := &Type{Kind: Vector, Len: n, Elem: p.typ()}
		p.expect(">")
		return t
	case p.is("target"):
		p.next()
		p.parens()
		return &Type{Kind: Strange, Name: "a target type"}
	}
	p.fail("expected a type, not %s", p.quoted())
	return nil
}

// count parses the number of elements of an array or a vector.
func (p *parser) count() int {
	n, err := strconv.Atoi(p.peek().text)
	if err != nil || n < 0 {
		p.fail("expected a number of elements, not %s", p.quoted())
	}
	p.next()
	return n
}

func (p *parser) structType(packed bool) *Type {
	t := &Type{Kind: Struct, pack: packed}
	p.expect("{")
	for !p.is("}") {
		t.Elems = append(t.Elems, p.typ())
		if !p.is("}") {
			p.expect(",")
		}
	}
	p.next()
	return t
}

// named returns the struct of a name, which may be defined further below.
func (p *parser) named(name string) *Type {
	t := p.module.structs[name]
	if t == nil {
		t = &Type{Kind: Strange, Name: name}
		p.module.structs[name] = t
	}
	return t
}

var simpleTypes = map[string]*Type{
	"void": {Kind: Void}, "float": {Kind: FloatType}, "double": {Kind: DoubleType}, "ptr": {Kind: Pointer},
	"half": {Kind: Strange, Name: "half"}, "bfloat": {Kind: Strange, Name: "bfloat"}, "fp128": {Kind: Strange, Name: "fp128"},
	"x86_fp80": {Kind: Strange, Name: "x86_fp80"}, "ppc_fp128": {Kind: Strange, Name: "ppc_fp128"}, "label": {Kind: Strange, Name: "label"},
	"metadata": {Kind: Strange, Name: "metadata"}, "token": {Kind: Strange, Name: "token"}, "x86_mmx": {Kind: Strange, Name: "x86_mmx"},
	"x86_amx": {Kind: Strange, Name: "x86_amx"}, "opaque": {Kind: Strange, Name: "opaque"},
}

func isIntegerType(text string) bool {
	if len(text) < 2 || len(text) > 8 || text[0] != 'i' {
		return false
	}
	for _, c := range text[1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// startsType reports whether a token begins a type.
func (p *parser) startsType() bool {
	tok := p.peek()
	return tok.kind == word && (isIntegerType(tok.text) || simpleTypes[tok.text] != nil || tok.text == "target" && p.ahead(1).text == "(") ||
		tok.kind == local || tok.kind == punct && (tok.text == "{" || tok.text == "[" || tok.text == "<")
}
