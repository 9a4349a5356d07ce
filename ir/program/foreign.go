package program

import (
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
)

// This file says what a text of another language, such as if (a[i] > 0) s += a[i], is in this one. It is asked about texts that have an
// error, and its answers are offered only where the parser takes them: so the rules may guess.

//go:embed foreign.rules
var foreignText string

// foreignRule rewrites words of a text; with says what names mean in all of it.
type foreignRule struct {
	kind              string // "program", "update", or empty for both
	pattern, template []string
	with              [][2][]string
}

// foreignTable is what foreign.rules says.
type foreignTable struct {
	rules []foreignRule
	class map[string]map[string]bool
	meant map[string]map[string]string // what words are, by their kind: word, function, helper, reduction, literal or type
}

// foreign reads foreign.rules where the first text asks for them.
var foreign func() *foreignTable

func init() { foreign = sync.OnceValue(readForeign) } // the lexer, with which the rules are read, asks for them, too

func readForeign() *foreignTable {
	f := &foreignTable{class: map[string]map[string]bool{"function": {}, "whole": {}, "both": {}, "type": {}}, meant: map[string]map[string]string{}}
	for _, kind := range []string{"word", "function", "helper", "reduction", "literal", "type"} {
		f.meant[kind] = map[string]string{}
	}
	for _, name := range builtinNames() {
		f.class["function"][name] = true
		f.rules = append(f.rules, foreignRule{pattern: []string{name, "("}, template: []string{name, "("}}) // however it is capitalized
	}
	var named []foreignRule // they come behind those that the file spells out
	for line := range strings.Lines(foreignText) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		value, names, _ := strings.Cut(rest, ": ")
		switch {
		case kind == "" || kind == "#":
		case kind == "class":
			f.class[value] = map[string]bool{}
			for w := range strings.FieldsSeq(names) {
				f.class[value][w] = true
			}
		case f.meant[kind] != nil:
			for w := range strings.FieldsSeq(names) {
				f.meant[kind][w] = value
				named = append(named, f.named(kind, w, value)...)
			}
		default:
			f.rules = append(f.rules, readForeignRule(line))
		}
	}
	f.rules = append(f.rules, named...)
	return f
}

// readForeignRule reads pattern → template with name is words, name is words.
func readForeignRule(line string) (r foreignRule) {
	if kind, rest, ok := strings.Cut(line, ": "); ok && (kind == "program" || kind == "update") {
		r.kind, line = kind, rest
	}
	pattern, template, _ := strings.Cut(line+" ", " → ")
	template, with, _ := strings.Cut(" "+template, " with ")
	r.pattern, r.template = strings.Fields(pattern), strings.Fields(template)
	for part := range strings.SplitSeq(with, ", ") {
		if name, words, ok := strings.Cut(part, " is "); ok {
			r.with = append(r.with, [2][]string{strings.Fields(name), strings.Fields(words)})
		}
	}
	return r
}

// named makes the rules of a word that stands for something.
func (f *foreignTable) named(kind, word, value string) []foreignRule {
	rule := func(pattern, prefix, hole string) foreignRule {
		template := strings.Fields(prefix + " (")
		for _, w := range foreignWords(value) {
			switch {
			case isHole(w):
				template = append(template, "(", hole+w, ")")
			case w == "f":
				template = append(template, "#s")
			default:
				template = append(template, w)
			}
		}
		return foreignRule{pattern: strings.Fields(pattern), template: append(template, ")", ".q")}
	}
	operands := "$" + strings.Join(holes(value), " , $")
	switch class := kind; kind {
	case "helper", "function":
		f.class["function"][word] = true
		return []foreignRule{rule(word+" ( "+operands+" )", "", "$")}
	case "reduction":
		if class = "whole"; builtins[word].build != nil {
			class = "both"
		}
		f.class[class][word] = true
		if operands == "$" {
			return []foreignRule{rule("^ #s ( ) = whole "+word+" ( *z ) *q", "#s ( ) =", ".")}
		}
		begin := "^ #s ( ) = whole " + word + " ( " + operands
		return []foreignRule{rule(begin+" ) *q", "#s ( ) =", "."), rule(begin+" , *z ) *q", "#s ( ) =", ".")}
	case "word", "literal":
		value, _, _ = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(value, "a "), " b"), ", or")
		if words := foreignWords(value); len(words) < 3 && len(holes(value)) == 0 {
			return []foreignRule{{pattern: []string{word + "¦" + word}, template: words}} // ^^ alone is a sign of patterns
		}
	default:
		f.class[kind][word] = true
	}
	return nil
}

