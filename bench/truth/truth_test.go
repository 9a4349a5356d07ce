package truth

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

// table runs a command in the root, and returns the cells of each row by its first cell.
func table(t *testing.T, of *command.Command, args ...string) map[string][]string {
	t.Helper()
	t.Chdir("../..")
	var out, errs strings.Builder
	if code := of.Run(t.Context(), args, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	rows := map[string][]string{}
	for line := range strings.Lines(out.String()) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		rows[cells[0]] = cells
	}
	return rows
}

func TestRandom(t *testing.T) {
	row := table(t, Random, "-n", "20", "-first", "40")["40"]
	if len(row) != 8 || row[1] != "20" || row[7] != "0" || row[2] == "0" {
		t.Errorf("of 20 updates: %q", row)
	}
}
