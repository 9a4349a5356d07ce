package identity

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rules"
)

var update = flag.Bool("update", false, "write digests.txt anew")

// The digests that are kept are those of the rules and of the tables.
func TestDigests(t *testing.T) {
	var theory, tables strings.Builder
	for _, r := range rules.All() {
		theory.WriteString(r.Text + "\n")
	}
	for _, types := range pattern.Signatures() {
		tables.WriteString(pattern.TableName(types) + "\n" + pattern.TableText(types))
	}
	now := Of([]byte(theory.String())) + " " + Of([]byte(tables.String())) + "\n"
	if *update {
		if err := os.WriteFile("digests.txt", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if now != digests {
		t.Errorf("rules or tables have changed: go test ./internal/identity -update writes their digests")
	}
}
