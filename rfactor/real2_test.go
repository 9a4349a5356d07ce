package rfactor

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Updates of real programs, collected after all rules and families were written: all for which one pass is known have one, but those that are named, and
// those for which none is known have none.
func TestRealPrograms(t *testing.T) {
	skipShort(t)
	t.Parallel()
	open := map[string]string{
		"reinhardt2246.refill": "what is left of a division by 10 stays, and the quotients are added below a bound",
		"ml4t27.dd_dates":      "of the greatest difference and its places",
		"boost1473.corr":       "the count is the coordinate, and two slices do not know that theirs follow",
		"se3.pose_unit":        "associative of quaternions of length 1 alone",
	}
	f, err := os.Open("../testdata/corpus/real2.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, l := range lines {
		u, err := l.Update()
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		a, err := Match(t.Context(), u, Options{Name: l.Name, Allowed: ir.AllAssumptions})
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		once := slices.Contains([]Status{Associative, Lifted}, a.Status)
		switch {
		case l.Class == "not" && once:
			t.Errorf("%s: %s by %s, where no bounded pass is known", l.Name, a.Status, a.Via())
		case strings.Contains(l.Note, "best=1"):
			known++
			if once == (open[l.Name] != "") {
				t.Errorf("%s: %s by %s (%s)", l.Name, a.Status, a.Via(), a.Reason)
			}
		}
		if once {
			judge(t, a)
		}
	}
	if known < 40 {
		t.Errorf("of %d lines one pass is known", known)
	}
}
