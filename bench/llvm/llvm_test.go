package llvm

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCount counts the loops of a file of C: a sum of integers that clang vectorizes, the greatest sum of a segment, which it
// does not, and a sum of floats, which is answered only under reassoc.
func TestCount(t *testing.T) {
	if _, err := exec.LookPath("clang"); err != nil {
		t.Skip("clang is not on the path")
	}
	file := filepath.Join(t.TempDir(), "three.c")
	text := `int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int segment(const int *a, int n) { int s = 0, t = 0; for (int i = 0; i < n; i++) { s += a[i]; if (s < 0) s = 0; if (s > t) t = s; } return t; }
float floats(const float *a, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if code := Command.Run(context.Background(), []string{file}, &out, io.Discard); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	const want = "three.c\t\t0\t3\t3\t2\t3\t2\t1\t1\n"
	if _, got, _ := strings.Cut(out.String(), "\n"); got != want {
		t.Errorf("counts %q, want %q", got, want)
	}
}
