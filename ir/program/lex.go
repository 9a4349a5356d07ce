package program

import (
	"strings"
	"unicode/utf8"
)

// tokenKind is what the lexer tells apart; an operator or bracket is a tokPunct.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokIdent
	tokInt
	tokFloat
	tokString
	tokPunct
	tokStop // the rest of a statement that has an error already
)

// token is a piece of the source, text[pos:end].
type token struct {
	kind     tokenKind
	pos, end int
}

// puncts is every operator and bracket, longer ones first.
var puncts = [...]string{
	"<<=", ">>=", ":=",
	"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "::", "->", "++", "--",
	"+", "-", "*", "/", "%", "<", ">", "!", "~", "&", "^", "|", "(", ")", ",", "?", ":", "[", "]",
	"{", "}", ";", "=", ".", "@", "#",
}

// punctsOf is puncts by their first byte.
var punctsOf = func() (t [256][]string) {
	for _, p := range puncts {
		t[p[0]] = append(t[p[0]], p)
	}
	return t
}()

// lexer reads tokens one at a time, so that a long source costs no memory.
type lexer struct {
	text string
	at   int
	fail func(pos int, format string, args ...any)
}

// next is the next token. After a lexical error it is a tokStop.
func (l *lexer) next() token {
	if !l.skipSpace() {
		return token{tokStop, l.at, l.at}
	}
	start := l.at
	if start >= len(l.text) {
		return token{tokEOF, start, start}
	}
	c := l.text[start]
	switch {
	case isLetter(c):
		for l.at < len(l.text) && (isLetter(l.text[l.at]) || isDigit(l.text[l.at])) {
			l.at++
		}
		if l.at-start > MaxName {
			l.fail(start, "a name of more than %d bytes", MaxName)
			return token{tokStop, start, l.at}
		}
		return token{tokIdent, start, l.at}
	case isDigit(c), c == '.' && start+1 < len(l.text) && isDigit(l.text[start+1]):
		return l.number()
	case c == '"':
		return l.quoted()
	}
	for _, p := range punctsOf[c] {
		if strings.HasPrefix(l.text[start:], p) {
			l.at += len(p)
			return token{tokPunct, start, l.at}
		}
	}
	r, n := utf8.DecodeRuneInString(l.text[start:])
	l.at += n
	if op := foreign().meant["word"][string(r)]; op != "" {
		l.fail(start, "%c is written %s", r, op)
	} else if c == '\'' {
		l.fail(start, "a text in quotes is no value: a character is its number, 97 for 'a'")
	} else {
		l.fail(start, "unexpected character %q", r)
	}
	return token{tokStop, start, l.at}
}

// skipSpace passes white space and comments; false where a comment has no end.
func (l *lexer) skipSpace() bool {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			l.at++
		case strings.HasPrefix(rest, "//"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				l.at += i
			} else {
				l.at = len(l.text)
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				l.fail(l.at, "this comment has no end")
				l.at = len(l.text)
				return false
			}
			l.at += i + 4
		default:
			return true
		}
	}
	return true
}

func (l *lexer) digits(ok func(byte) bool) {
	for l.at < len(l.text) && ok(l.text[l.at]) {
		l.at++
	}
}

func (l *lexer) number() token {
	start, kind := l.at, tokInt
	if rest := l.text[l.at:]; strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X") {
		l.at += 2
		l.digits(isHexDigit)
	} else {
		l.digits(isDigit)
		if l.peek() == '.' {
			kind = tokFloat
			l.at++
			l.digits(isDigit)
		}
		if c := l.peek(); c == 'e' || c == 'E' {
			kind = tokFloat
			l.at++
			if c := l.peek(); c == '+' || c == '-' {
				l.at++
			}
			l.digits(isDigit)
		}
	}
	l.digits(func(c byte) bool { return isLetter(c) || isDigit(c) }) // a suffix; literal.go judges it
	return token{kind, start, l.at}
}

func (l *lexer) quoted() token {
	start := l.at
	for l.at++; l.at < len(l.text) && l.text[l.at] != '\n'; l.at++ {
		if l.text[l.at] == '"' {
			l.at++
			return token{tokString, start, l.at}
		}
	}
	l.fail(start, "this string has no closing quote")
	return token{tokStop, start, l.at}
}

func (l *lexer) peek() byte {
	if l.at < len(l.text) {
		return l.text[l.at]
	}
	return 0
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isHexDigit(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
}
