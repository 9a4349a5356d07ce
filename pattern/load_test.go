package pattern

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
)

// Every embedded table is read, and written again it is the same text.
func TestTablesRoundTrip(t *testing.T) {
	for _, types := range Signatures() {
		name, text := TableName(types), TableText(types)
		entries, err := ReadTable(name, text)
		if err != nil {
			t.Fatal(err)
		}
		note := strings.TrimPrefix(strings.Split(text, "\n")[1], "# ")
		if again := FormatTable(entries, note); again != text {
			t.Errorf("%s is another text when it is written again", name)
		}
	}
}

// Every expression of the tables is written in the canonical notation.
func TestTablesAreCanonical(t *testing.T) {
	for _, types := range Signatures() {
		entries, err := ReadTable(TableName(types), TableText(types))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(TableText(types), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			r, err := parseRow(types, line)
			if err != nil {
				t.Fatal(err)
			}
			e := entries[0]
			entries = entries[1:]
			want := [][]ir.Expr{e.Exprs}
			if e.Identity != nil {
				want = append(want, e.Identity)
			}
			for _, f := range e.Forms {
				want = append(want, f.Exprs, f.Inject)
			}
			for i, text := range r.texts {
				for j, part := range strings.Split(text, "; ") {
					pool := want[i][j].Pool()
					vars := func(name string) (ir.Expr, bool) { return variable(pool, types, name) }
					if got, err := ir.Read(pool, vars, types[j], part); err != nil || got != want[i][j] {
						t.Errorf("%s: %s reads as %s, %v", TableName(types), part, got, err)
					}
				}
			}
		}
	}
}

// A table that is not what the generator wrote is an error that names the line.
func TestReadTableErrors(t *testing.T) {
	const name = "i32.txt"
	good := TableText([]ir.Type{ir.I32})
	lines := strings.Split(strings.TrimSuffix(good, "\n"), "\n")
	join := func(ls []string) string { return strings.Join(ls, "\n") + "\n" }
	edited := func(i int, old, new string) string {
		ls := slices.Clone(lines)
		if !strings.Contains(ls[i], old) {
			t.Fatalf("line %d has no %s", i+1, old)
		}
		ls[i] = strings.Replace(ls[i], old, new, 1)
		return join(ls)
	}
	max := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "max\t") })
	swapped := slices.Clone(lines)
	swapped[3], swapped[4] = swapped[4], swapped[3]
	without := slices.Delete(slices.Clone(lines), 5, 6)
	for _, test := range []struct{ name, what, text, err string }{
		{name, "identity", edited(max, "tmin", "tmax"), "i32.txt:" + strconv.Itoa(max+1) + ": the line is not as it was generated"},
		{name, "law", edited(max, "commutative,idempotent", "commutative"), "not as it was generated"},
		{name, "order", join(swapped), "out of order"},
		{name, "an entry less", join(without), "cut short"},
		{name, "no end", join(lines[:len(lines)-1]), "cut short"},
		{name, "half a line", good[:len(good)/2], "i32.txt:"},
		{name, "empty", "", "not a table"},
		{name, "other text", "hello\n", "i32.txt:1: not a table"},
		{"i64.txt", "of other types", TableText([]ir.Type{ir.I32, ir.I32}), "expressions for 1 components"},
		{"i33.txt", "no type", good, "not the name of a table"},
	} {
		if _, err := ReadTable(test.name, test.text); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v, want %q", test.what, err, test.err)
		}
	}
}

// Without an entry, the update that it was made for is refused or answered otherwise.
func TestEveryEntryCounts(t *testing.T) {
	s := canon.NewSession()
	sample := suite.More(16, 8) // of the large tables, one entry in so many
	if testing.Short() {
		sample = 60
	}
	for _, types := range [][]ir.Type{{ir.I32}, {ir.U8}, {ir.F32}, {ir.Bool}, {ir.I32, ir.I32}, {ir.I32, ir.Bool}} {
		entries := Entries(types)
		for i, e := range entries {
			if len(entries) > 100 && i%sample > 0 {
				continue
			}
			c := compileTable(entries, e.Assumes, saturated)
			with, ok := c.searchEntry(t.Context(), s, e, nil)
			if !ok {
				t.Errorf("%v: %s is not matched by its own table", types, e.Name)
				continue
			}
			skip := make([]bool, len(c.Entries))
			skip[slices.IndexFunc(c.Entries, func(o *Entry) bool { return o.Name == e.Name })] = true
			if without, ok := c.searchEntry(t.Context(), s, e, skip); ok && without.Entry == with.Entry {
				t.Errorf("%v: %s is matched by %s with and without it", types, e.Name, with.Entry.Name)
			}
		}
	}
}

// BenchmarkLoad is what reading a table costs, once in a process.
func BenchmarkLoad(b *testing.B) {
	for _, types := range [][]ir.Type{{ir.I32}, {ir.I32, ir.I32}} {
		name, text := TableName(types), TableText(types)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := ReadTable(name, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
