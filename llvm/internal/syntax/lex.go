package syntax

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

type tokenKind uint8

const (
	end     tokenKind = iota // of the source
	newline                  // behind a line that is not empty
	word                     // add, i32, nsw, 12, -1, 0x3F, 1.0e+00
	local                    // %x
	global                   // @x
	meta                     // !x, !12
	hash                     // #0
	text                     // "…"
	punct                    // ( ) [ ] { } < > , = * : and others
)

// token is a word of the source. The quotes of names are part of them.
type token struct {
	kind tokenKind
	text string
	pos  ir.Pos
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-' || c == '$'
}

// lex splits a source into tokens. Lines matter: an instruction ends with its line.
func lex(s string) (tokens []token) {
	for i := 0; i < len(s); {
		c, start := s[i], i
		kind := punct
		switch {
		case c == '\n':
			if n := len(tokens); n > 0 && tokens[n-1].kind != newline {
				tokens = append(tokens, token{newline, "\n", ir.Pos(i)})
			}
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == ';':
			if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(s)
			}
			continue
		case c == '"':
			kind, i = text, closing(s, i)
		case strings.IndexByte("%@!#", c) >= 0 && i+1 < len(s) && (isNameByte(s[i+1]) || s[i+1] == '"'):
			kind = map[byte]tokenKind{'%': local, '@': global, '!': meta, '#': hash}[c]
			if s[i+1] == '"' {
				i = closing(s, i+1)
			} else {
				for i++; i < len(s) && (isNameByte(s[i]) || s[i] == '\\'); i++ {
				}
			}
		case isNameByte(c) || c == '+':
			kind = word
			for i++; i < len(s) && (isNameByte(s[i]) || s[i] == '+' && (s[i-1] == 'e' || s[i-1] == 'E')); i++ {
			}
		default:
			i++
		}
		tokens = append(tokens, token{kind, s[start:i], ir.Pos(start)})
	}
	return append(tokens, token{newline, "\n", ir.Pos(len(s))}, token{end, "the end", ir.Pos(len(s))})
}

// closing returns the place behind the string that begins at i.
func closing(s string, i int) int {
	for i++; i < len(s) && s[i] != '"' && s[i] != '\n'; i++ {
	}
	return min(i+1, len(s))
}
