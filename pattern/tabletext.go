package pattern

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
)

// The text of a table of proven entries. The first line is
//
//	# rfactor table 1: N entries, checksum H
//
// and every other line one entry, in ascending order, of tab-separated fields:
// types, expressions, identity (- for none), side, commutative (yes or no), idempotent,
// assumptions, how it was proven, name. Tuples are separated by "; ".

//go:embed proven.tsv
var provenText string

// Proven are the entries of the embedded table, which tablegen writes.
var Proven = sync.OnceValue(func() []*Entry {
	entries, err := ReadTable(provenText)
	if err != nil {
		panic("pattern: internal: " + err.Error())
	}
	return entries
})

const tableHeader = "# rfactor table 1: %d entries, checksum %08x"

// WriteTable is the text of a table.
func WriteTable(entries []*Entry) string {
	lines := make([]string, len(entries))
	for i, e := range entries {
		lines[i] = e.line()
	}
	sort.Strings(lines)
	body := strings.Join(lines, "\n")
	if len(lines) > 0 {
		body += "\n"
	}
	return fmt.Sprintf(tableHeader, len(lines), checksum(body)) + "\n" + body
}

func checksum(body string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(body))
	return h.Sum32()
}

// ReadTable reads the text of a table. A text that was cut off, reordered or edited is an
// error that says so.
func ReadTable(text string) ([]*Entry, error) {
	head, body, _ := strings.Cut(text, "\n")
	var n int
	var sum uint32
	if _, err := fmt.Sscanf(head, tableHeader, &n, &sum); err != nil {
		return nil, fmt.Errorf("table:1: not the first line of a table: %q", head)
	}
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	if body == "" {
		lines = nil
	}
	if len(lines) != n {
		return nil, fmt.Errorf("table: %d entries, but the first line says %d: the file was cut off or added to", len(lines), n)
	}
	entries := make([]*Entry, len(lines))
	pool := ir.NewPool()
	for i, l := range lines {
		if i > 0 && l <= lines[i-1] {
			return nil, fmt.Errorf("table:%d: not in ascending order", i+2)
		}
		var err error
		if entries[i], err = readEntry(pool, l); err != nil {
			return nil, fmt.Errorf("table:%d: %w", i+2, err)
		}
	}
	if checksum(body) != sum {
		return nil, fmt.Errorf("table: the checksum is %08x, not %08x: the file was edited", checksum(body), sum)
	}
	return entries, nil
}

const entryFields = 9

func (e *Entry) line() string {
	types := make([]string, len(e.Types))
	for i, t := range e.Types {
		types[i] = t.String()
	}
	return strings.Join([]string{strings.Join(types, "; "), tuple(e.Exprs), tuple(e.Identity), e.Side.String(),
		yesNo(e.Commutative), yesNo(e.Idempotent), e.Assumes.String(), e.Proof, e.Name}, "\t")
}

func tuple(es []ir.Expr) string {
	if es == nil {
		return "-"
	}
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.String()
	}
	return strings.Join(texts, "; ")
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func readEntry(pool *ir.Pool, line string) (*Entry, error) {
	f := strings.Split(line, "\t")
	if len(f) != entryFields {
		return nil, fmt.Errorf("%d fields, not %d", len(f), entryFields)
	}
	e := &Entry{Proof: f[7], Name: f[8]}
	for _, word := range strings.Split(f[0], "; ") {
		t := ir.ParseType(word)
		if t == ir.Invalid {
			return nil, fmt.Errorf("unknown type %q", word)
		}
		e.Types = append(e.Types, t)
	}
	var err error
	if e.Exprs, err = parseAt(pool, e.Types, f[1]); err != nil {
		return nil, err
	}
	if f[2] != "-" {
		if e.Identity, err = parseAt(pool, e.Types, f[2]); err != nil {
			return nil, err
		}
	}
	if e.Side, err = parseSide(f[3]); err != nil {
		return nil, err
	}
	if (e.Identity == nil) != (e.Side == None) {
		return nil, fmt.Errorf("identity %s on side %s", f[2], f[3])
	}
	if e.Commutative, err = parseYesNo(f[4]); err != nil {
		return nil, err
	}
	if e.Idempotent, err = parseYesNo(f[5]); err != nil {
		return nil, err
	}
	e.Assumes, err = ir.ParseAssume(f[6])
	return e, err
}

func parseSide(s string) (Side, error) {
	for i, name := range sideNames {
		if s == name {
			return Side(i), nil
		}
	}
	return None, fmt.Errorf("unknown side %s", strconv.Quote(s))
}

func parseYesNo(s string) (bool, error) {
	if s != "yes" && s != "no" {
		return false, fmt.Errorf("%s is not yes or no", strconv.Quote(s))
	}
	return s == "yes", nil
}
