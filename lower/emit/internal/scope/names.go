package scope

import (
	"strings"
	"unicode"

	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Identifier is a name of the program as a Go identifier: r.x is rx, and row_sum rowSum.
func Identifier(name string) string {
	var b strings.Builder
	up := false
	for _, c := range name {
		switch {
		case c == '_':
			up = b.Len() > 0
		case c < 128 && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			if up {
				c = unicode.ToUpper(c)
			}
			b.WriteRune(c)
			up = false
		}
	}
	s := b.String()
	if s == "" || unicode.IsDigit(rune(s[0])) {
		return "v" + s
	}
	return s
}

// Reserved are names that emitted code uses itself.
var Reserved = strings.Fields(`errors any bool byte error float32 float64 int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64
	string true false nil append cap copy inLanes len make max min new panic rune clear close print real imag complex recover delete
	fmt math bits runtime sync simd testing rand err bad lo hi grainBytes size kind random check bench ran archsimd unsafe bytesOf endVectors lent overlap reach scanTiles kept32 kept64 words stay hits plain start end whole ramp count ahead placea placeb placec placed at fits`)

// Param is a parameter or a result.
type Param struct{ Name, Type string }

// Declared is a list of parameters: the type is written once for neighbours that share it.
func Declared(decls []Param) string {
	var b strings.Builder
	for i, d := range decls {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(d.Name)
		if i+1 == len(decls) || decls[i+1].Type != d.Type {
			b.WriteString(" " + d.Type)
		}
	}
	return b.String()
}

func outputType(b *plan.Buffer, part int) string {
	t := kernel.GoType[b.Types[part]]
	if len(b.Dims) == 0 {
		return t
	}
	return "[]" + t
}

// Title is a name with a capital.
func Title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