// isHole reports whether a word of a template is an operand.
func isHole(w string) bool { return len(w) == 1 && strings.Contains("abcn", w) }

// holes lists the operands of a template, in the order in which they occur.
func holes(template string) (list []string) {
	for _, w := range foreignWords(template) {
		if isHole(w) && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// foreignWords cuts a text into words, with the operators of other languages in one piece.
func foreignWords(text string) (words []string) {
	l := lexer{text: text, fail: func(int, string, ...any) {}}
	for {
		tok := l.next()
		if tok.kind == tokEOF || tok.end == tok.pos {
			return words
		}
		for n := min(3, len(text)-tok.pos); n > tok.end-tok.pos && (tok.kind == tokPunct || tok.kind == tokStop); n-- {
			if op := text[tok.pos : tok.pos+n]; strings.Trim(op, "*<>=&|^%~!+-/?") == "" && (strings.Contains(foreignText, " "+op+" ") || strings.Contains(foreignText, " "+op+"\n")) {
				tok.end, l.at = tok.pos+n, tok.pos+n
			}
		}
		word := text[tok.pos:tok.end]
		if v, err := strconv.ParseUint(word, 0, 64); tok.kind == tokInt && err == nil { // 0b101, 1_000
			word = strconv.FormatUint(v, 10)
		} else if i := strings.IndexAny(word, "iuf"); isDigit(word[0]) && i > 0 && ParseType(word[i:]) != ir.Invalid { // 1i32
			words, word = append(words, word[i:], "(", word[:i]), ")"
		} else if tok.kind == tokFloat {
			word = strings.TrimSuffix(word, "L")
		}
		words = append(words, word)
	}
}

// matching is a rule at a place of a text.
type matching struct {
	*foreignTable
	words []string
	start int // where it begins
	bound map[string][]string
}

// match returns the end of a pattern that begins at a place; -1 where it does not match.
func (m *matching) match(p []string, i int) int {
	if len(p) == 0 && (i == len(m.words) || m.words[i] != "else") {
		return i
	} else if len(p) == 0 {
		return -1
	}
	sign, class := p[0][0], p[0][1:]
	switch hole := class != "" && isLetter(class[0]); {
	case p[0] == "^" || p[0] == "^^" || p[0] == "$":
		if !m.edge(p[0], i) {
			return -1
		}
		return m.match(p[1:], i)
	case hole && (sign == '$' || sign == '*'):
		return m.gap(p, i)
	case i == len(m.words):
	case hole && sign == '@':
		return m.bind(p, i, m.primary(i))
	case hole && sign == '#' && m.isName(m.words[i]), hole && sign == '%' && m.is(class, m.words[i]):
		return m.bind(p, i, i+1)
	default:
		for w := range strings.SplitSeq(p[0], "¦") {
			if strings.EqualFold(w, m.words[i]) {
				return m.match(p[1:], i+1)
			}
		}
	}
	return -1
}

// edge reports whether a statement begins or ends at a place, or the text begins.
func (m *matching) edge(sign string, i int) bool {
	switch {
	case sign == "$":
		return i == len(m.words) || m.words[i] == ";" || m.words[i] == "}"
	case i == 0 || sign == "^^":
		return i == 0
	}
	return m.is("start", m.words[i-1]) || m.words[i-1] == "{" && i > 1 && !m.is("bracket", m.words[i-2])
}

// bind matches the first part of a pattern with words, and the rest behind them.
func (m *matching) bind(p []string, i, end int) int {
	before, known := m.bound[p[0]]
	if end < i || end == i && p[0][0] != '*' || known && !slices.Equal(before, m.words[i:end]) {
		return -1
	}
	m.bound[p[0]] = m.words[i:end]
	if end = m.match(p[1:], end); end < 0 && !known {
		delete(m.bound, p[0])
	}
	return end
}

// gap matches $e or *e: as few words as the rest of the pattern allows, and at its end as many as there are.
func (m *matching) gap(p []string, i int) int {
	if p[0][0] == '$' && i > 0 && i == m.start && !m.is("open", m.words[i-1]) {
		return -1 // an expression begins behind what is before one
	}
	for end := i; end >= 0; end = m.group(end) {
		over := end == len(m.words) || m.is("close", m.words[end]) || p[0][0] == '$' && (m.is("break", m.words[end]) || m.is("assign", m.words[end]))
		if over || len(p) > 1 {
			if at := m.bind(p, i, end); at >= 0 || over {
				return at
			}
		}
	}
	return -1
}

// group returns the end of a word, or of the brackets that it opens; -1 where they are not closed.
func (m *matching) group(i int) int {
	for depth := 0; i < len(m.words); i++ {
		switch m.words[i] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return -1
}

// primary returns the end of a name, number or group with what is called or indexed behind it; -1 where none begins.
func (m *matching) primary(i int) int {
	w, before := m.words[i], ";"
	if i > 0 {
		before = m.words[i-1]
	}
	group := w == "(" && before != ")" && !m.isName(before)
	if before == "." || !group && !m.isName(w) && !isDigit(w[0]) {
		return -1
	}
	end := m.group(i)
	for end > 0 && end < len(m.words) && !group && (m.words[end] == "(" || m.words[end] == "[") {
		end = m.group(end)
	}
	return end
}

func (m *matching) isName(w string) bool { return isLetter(w[0]) && !m.is("keyword", w) }

// is reports whether a word is of a class.
func (m *matching) is(class, word string) bool {
	low := strings.ToLower(word)
	whole := m.class["whole"][low] || m.class["fold"][word]
	switch class {
	case "variable":
		kind, _ := classify(word)
		return m.isName(word) && kind != ir.State && !isReserved(word) && m.meant["literal"][word] == "" && !m.class["function"][word] && !whole
	case "number":
		return isDigit(word[0])
	case "type":
		return ParseType(word) != ir.Invalid || m.class[class][word]
	case "whole":
		return whole
	case "known":
		return m.class["function"][word] || whole || m.class["both"][low]
	}
	return m.class[class][word] || class == "both" && m.class[class][low]
}

// filled is a template with what the parts of the pattern stand for; .e is $e with the elements of arrays.
func (m *matching) filled(template []string) (out []string) {
	for _, w := range template {
		words, ok := m.bound[w]
		switch {
		case len(w) == 2 && w[0] == '.':
			words = m.elements(slices.Concat(m.bound["$"+w[1:]], m.bound["*"+w[1:]]))
		case !ok:
			words = []string{w}
		case w == "%assign":
			words = []string{strings.TrimSuffix(words[0], "=")}
		case w == "%type" && m.class["type"][words[0]]:
			words = []string{m.meant["type"][words[0]]}
		}
		out = append(out, words...)
	}
	return out
}

// elements lets each name alone be the element of an array of that name.
func (m *matching) elements(words []string) (out []string) {
	for i, w := range words {
		out = append(out, w)
		if w != "r" && m.isName(w) && !isReserved(w) && (i+1 == len(words) || words[i+1] != "(" && words[i+1] != ".") && (i == 0 || words[i-1] != ".") {
			out = append(out, "(", "r", ")")
		}
	}
	return out
}

// step applies the first rule that applies anywhere.
func (m *matching) step(kind string) bool {
	for _, r := range m.rules {
		for i := 0; i < len(m.words) && (r.kind == "" || r.kind == kind); i++ {
			m.start, m.bound = i, map[string][]string{}
			end := m.match(r.pattern, i)
			if end < 0 {
				continue
			}
			words := slices.Concat(m.words[:i], m.filled(r.template), m.words[end:])
			for _, with := range r.with {
				words = renamed(words, m.filled(with[0]), append([]string{"\x00"}, m.filled(with[1])...))
			}
			words = slices.DeleteFunc(words, func(w string) bool { return w == "\x00" })
			if !slices.Equal(words, m.words) {
				m.words = words
				return true
			}
		}
	}
	return false
}

// renamed replaces a name by other words, of which the first marks them as new. A call of the name stays.
func renamed(words, name, value []string) (out []string) {
	for i := 0; i < len(words); i++ {
		rest := words[i:]
		if i > 0 && (words[i-1] == "." || words[i-1] == "\x00") || len(rest) < len(name) || !slices.Equal(rest[:len(name)], name) || len(value) > 2 && len(rest) > len(name) && rest[len(name)] == "(" {
			out = append(out, words[i])
			continue
		}
		out = append(out, value...)
		i += len(name) - 1
	}
	return out
}

// longestForeign is how long a text may be that is rewritten.
const longestForeign = 1 << 10

// translate returns what a text is in the notation, and whether it is an operator over x and y; coordinates are those of the domain.
func translate(text, kind string, coordinates []string) (rewritten string, operator bool) {
	const most = 200
	if len(text) > longestForeign {
		return "", false
	}
	m := &matching{foreignTable: foreign(), words: foreignWords(text)}
	for range most {
		if len(m.words) > most || !m.step(kind) {
			break
		}
	}
	if len(m.words) > 0 && m.words[0] == "operator" {
		return spaced(m.words[1:]), true
	}
	if i := slices.Index(m.words, "="); kind == "program" && i > 0 && !slices.Contains(m.words, "r") && !strings.Contains(text, "()") { // total += x
		m.words = append(m.words[:i:i], m.elements(m.words[i:])...)
	}
	if domain, _, _ := strings.Cut(strings.Join(coordinates, "."), "."); domain != "" {
		m.words = renamed(m.words, []string{"r"}, []string{domain})
	}
	return strings.TrimRight(spaced(m.words), "; "), false
}

// offer adds to each error what its statement is in the notation, where mistakes lists no error there, and reports whether it did. A text that is
// whole is one statement.
func (r *reporter) offer(kind string, whole bool, coordinates []string, mistakes func(text string) []posError) bool {
	text, rewritten := r.src.Text, ""
	const longest, widest = 8 << 10, 160
	if len(text) > longest {
		return false
	}
	for i := range r.errs {
		e := &r.errs[i]
		n := sort.Search(len(r.units), func(i int) bool { return r.units[i] > e.pos })
		units := append([]ir.Pos{0}, r.units...)
		places := [][2]int{{int(units[min(1, len(r.units))]), len(text)}}
		if next := append(units, ir.Pos(len(text)))[n+1]; !whole { // the statement, what begins with it, or all
			places = [][2]int{{int(units[n]), int(next)}, {int(units[n]), len(text)}, {0, len(text)}}
		}
		for _, at := range places {
			start := at[0]
			statement := strings.TrimRight(text[start:at[1]], "; \t\r\n")
			found, operator := translate(statement, kind, coordinates)
			if found == "" || len(found) > widest || severalTargets(found) || strings.Join(strings.Fields(statement), "") == strings.ReplaceAll(found, " ", "") {
				continue
			}
			if types := operatorTypes(found); operator && types != "" && len(r.units) <= 1 {
				e.msg = fmt.Sprintf("this is an operator, of which rfactor check knows the laws: rfactor check -types %s '%s'", types, found)
				return true
			}
			left := mistakes(text[:start] + found + text[start+len(statement):])
			if len(left) < len(r.errs) && !slices.ContainsFunc(left, func(e posError) bool { return int(e.pos) >= start && int(e.pos) <= start+len(found) }) {
				if rewritten = found; strings.HasPrefix(e.msg, "expected ") || strings.HasPrefix(e.msg, "write ") {
					e.msg = ""
				} else if e.msg, _, _ = strings.Cut(e.msg, ": "); e.msg != "" {
					e.msg += ": "
				}
				e.msg += "write " + found
				break
			}
		}
	}
	return rewritten != ""
}

// severalTargets reports whether statements assign to several functions. One of them may read what another has at that step.
func severalTargets(statements string) bool {
	first, _, _ := strings.Cut(statements, " = ")
	return slices.ContainsFunc(strings.Split(statements, "; "), func(s string) bool {
		target, _, assigns := strings.Cut(s, " = ")
		return assigns && target != first && !strings.HasPrefix(s, "let ")
	})
}

// operatorTypes guesses the types of the variables of an operator; "" where it is none.
func operatorTypes(text string) string {
	if len(text) > longestForeign {
		return ""
	}
	p := newParser(newTree(&ir.Source{Name: "operator", Text: text}))
	p.abstract = true
	g := p.guess(classifyOperand)
	if len(p.errs) > 0 || g.state == 0 || !strings.Contains(" "+strings.Join(foreignWords(text), " "), " y") {
		return ""
	}
	return g.best()
}

// spaced joins words as the notation is printed.
func spaced(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			before := words[i-1]
			unary := (before == "-" || before == "!" || before == "~") && (i < 2 || strings.Contains("( , = ? : { && || + - * / %", words[i-2]))
			tight := strings.Contains("( [ { . ! ~", before) || strings.Contains(") ] } , ; . [", w) || w == "(" && (isLetter(before[0]) || before == ")") || unary
			if !tight {
				b.WriteByte(' ')
			}
		}
		b.WriteString(w)
	}
	return b.String()
}
