package program

import (
	"regexp"
	"testing"
)

// Names of coordinates are those that a regular expression names: package regexp itself is large for a page.
func TestIsCoordName(t *testing.T) {
	want := regexp.MustCompile(`^r([0-9]+|[xyzw])?$|\.[xyzw]$`)
	const letters = "rx.w19a"
	names := []string{""}
	for range 4 {
		for _, n := range names[:] {
			for _, c := range letters {
				names = append(names, n+string(c))
			}
		}
		if len(names) > 50_000 {
			break
		}
	}
	for _, n := range names {
		if got := isCoordName(n); got != want.MatchString(n) {
			t.Fatalf("%q: %v", n, got)
		}
	}
}
