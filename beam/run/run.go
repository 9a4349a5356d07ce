// Package run is the command that rfactor lower -target beam writes: it reads shards, reduces them on Beam, and prints the result.
package run

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/beam/source"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// Reduction is a program of one reduction with its answer.
type Reduction struct {
	Program  string            // the source, in rfactor's language
	Answer   string            // with its certificate
	Initial  []string          // literals
	Columns  map[string]string // by leaf: the input, or source.Index
	Params   map[string]string // by constant: the parameter
	Elements int64             // 0 where the inputs tell
	Key      string            // the input that has the keys, empty for one result of all elements
	KeyType  string            // its type
}

func init() {
	register.Function1x1(Text)
	register.Function2x1(keyedText)
	register.Function1x0(printText)
}

// Text is a result in the notation of the language, components separated by tabs.
func Text(t combine.Tuple) string {
	pool := ir.NewPool()
	parts := make([]string, len(t.Values))
	for i, v := range t.Values {
		parts[i] = pool.Const(t.Types[i], v).String()
	}
	return strings.Join(parts, "\t")
}

func keyedText(key int64, t combine.Tuple) string { return fmt.Sprintf("%d\t%s", key, Text(t)) }

func printText(text string) { fmt.Println(text) }

// Combine makes the reduction, with values of the program's parameters, and lists the columns of its leaves.
func (r Reduction) Combine(params map[string]string) (*combine.Reduction, []source.Column, error) {
	record, err := verify.Check([]byte(r.Answer))
	if err != nil {
		return nil, nil, fmt.Errorf("the certificate does not hold: %w", err)
	}
	out := &combine.Reduction{Answer: r.Answer, Ordered: !record.Operator.Commutative, Elements: r.Elements}
	for i, text := range r.Initial {
		e, err := ir.Read(ir.NewPool(), nil, ir.ParseType(record.Types[i]), text)
		if err != nil {
			return nil, nil, err
		}
		out.Initial = append(out.Initial, ir.Eval(e, nil))
	}
	unknown := maps.Clone(params)
	for constant, name := range r.Params {
		text, ok := params[name]
		if !ok {
			return nil, nil, fmt.Errorf("the parameter %s has no value: -set %s=VALUE", name, name)
		}
		delete(unknown, name)
		v, err := source.ParseValue(ir.ParseType(record.Leaves[constant].Type), text)
		if err != nil {
			return nil, nil, fmt.Errorf("the parameter %s: %w", name, err)
		}
		if out.Constants == nil {
			out.Constants = map[string]uint64{}
		}
		out.Constants[constant] = v
	}
	for name := range unknown {
		return nil, nil, fmt.Errorf("the reduction uses no parameter %s", name)
	}
	leaves, err := out.Leaves()
	if err != nil {
		return nil, nil, err
	}
	var columns []source.Column
	for _, l := range leaves {
		columns = append(columns, source.Column{Name: r.Columns[l.Name], Type: l.Type})
	}
	return out, columns, nil
}

// assignments collects flags NAME=VALUE.
type assignments map[string]string

func (a assignments) String() string { return fmt.Sprint(map[string]string(a)) }

func (a assignments) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return errors.New("want NAME=VALUE")
	}
	a[name] = value
	return nil
}

// Main runs the command, and ends the process where it fails.
func Main(r Reduction) {
	npy, params := assignments{}, assignments{}
	flag.Var(npy, "npy", "`INPUT=GLOB` of the .npy shards of an input, in the order of their names; once for each input")
	flag.Var(params, "set", "`NAME=VALUE` of a parameter")
	csv := flag.String("csv", "", "`GLOB` of CSV files, whose columns are the inputs")
	keys := flag.String("keys", "", "`FILE` of keys, one a line, that have a result even if no element has them")
	out := flag.String("out", "", "`FILE` for the result (default: a worker prints it)")
	flag.Parse()
	beam.Init()
	if err := main(context.Background(), r, npy, params, *csv, *keys, *out); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(1)
	}
}

func main(ctx context.Context, r Reduction, npy, params map[string]string, csv, keys, out string) error {
	wanted, err := r.readKeys(keys)
	if err != nil {
		return err
	}
	shards, err := list(ctx, npy, csv)
	if err != nil {
		return err
	}
	reduction, columns, err := r.Combine(params)
	if err != nil {
		return err
	}
	n := source.Elements(shards)
	if reduction.Elements != 0 && reduction.Elements != n {
		return fmt.Errorf("the program runs over %d elements, and the shards have %d", reduction.Elements, n)
	}
	reduction.Elements = n
	p, s := beam.NewPipelineWithRoot()
	text := r.Build(s, reduction, columns, shards, wanted)
	if out == "" {
		beam.ParDo0(s, printText, text)
	} else {
		textio.Write(s, out, text)
	}
	return beamx.Run(ctx, p)
}

// Build adds the reduction to a pipeline. It gives a line for each result, in no order: the components, behind the key if there are
// keys. Keys that are wanted have a result even if no element has them.
func (r Reduction) Build(s beam.Scope, reduction *combine.Reduction, columns []source.Column, shards []source.Shard, wanted []int64) beam.PCollection {
	if r.Key == "" {
		return beam.ParDo(s, Text, source.Global(s, reduction, columns, shards))
	}
	key := source.Column{Name: r.Key, Type: ir.ParseType(r.KeyType)}
	return beam.ParDo(s, keyedText, source.PerKey(s, reduction, key, columns, shards, wanted...))
}

// readKeys reads a file of keys, a number a line. Without a name there are none.
func (r Reduction) readKeys(name string) (keys []int64, err error) {
	if name == "" {
		return nil, nil
	}
	if r.Key == "" {
		return nil, errors.New("-keys: the program has one result, and no keys")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for n, line := range strings.Split(strings.TrimRight(string(text), "\r\n"), "\n") {
		v, err := source.ParseValue(ir.ParseType(r.KeyType), strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %q is no key, which is %s", name, n+1, line, r.KeyType)
		}
		if !seen[int64(v)] {
			seen[int64(v)] = true
			keys = append(keys, int64(v))
		}
	}
	return keys, nil
}

// list makes the shards of the files that globs name.
func list(ctx context.Context, npy map[string]string, csv string) ([]source.Shard, error) {
	if (csv == "") == (len(npy) == 0) {
		return nil, errors.New("where are the inputs? Either -npy INPUT=GLOB for each, or -csv GLOB")
	}
	if csv != "" {
		paths, err := expand(ctx, csv)
		if err != nil {
			return nil, err
		}
		return source.ListCSV(ctx, paths)
	}
	files := map[string][]string{}
	for name, glob := range npy {
		paths, err := expand(ctx, glob)
		if err != nil {
			return nil, err
		}
		files[name] = paths
	}
	return source.ListNpy(ctx, files)
}

func expand(ctx context.Context, glob string) ([]string, error) {
	fs, err := filesystem.New(ctx, glob)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	paths, err := fs.List(ctx, glob)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("no file is %s", glob)
	}
	slices.Sort(paths)
	return paths, err
}
