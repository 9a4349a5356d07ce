package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/cmd/bench-lower/blocks"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
)

// reduction is a program that is measured.
type reduction struct {
	name  string // of its file
	file  string
	pkg   string
	fn    string // that the package has
	prog  *program.Program
	bytes int // read for each element
}

// readAll reads the programs that are asked for.
func readAll(o *options) ([]*reduction, error) {
	files, err := filepath.Glob(filepath.Join(o.dir, "*.rf"))
	if err != nil {
		return nil, err
	}
	var out []*reduction
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".rf")
		if !o.only.MatchString(name) {
			continue
		}
		r, err := read(file, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no program in %s is asked for", o.dir)
	}
	return out, nil
}

func read(file, name string) (*reduction, error) {
	prog, err := blocks.Parse(file)
	if err != nil {
		return nil, err
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	r := &reduction{name: name, file: file, pkg: strings.ReplaceAll(name, "-", ""), prog: prog}
	for _, in := range prog.Inputs {
		for _, t := range in.Types {
			r.bytes += t.Bits() / 8
		}
	}
	r.fn = strings.ToUpper(prog.Funcs[0].Name[:1]) + prog.Funcs[0].Name[1:]
	return r, nil
}

// emit writes a module with two packages for each program, one of them without its
// schedule, and a command that runs them all.
func emit(ctx context.Context, rs []*reduction, dir string, stderr io.Writer) error {
	for _, r := range rs {
		fmt.Fprintf(stderr, "emitting: %s\n", r.name)
		plain := *r.prog
		plain.Schedule = nil
		if err := errors.Join(emitPackage(ctx, r.prog, dir, r.pkg), emitPackage(ctx, &plain, dir, r.pkg+"serial")); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return writeRunner(ctx, dir, rs)
}

func emitPackage(ctx context.Context, prog *program.Program, dir, pkg string) error {
	p, err := blocks.Factor(ctx, prog)
	if err != nil {
		return err
	}
	files, err := lower.Source(p, lower.SourceOptions{Package: pkg})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, pkg), 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, pkg, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
