package pattern

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

func sampleEntries(t *testing.T) []*Entry {
	pool := ir.NewPool()
	var entries []*Entry
	for _, s := range Seeds() {
		for _, typ := range [][]ir.Type{{ir.I32}, {ir.F32, ir.I32}, {ir.Bool, ir.Bool}} {
			needs, ok := s.Needs(typ, ir.DefaultAssumptions)
			if !ok {
				continue
			}
			exprs, err := s.Instance(pool, typ)
			if err != nil {
				t.Fatal(err)
			}
			e := &Entry{Name: s.Name, Types: typ, Exprs: exprs, Assumes: needs, Proof: "evaluated"}
			if s.Name == "sum" || s.Name == "product_about" {
				e.Identity, e.Side, e.Commutative = []ir.Expr{pool.Int(typ[0], 0)}, Two, true
			}
			entries = append(entries, e)
		}
	}
	return entries
}

func TestTableTextRoundTrip(t *testing.T) {
	text := WriteTable(sampleEntries(t))
	entries, err := ReadTable(text)
	if err != nil {
		t.Fatal(err)
	}
	if again := WriteTable(entries); again != text {
		t.Errorf("a table is written otherwise after reading:\n%s\n%s", text, again)
	}
}

func TestTableTextErrors(t *testing.T) {
	good := WriteTable(sampleEntries(t))
	lines := strings.Split(strings.TrimSuffix(good, "\n"), "\n")
	swapped := append([]string{}, lines...)
	swapped[2], swapped[3] = swapped[3], swapped[2]
	for name, c := range map[string]struct{ text, want string }{
		"empty":     {"", "first line"},
		"cut off":   {good[:len(good)/2], "cut off"},
		"swapped":   {strings.Join(swapped, "\n") + "\n", "ascending"},
		"edited":    {strings.Replace(good, "evaluated", "guessed", 1), "ascending edited"},
		"side":      {strings.Replace(good, "\ttwo\t", "\tboth\t", 1), "unknown side"},
		"no side":   {strings.Replace(good, "\ttwo\t", "\tnone\t", 1), "on side"},
		"bool":      {strings.Replace(good, "\tyes\t", "\tmaybe\t", 1), "yes or no"},
		"type":      {strings.Replace(good, "i32\t", "i33\t", 1), "unknown type"},
		"assume":    {strings.Replace(good, "\tnone\tevaluated", "\tluck\tevaluated", 1), "unknown assumption"},
		"field":     {strings.Replace(good, "\tevaluated", "", 1), "fields"},
		"component": {strings.Replace(good, "x0 + y0", "x0 + y0; x0", 1), "expressions for"},
	} {
		_, err := ReadTable(c.text)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		ok := false
		for _, w := range strings.Fields(c.want) {
			ok = ok || strings.Contains(err.Error(), w)
		}
		if !ok && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}
