package lower

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/bench/lower/timing"
	"github.com/rfactor-go/rfactor/internal/save"
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
	//go:embed runner/end_amd64.go.txt
	endText []byte
	//go:embed runner/end_other.go.txt
	endOtherText []byte
	//go:embed runner/serve_unix.go.txt
	serveText []byte
	//go:embed runner/serve_other.go.txt
	serveOtherText []byte
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
		"go.work":                            fmt.Appendf(nil, "go 1.26.0\n\nuse (\n.\n%q\n%q\n)\n", module, filepath.Join(module, "bench")), "time.go": timeText,
		"load_simd.go": loadText, "load_plain.go": loadPlainText, "end_amd64.go": endText, "end_other.go": endOtherText,
		"serve_unix.go": serveText, "serve_other.go": serveOtherText, "reductions.go": []byte(reductionsText(rs)),
	}
	for name, text := range files {
		if err := save.Text(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// moduleDir is where the main module lies, and this one below it.
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
		fmt.Fprintf(&b, "{%q, %q, %s},\n", r.name, r.file, r.calls())
	}
	b.WriteString("}\n")
	return b.String()
}

// calls is a function that makes arguments for n elements and returns the calls of the scheduled
// and of the serial function with them, and the columns that both read.
func (r *reduction) calls() string {
	var b strings.Builder
	var columns []string
	views := map[string][]string{}
	dims := 1
	for _, in := range r.prog.Inputs {
		dims = in.Dims // as blocks.inputs has it: parameters are extents of the last input
		for i, t := range in.Types {
			v := fmt.Sprintf("column%d", len(columns))
			fmt.Fprintf(&b, "%s := timing.Values[%s](timing.Elements(n, %d), %d, %q)\n", v, goType(t), in.Dims, i, r.data)
			columns = append(columns, v)
			for _, pkg := range []string{r.pkg, r.pkg + "serial"} {
				views[pkg] = append(views[pkg], view(pkg, v, in.Dims, t))
			}
		}
	}
	side := fmt.Sprintf("timing.Root(n, %d)", dims)
	results := 0
	for _, f := range r.prog.Funcs {
		results += len(f.Types)
	}
	var calls []string
	for _, pkg := range []string{r.pkg, r.pkg + "serial"} {
		args := views[pkg]
		for _, p := range r.prog.Params {
			args = append(args, fmt.Sprintf("%s(%s)", goType(p.Var.Type()), side))
		}
		calls = append(calls, fmt.Sprintf("func() error {\n%serr := %s.%s(%s)\nreturn err\n}", strings.Repeat("_, ", results), pkg, r.fn, strings.Join(args, ", ")))
	}
	return fmt.Sprintf("func(n int) (scheduled, serial func() error, columns []any) {\n%sreturn %s, []any{%s}\n}",
		b.String(), strings.Join(calls, ", "), strings.Join(columns, ", "))
}

// view is a column as a package takes an input of so many dimensions.
func view(pkg, column string, dims int, t ir.Type) string {
	root := fmt.Sprintf("timing.Root(n, %d)", dims)
	switch dims {
	case 1:
		return column
	case 2:
		return fmt.Sprintf("%s.Image[%s]{Pix: %s, Stride: %s, Width: %s, Height: %s}", pkg, goType(t), column, root, root, root)
	}
	extents, strides, stride := []string{}, []string{}, "1"
	for range dims {
		extents, strides = append(extents, root), append(strides, stride)
		stride += " * " + root
	}
	return fmt.Sprintf("%[1]s.Array%[2]d[%[3]s]{Pix: %[4]s, Extent: [%[2]d]int{%[5]s}, Stride: [%[2]d]int{%[6]s}}", pkg, dims, goType(t), column,
		strings.Join(extents, ", "), strings.Join(strides, ", "))
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
