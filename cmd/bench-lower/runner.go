package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/cmd/bench-lower/timing"
	"github.com/rfactor-go/rfactor/ir"
)

// The command of the emitted module: how it times, and the loops that only load.
var (
	//go:embed runner/time.go.txt
	timeText []byte
	//go:embed runner/load_simd.go.txt
	loadText []byte
	//go:embed runner/load_plain.go.txt
	loadPlainText []byte
)

func writeRunner(ctx context.Context, dir string, rs []*reduction) error {
	module, err := moduleDir(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "timing"), 0o777); err != nil {
		return err
	}
	files := map[string][]byte{
		filepath.Join("timing", "timing.go"): bytes.Replace(timing.Source, []byte("//go:embed timing.go\n"), nil, 1),
		"go.mod":                             []byte("module emitted\n\ngo 1.26.0\n"),
		"go.work":                            fmt.Appendf(nil, "go 1.26.0\n\nuse (\n.\n%q\n)\n", module), "time.go": timeText,
		"load_simd.go": loadText, "load_plain.go": loadPlainText, "reductions.go": []byte(reductionsText(rs)),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// moduleDir is where this module lies.
func moduleDir(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/rfactor-go/rfactor").Output()
	return strings.TrimSpace(string(out)), err
}

// reductionsText is the list of what the command times.
func reductionsText(rs []*reduction) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\"emitted/timing\"\n")
	for _, r := range rs {
		fmt.Fprintf(&b, "%q\n%q\n", "emitted/"+r.pkg, "emitted/"+r.pkg+"serial")
	}
	b.WriteString(")\n\nvar reductions = []reduction{\n")
	for _, r := range rs {
		fmt.Fprintf(&b, "{%q, %q, %s, %s},\n", r.name, r.file, r.call(r.pkg), r.call(r.pkg+"serial"))
	}
	b.WriteString("}\n")
	return b.String()
}

// call is a function that makes arguments for n elements and returns the call and the columns
// that it reads.
func (r *reduction) call(pkg string) string {
	var b strings.Builder
	var args, columns []string
	extent := "n"
	b.WriteString("func(n int) (func() error, []any) {\n")
	for _, in := range r.prog.Inputs {
		for i, t := range in.Types {
			v := fmt.Sprintf("%s%d", "arg", len(args))
			args = append(args, v)
			switch in.Dims {
			case 1:
				fmt.Fprintf(&b, "%s := timing.Values[%s](n, %d)\n", v, goType(t), i)
				columns = append(columns, v)
				continue
			case 2:
				extent = "side"
				fmt.Fprintf(&b, "side := timing.Root(n, 2)\n%s := %s.Image[%s]{Pix: timing.Values[%s](side*side, %d), Stride: side, Width: side, Height: side}\n", v, pkg, goType(t), goType(t), i)
			case 4:
				extent = "side"
				fmt.Fprintf(&b, "side := timing.Root(n, 4)\n%s := %s.Array4[%s]{Pix: timing.Values[%s](side*side*side*side, %d), Extent: [4]int{side, side, side, side}, Stride: [4]int{1, side, side * side, side * side * side}}\n", v, pkg, goType(t), goType(t), i)
			}
			columns = append(columns, v+".Pix")
		}
	}
	for _, p := range r.prog.Params {
		args = append(args, fmt.Sprintf("%s(%s)", goType(p.Var.Type()), extent))
	}
	results := len(r.prog.Funcs[0].Types)
	blanks := strings.Repeat("_, ", results)
	fmt.Fprintf(&b, "return func() error {\n%serr := %s.%s(%s)\nreturn err\n}, []any{%s}\n}", blanks, pkg, r.fn, strings.Join(args, ", "), strings.Join(columns, ", "))
	return b.String()
}

func goType(t ir.Type) string {
	switch {
	case t.IsFloat():
		return fmt.Sprintf("float%d", t.Bits())
	case t.IsUnsigned():
		return fmt.Sprintf("uint%d", t.Bits())
	}
	return fmt.Sprintf("int%d", t.Bits())
}
