package lower

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/emitted"
)

// build is one way to build the emitted module.
type build struct {
	name     string // the backend
	env      []string
	flags    []string
	optional bool // its toolchain may be missing
}

var builds = []build{
	{name: "portable", flags: []string{"-serial"}},
	{name: "simd", env: emitted.Vectors, flags: []string{"-beside"}, optional: true},
}

// measured is the best time of a backend.
type measured struct {
	reduction  string
	n          int
	goroutines int
	backend    string
	ms         float64
}

// measure builds the module and runs its command.
func (b *build) measure(ctx context.Context, o *options, dir string, stderr io.Writer) ([]measured, error) {
	exe := filepath.Join(dir, "run-"+b.name)
	if err := emitted.Build(ctx, dir, exe, b.env); err != nil {
		return nil, err
	}
	flags := b.flags
	if o.auto {
		flags = []string{"-turns"}
	}
	args := append([]string{"-backend", b.name, "-n", join(o.sizes), "-goroutines", join(o.procs)}, flags...)
	cmd := exec.CommandContext(ctx, exe, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, stderr), stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return timings(out.String())
}

func join(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ",")
}

func timings(text string) (out []measured, err error) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("unexpected output %q", line)
		}
		n, e1 := strconv.Atoi(f[1])
		p, e2 := strconv.Atoi(f[2])
		ms, e3 := strconv.ParseFloat(f[4], 64)
		if err := errors.Join(e1, e2, e3); err != nil {
			return nil, err
		}
		out = append(out, measured{f[0], n, p, f[3], ms})
	}
	return out, nil
}
