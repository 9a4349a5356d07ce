package program

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// isCoordName reports whether reduction coordinates are called so where they are not declared: r, r3, rx, s.x.
func isCoordName(name string) bool {
	if n := len(name); n >= 2 && name[n-2] == '.' && strings.IndexByte("xyzw", name[n-1]) >= 0 {
		return true
	}
	rest, ok := strings.CutPrefix(name, "r")
	one := len(rest) == 1 && strings.IndexByte("xyzw", rest[0]) >= 0
	return ok && (one || strings.Trim(rest, "0123456789") == "")
}

// declareAll declares what a program without declarations mentions.
func (b *builder) declareAll() {
	for i := range b.stmts {
		s := &b.stmts[i]
		if s.kind == define && b.symbols[s.name] == nil {
			b.symbols[s.name] = &symbol{fn: b.newFunc(s.name, ir.Pos(s.pos))}
		}
		if s.place != "" && b.symbols[s.place] == nil {
			b.symbols[s.place] = &symbol{fn: b.newFunc(s.place, ir.Pos(b.nodes[s.args[0]].pos))}
		}
	}
	b.misspelt()
	for n := range b.nodes {
		s := &b.nodes[n]
		switch s.kind {
		case synCall:
			b.declareCall(b.names[s.a], s)
		case synName:
			if name := b.names[s.a]; foreign().meant["literal"][name] != "" {
				b.undeclared(ir.Pos(s.pos), name, nil, "")
			} else if isCoordName(name) {
				b.declareCoord(name, ir.Pos(s.pos))
			}
		}
	}
	for _, d := range b.prog.Domains {
		for i := range d.Dims {
			name := d.Name
			if len(d.Dims) > 1 {
				name += "." + memberNames[i]
			}
			d.Dims[i].Var = b.variable(ir.Coord, name, ir.I32)
		}
	}
}

// declareCall declares an input that is read somewhere.
func (b *builder) declareCall(name string, s *syn) {
	base, size, dotted := cutLast(name)
	if !dotted {
		base = name
	} else if !slices.Contains(sizes, size) || s.c != 0 {
		return
	}
	sym := b.symbols[base]
	if sym == nil {
		in := &Input{Name: base, Dims: -1, Pos: ir.Pos(s.pos)}
		b.prog.Inputs = append(b.prog.Inputs, in)
		sym = &symbol{input: in}
		b.symbols[base] = sym
	}
	if !dotted && sym.input != nil && sym.input.Dims < 0 {
		sym.input.Dims = int(s.c)
	}
}

// declareCoord declares the domain of a reduction coordinate, with as many dimensions as
// are mentioned.
func (b *builder) declareCoord(name string, pos ir.Pos) {
	base, member, ok := cutLast(name)
	dims := 1
	if ok {
		dims += slices.Index(memberNames[:], member)
	} else {
		base = name
	}
	sym := b.symbols[base]
	if sym == nil {
		sym = &symbol{dom: &RDom{Name: base, Pos: pos}}
		b.prog.Domains = append(b.prog.Domains, sym.dom)
		b.symbols[base] = sym
	}
	for sym.dom != nil && len(sym.dom.Dims) < dims {
		sym.dom.Dims = append(sym.dom.Dims, Dim{})
	}
}

// typeAll gives inferred types to the inputs and parameters of a program that declares none.
func (b *builder) typeAll() {
	pure := map[string]bool{}
	for i := range b.stmts {
		for _, a := range b.stmts[i].args {
			if b.nodes[a].kind == synName {
				pure[b.name(a)] = true
			}
		}
	}
	for i := 0; i < len(b.infer.order); i++ {
		k := b.infer.order[i]
		sym := b.symbols[k.name]
		switch {
		case sym == nil:
			v := b.variable(ir.Param, k.name, b.infer.solve(b.infer.of(k.name, 0), b.typ))
			b.symbols[k.name] = &symbol{value: v}
			pos := b.firstUse(k.name)
			b.checkVariable(k.name, pos)
			if !pure[k.name] {
				b.prog.Params = append(b.prog.Params, &Parameter{k.name, v, pos})
			}
		case sym.input != nil:
			for len(sym.input.Types) <= k.index {
				sym.input.Types = append(sym.input.Types, b.inferred(k.name, len(sym.input.Types)))
			}
		}
	}
}

// inferred is the type of a component.
func (b *builder) inferred(name string, index int) ir.Type {
	return b.infer.solve(b.infer.of(name, index), b.typ)
}

func (b *builder) firstUse(name string) ir.Pos {
	for n := range b.nodes {
		if s := &b.nodes[n]; s.kind == synName && b.names[s.a] == name {
			return ir.Pos(s.pos)
		}
	}
	return 0
}
