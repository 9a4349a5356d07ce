package gocode

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
)

// mostShown is how many elements of a component are printed as text.
const mostShown = 256

// resultRecord is one function's result as JSON. Floats that JSON has not are strings.
type resultRecord struct {
	Name   string   `json:"name"`
	Types  []string `json:"types"`
	Min    []int    `json:"min"`
	Extent []int    `json:"extent"`
	Values [][]any  `json:"values,omitempty"` // of each component, the first dimension contiguous
	Files  []string `json:"files,omitempty"`  // with -out: of each component, in place of the values

	Serial []verbs.SerialRecord `json:"serial"` // updates that -auto found no schedule for
}

func newResultRecord(fn *program.Func, a *ndarray.Array, files []string, serial []verbs.SerialRecord) resultRecord {
	r := resultRecord{Name: fn.Name, Types: cli.NamesOf(fn.Types), Min: []int{}, Extent: []int{}, Files: files, Serial: serial}
	for _, d := range a.Dims {
		r.Min, r.Extent = append(r.Min, d.Min), append(r.Extent, d.Extent)
	}
	for _, data := range a.Data {
		if files != nil {
			break
		}
		r.Values = append(r.Values, elements(data, math.MaxInt))
	}
	return r
}

func (c *command) showResult(fn *program.Func, a *ndarray.Array) {
	var parts []string
	for _, data := range a.Data {
		var texts []string
		for _, v := range elements(data, mostShown) {
			texts = append(texts, fmt.Sprint(v))
		}
		parts = append(parts, strings.Join(texts, " "))
	}
	if len(a.Dims) == 0 {
		c.Stdout.Printf("%s() = %s\n", fn.Name, strings.Join(parts, ", "))
		return
	}
	var dims []string
	for _, d := range a.Dims {
		dims = append(dims, fmt.Sprintf("%d..%d", d.Min, d.Min+d.Extent-1)) // as errors name them
	}
	for i, p := range parts {
		name := fmt.Sprintf("%s(%s)", fn.Name, strings.Join(dims, ", "))
		if len(parts) > 1 {
			name += fmt.Sprintf("[%d]", i)
		}
		if more := a.Dims.Len() - mostShown; more > 0 {
			p += fmt.Sprintf(" … and %d more (-out FILE.npy writes them, -json prints them)", more)
		}
		c.Stdout.Printf("%s = %s\n", name, p)
	}
}

// elements are the first elements of a slice, as JSON can hold them.
func elements(data any, most int) []any {
	v := reflect.ValueOf(data)
	out := make([]any, 0, min(v.Len(), most))
	for i := range cap(out) {
		x := v.Index(i).Interface()
		if f := v.Index(i); f.CanFloat() && (math.IsNaN(f.Float()) || math.IsInf(f.Float(), 0)) {
			x = fmt.Sprint(x)
		}
		out = append(out, x)
	}
	return out
}

// writeResults writes one file for each component of each function, and returns their names. A device or a pipe
// takes what is a single file, and a folder takes none.
func writeResults(name string, prog *program.Program, out map[string]*ndarray.Array) (files map[string][]string, err error) {
	files = map[string][]string{}
	info, err := os.Stat(name)
	special := err == nil && !info.Mode().IsRegular()
	base := strings.TrimSuffix(name, ".npy")
	for _, fn := range prog.Funcs {
		a := out[fn.Name]
		for i := range a.Data {
			file := base
			if len(prog.Funcs) > 1 {
				file += "." + fn.Name
			}
			if len(a.Data) > 1 {
				file += fmt.Sprintf(".%d", i)
			}
			switch {
			case !special:
				file += ".npy"
			case info.IsDir():
				return nil, fmt.Errorf("-out %s: this is a folder, and a file is wanted: %s", name, filepath.Join(name, "NAME.npy"))
			case file != base:
				return nil, fmt.Errorf("-out %s: the program has several results, which need files of their own", name)
			default:
				file = name
			}
			if err := save.File(file, func(w io.Writer) error { return npy.Write(w, a, i) }); err != nil {
				return nil, err
			}
			files[fn.Name] = append(files[fn.Name], file)
		}
	}
	return files, nil
}
