package emit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Histograms of all widths, weighted and of two dimensions give what the serial program gives, whatever the keys: without data, of one
// element, with one key alone, and with the least and the greatest key. A key without a bin is an error. Every fourth
// histogram is tested, and the open one.
func addHistograms(t *testing.T, m *module) {
	for i, h := range lowertest.Histograms() {
		p := h.Plan(t)
		files, err := Source(p, h.Name)
		if err != nil {
			t.Errorf("%s: %v", h.Name, err)
			continue
		}
		tables := strings.Contains(string(files["kernel.go"]), "table[3]")
		if want := h.Name != "bins16" && h.Name != "greatest" && h.Name != "open"; tables != want {
			t.Errorf("%s: several tables: %v", h.Name, tables)
		}
		if sampled(i, 4) || h.Open {
			files["keys_test.go"] = []byte(keysTest(h, p))
			m.add(t, "histograms/"+h.Name, files)
		}
	}
}

// keysTest is the test of a histogram for keys that the emitted test does not draw.
func keysTest(h lowertest.Histogram, p *plan.Plan) string {
	var makes, args []string
	for _, in := range p.Program.Inputs {
		typ := kernel.GoType[in.Types[0]]
		value := "i*i%7 - 3"
		if strings.HasPrefix(in.Name, "key") {
			value = "keys(i)"
		}
		makes = append(makes, fmt.Sprintf("%[1]s := make([]%[2]s, n)\nfor i := range %[1]s {\n%[1]s[i] = %[2]s(%[3]s)\n}", in.Name, typ, value))
		arg := in.Name
		if in.Dims == 2 {
			arg = fmt.Sprintf("Image[%s]{%s, n/5, n/5, min(n, 5)}", typ, in.Name)
		}
		args = append(args, arg)
	}
	call := "(" + strings.Join(args, ", ") + ")"
	exceeds, imports := "", ""
	if h.Open {
		imports = "\"strings\"\n"
		exceeds = `if n > 0 && name != "one key" {
			if err == nil || !strings.HasSuffix(err.Error(), "is outside of 0..99") {
				check.Errorf("%s, %d elements: error %v", name, n, err)
			}
			continue
		}`
	}
	return fmt.Sprintf(`package %s

import (
%s"testing"
)

func TestKeys(check *testing.T) {
	defer func(bytes int) { grainBytes = bytes }(grainBytes)
	for _, grainBytes = range []int{1, 256 << 10} {
		for name, keys := range map[string]func(i int) int{
			"one key": func(int) int { return 77 }, "the least and the greatest": func(i int) int { return -(i+1)%%2 }, "powers": func(i int) int { return -1 << (i %% 33) },
		} {
			for _, n := range []int{0, 1, 5, 20000} {
				%s
				got, err := H%s
				%s
				if err != nil {
					check.Fatal(name, n, err)
				}
				wants, _ := serialH%s
				for i, want := range wants {
					if got[i] != want {
						check.Fatalf("%%s, %%d elements: element %%d is %%v, not %%v", name, n, i, got[i], want)
					}
				}
			}
		}
	}
}
`, h.Name, imports, strings.Join(makes, "\n"), call, exceeds, call)
}
