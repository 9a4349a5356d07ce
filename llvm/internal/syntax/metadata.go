package syntax

import (
	"math/big"
	"strconv"
)

// Range returns the bounds of !range metadata with one range, as bits: lo ≤ value < hi. It is not ok of other metadata.
func (m *Module) Range(name string) (lo, hi uint64, ok bool) {
	var bounds []uint64
	tokens := m.metadata[name]
	for i, t := range tokens {
		if t.kind == word && i > 0 && isIntegerType(tokens[i-1].text) {
			n, ok := new(big.Int).SetString(t.text, 10)
			if !ok || n.BitLen() > 64 {
				return 0, 0, false
			}
			v := n.Uint64()
			if n.Sign() < 0 {
				v = -new(big.Int).Neg(n).Uint64()
			}
			bounds = append(bounds, v)
		}
	}
	if len(bounds) != 2 {
		return 0, 0, false
	}
	return bounds[0], bounds[1], true
}

// Place is where a program says that an instruction comes from.
type Place struct {
	File      string
	Line, Col int
}

// maxScopes bounds how many scopes lead from a location to its file.
const maxScopes = 64

// Place returns what !dbg names: a DILocation, or a DISubprogram. It is not ok where there is none.
func (m *Module) Place(dbg string) (p Place, ok bool) {
	p.Line, _ = strconv.Atoi(m.field(dbg, "line"))
	p.Col, _ = strconv.Atoi(m.field(dbg, "column"))
	for range maxScopes {
		if file := m.field(dbg, "file"); file != "" {
			p.File = unquoted(m.field(file, "filename"))
			return p, p.Line > 0
		}
		if dbg = m.field(dbg, "scope"); dbg == "" {
			break
		}
	}
	return p, false
}

// field returns a field of specialised metadata, such as line: 3; empty where there is none.
func (m *Module) field(name, key string) string {
	tokens := m.metadata[name]
	for i, t := range tokens {
		if t.text == key && i+2 < len(tokens) && tokens[i+1].text == ":" {
			return tokens[i+2].text
		}
	}
	return ""
}
