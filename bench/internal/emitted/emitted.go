// Package emitted writes packages that rfactor emits, and builds what calls them.
package emitted

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Vectors is the environment of a build on vectors.
var Vectors = []string{"GOTOOLCHAIN=go1.27.4", "GOEXPERIMENT=simd"}

// Package emits a plan as a Go package and writes it into the folder pkg of dir. Files whose names begin with a prefix in without are
// left out: without the files on vectors the package is plain Go in every build.
func Package(p *plan.Plan, dir, pkg string, without ...string) error {
	files, err := lower.Source(p, lower.SourceOptions{Package: pkg})
	if err != nil {
		return err
	}
	for name := range files {
		for _, prefix := range without {
			if strings.HasPrefix(name, prefix) {
				delete(files, name)
			}
		}
	}
	if text, ok := files["kernel_plain.go"]; ok && len(without) > 0 {
		files["kernel_plain.go"] = buildLine.ReplaceAll(text, nil)
	}
	return Write(filepath.Join(dir, pkg), files)
}

var buildLine = regexp.MustCompile(`(?m)^//go:build .*\n`)

// Write writes files into a folder.
func Write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := save.Text(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// Build builds the command in a folder.
func Build(ctx context.Context, dir, exe string, env []string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", exe, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return nil
}

// Program builds a command of one file in a module called emitted, which calls packages of that module, on vectors. It returns its path.
func Program(ctx context.Context, dir string, main []byte) (exe string, err error) {
	if err := Write(dir, map[string][]byte{"go.mod": []byte("module emitted\n\ngo 1.26.0\n"), "main.go": main}); err != nil {
		return "", err
	}
	return filepath.Join(dir, "run"), Build(ctx, dir, "run", Vectors)
}
