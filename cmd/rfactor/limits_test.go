package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// rfactorProcess is the command as a process of its own.
func rfactorProcess(t *testing.T, ctx context.Context, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("rfactor") // TestMain put it on the path
	if err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(ctx, path, args...)
}

// hostile is an input that a reader of files must survive: start, unit n times, end.
type hostile struct {
	name, start, unit string
	n                 int
	end               string
}

const million = 1_000_000

var hostiles = []hostile{
	{"parentheses", "f() = f() + ", "(", million, "1"},
	{"open parentheses", "", "(", million, ""},
	{"ten megabytes", "f() = f() + in(r)", " + 1", 10 * million / 4, ""},
	{"ten megabytes in depth", "f() = f() + in(r)", " + (1", 10 * million / 5, ""},
	{"a wide call", "f() = f() + in(r", ", 1", 3 * million, ")"},
	{"a long name", "f() = f() + ", "a", 10 * million, ""},
	{"many signs", "f() = f() + ", "-~", 5 * million, "in(r)"},
	{"too many bytes", "f() = f() + in(r) // ", "x", 20 * million, ""},
	{"NUL bytes", "f() = f() + ", "\x00", 2, ""},
	{"only NUL bytes", "", "\x00", million, ""},
	{"no UTF-8", "f() = f() + ", "\xff", 2, ""},
	{"empty lines", "", "\n", 5 * million, ""},
	{"many statements", "", "f() = f() + 1;\n", 700_000, ""},
}

func (h hostile) write(w io.Writer) error {
	if _, err := io.WriteString(w, h.start); err != nil {
		return err
	}
	const at = 10_000
	chunk := strings.Repeat(h.unit, at)
	for n := h.n; n > 0; n -= at {
		if _, err := io.WriteString(w, chunk[:len(h.unit)*min(n, at)]); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, h.end)
	return err
}

// TestHostileInput gives each input 200 MB.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes on inputs of many megabytes")
	}
	for i, h := range hostiles {
		if i%suite.More(2, 1) != 0 {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			in, err := os.Create(filepath.Join(t.TempDir(), "input.rf"))
			if err != nil {
				t.Fatal(err)
			}
			if err := h.write(in); err != nil {
				t.Fatal(err)
			}
			in.Seek(0, io.SeekStart)
			defer in.Close()
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			cmd := rfactorProcess(t, ctx, "match", "-")
			var stdout, stderr bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &stdout, &stderr
			file := filepath.Join(t.TempDir(), "peak")
			cmd.Env = append(os.Environ(), peakFile+"="+file, "GOGC=100")
			cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != verbs.BadInput {
				t.Errorf("exit code %d, not %d", code, verbs.BadInput)
			}
			if !strings.HasPrefix(stderr.String(), "rfactor match: stdin:") || stderr.Len() > 4000 {
				t.Errorf("no clear error: %.300q", stderr.String())
			}
			peak := peakMegabytes(t, file)
			if peak > 200*slowness {
				t.Errorf("it used %d MB", peak)
			}
			t.Logf("%d MB: %.100s", peak, stderr.String())
		})
	}
}

// TestInterrupt stops a coverage run in the middle: what was printed is whole lines, and
// the exit code says that it was interrupted.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send")
	}
	var lines strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&lines, "many%d\there\tx0:i32,y0:i32\tx0*x0 + y0\n", i)
	}
	corpus := filepath.Join(t.TempDir(), "corpus.tsv")
	if err := os.WriteFile(corpus, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := rfactorProcess(t, ctx, "coverage", "-json", corpus)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 1)
	if _, err := io.ReadFull(out, first); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(os.Interrupt)
	rest, _ := io.ReadAll(out)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != verbs.Interrupted {
		t.Errorf("exit code %d, not %d", code, verbs.Interrupted)
	}
	if !bytes.HasSuffix(rest, []byte("}\n")) {
		t.Errorf("the last line is not whole: %.100q", rest[max(0, len(rest)-100):])
	}
}
