package programs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFound judges programs that once ran wrongly, with the schedule that they have and without one.
func TestFound(t *testing.T) {
	files, err := filepath.Glob("testdata/found/*.rf")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	ran := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for number, mode := range []string{"plain", "auto"} {
			for _, assume := range []string{"none", "all"} {
				for _, n := range []int{0, 1, 8, 65} {
					w := &whole{number: uint64(number + n), source: string(text), elements: n, mode: mode, assume: assume, grain: 16}
					switch v := w.judged(); {
					case v.wrong != "":
						t.Errorf("%s, %s, -assume %s, %d elements: %s: %s", file, mode, assume, n, v.wrong, v.detail)
					case v.refused == "":
						ran[file] = true
					}
				}
			}
		}
		if !ran[file] {
			t.Logf("%s is refused", file)
		}
	}
}
