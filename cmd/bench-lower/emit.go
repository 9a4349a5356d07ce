package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/rfactor"
)

// reduction is a program that is measured.
type reduction struct {
	name  string // of its file
	pkg   string
	fn    string // that the package has
	prog  *ir.Program
	bytes int // read for each element
}

// emit writes a module with two packages for each program, one of them without its
// schedule, and a command that runs them all.
func emit(ctx context.Context, o *options, dir string, stderr io.Writer) ([]*reduction, error) {
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
		fmt.Fprintf(stderr, "emitting: %s\n", name)
		r, err := emitProgram(ctx, file, name, dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no program in %s is asked for", o.dir)
	}
	return out, writeRunner(dir, out)
}

func emitProgram(ctx context.Context, file, name, dir string) (*reduction, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	prog, err := ir.ParseProgram(ir.NewPool(), file, string(text), ir.Invalid)
	if err != nil {
		return nil, err
	}
	r := &reduction{name: name, pkg: strings.ReplaceAll(name, "-", ""), prog: prog}
	for _, in := range prog.Inputs {
		for _, t := range in.Types {
			r.bytes += t.Bits() / 8
		}
	}
	r.fn = strings.ToUpper(prog.Funcs[0].Name[:1]) + prog.Funcs[0].Name[1:]
	plain := *prog
	plain.Schedule = nil
	if err := emitPackage(ctx, prog, dir, r.pkg); err != nil {
		return nil, err
	}
	return r, emitPackage(ctx, &plain, dir, r.pkg+"serial")
}

func emitPackage(ctx context.Context, prog *ir.Program, dir, pkg string) error {
	plan, err := rfactor.Factor(ctx, prog, rfactor.FactorOptions{Match: rfactor.Options{Allowed: ir.DefaultAssumptions}})
	if err != nil {
		return err
	}
	files, err := lower.Source(plan, lower.SourceOptions{Package: pkg})
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
