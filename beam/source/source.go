// Package source reads shards of columns, and reduces each shard to partial results where it is read.
//
//	Global(s, r, columns, shards)    one partial result for each block of a shard, merged
//	PerKey(s, r, columns, shards)    one for each key of a block
//
// A shard is an .npy file for each column, or one CSV file whose first line names the columns. A shard that cannot be read stops the
// pipeline: there is no result of the others.
package source

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths without a scheme
	"github.com/sbinet/npyio/npy"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
	rnpy "github.com/rfactor-go/rfactor/ndarray/npy"
)

// Index is the column of the elements' indices. It is in no file.
const Index = "#"

// Column is where a leaf of the update comes from.
type Column struct {
	Name string // of an .npy column, a CSV column, or Index
	Type ir.Type
}

// Shard is a part of the input: elements First, First+1, … of all.
type Shard struct {
	First    int64
	Elements int64
	CSV      string            `json:",omitempty"` // a CSV file, or …
	Npy      map[string]string `json:",omitempty"` // … the .npy file of each column
}

// ListNpy makes shards of .npy files: the i-th file of each column is part of the i-th shard. Only headers are
// read. Columns whose files differ in number or in length are an error.
func ListNpy(ctx context.Context, files map[string][]string) (shards []Shard, err error) {
	first := int64(0)
	for name, paths := range files {
		if len(shards) != 0 && len(paths) != len(shards) {
			return nil, fmt.Errorf("source: column %s has %d files, and others have %d", name, len(paths), len(shards))
		}
		if len(shards) == 0 {
			shards = make([]Shard, len(paths))
		}
		for i, path := range paths {
			n, err := npyLength(ctx, path)
			if err != nil {
				return nil, err
			}
			s := &shards[i]
			if s.Npy == nil {
				*s = Shard{Elements: n, Npy: map[string]string{}}
			}
			if s.Elements != n {
				return nil, fmt.Errorf("source: %s has %d elements, and other columns of its shard have %d", path, n, s.Elements)
			}
			s.Npy[name] = path
		}
	}
	for i := range shards {
		shards[i].First = first
		first += shards[i].Elements
	}
	return shards, nil
}

// ListCSV makes a shard of each file. It reads them, to count their lines.
func ListCSV(ctx context.Context, paths []string) (shards []Shard, err error) {
	first := int64(0)
	for _, path := range paths {
		n := int64(-1) // without the names
		err := withFile(ctx, path, func(r io.Reader) error {
			lines := csv.NewReader(bufio.NewReader(r))
			lines.ReuseRecord = true
			for {
				if _, err := lines.Read(); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
				n++
			}
		})
		if err == nil && n < 0 {
			err = fmt.Errorf("source: %s has no line with the names of its columns", path)
		}
		if err != nil {
			return nil, err
		}
		shards = append(shards, Shard{First: first, Elements: n, CSV: path})
		first += n
	}
	return shards, nil
}

// Elements is how many elements all shards have.
func Elements(shards []Shard) (n int64) {
	for _, s := range shards {
		n += s.Elements
	}
	return n
}

func withFile(ctx context.Context, path string, f func(r io.Reader) error) error {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return fmt.Errorf("source: %s: %w", path, err)
	}
	defer fs.Close()
	r, err := fs.OpenRead(ctx, path)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	defer r.Close()
	if err := f(r); err != nil {
		return fmt.Errorf("source: %s: %w", path, err)
	}
	return nil
}

func npyLength(ctx context.Context, path string) (n int64, err error) {
	err = withFile(ctx, path, func(r io.Reader) error {
		h, err := npy.NewReader(r)
		if err != nil {
			return err
		}
		if len(h.Header.Descr.Shape) != 1 {
			return fmt.Errorf("a shard has one dimension, not the shape %v", h.Header.Descr.Shape)
		}
		n = int64(h.Header.Descr.Shape[0])
		return nil
	})
	return n, err
}

// Read reads the columns of a shard, each a slice of the Go type of its column. A column that is missing, of another type or of
// another length than the shard is an error.
func (s Shard) Read(ctx context.Context, columns []Column) ([]any, error) {
	out := make([]any, len(columns))
	for i, c := range columns {
		if c.Name != Index {
			continue
		}
		if !c.Type.IsInt() || s.First+s.Elements-1 > int64(min(c.Type.Max(), 1<<62)) {
			return nil, fmt.Errorf("source: the indices from %d on, %d of them, are no %s", s.First, s.Elements, c.Type)
		}
		a := ndarray.New([]ir.Type{c.Type}, ndarray.Range{Extent: int(s.Elements)})
		for j := range int(s.Elements) {
			a.Elements(0).Set(j, uint64(s.First+int64(j)))
		}
		out[i] = a.Data[0]
	}
	if s.CSV != "" {
		return out, s.readCSV(ctx, columns, out)
	}
	for i, c := range columns {
		if c.Name == Index {
			continue
		}
		path, ok := s.Npy[c.Name]
		if !ok {
			return nil, fmt.Errorf("source: the shard has no column %s", c.Name)
		}
		err := withFile(ctx, path, func(r io.Reader) error {
			a, err := rnpy.Read(bufio.NewReaderSize(r, 1<<20))
			if err != nil {
				return err
			}
			if t := a.Types()[0]; t != c.Type {
				return fmt.Errorf("the column %s is %s, and the file has %s", c.Name, c.Type, t)
			}
			if len(a.Dims) != 1 || int64(a.Dims.Len()) != s.Elements {
				return fmt.Errorf("%d elements were announced, and there are %d", s.Elements, a.Dims.Len())
			}
			out[i] = a.Data[0]
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s Shard) readCSV(ctx context.Context, columns []Column, out []any) error {
	return withFile(ctx, s.CSV, func(r io.Reader) error {
		lines := csv.NewReader(bufio.NewReaderSize(r, 1<<20))
		lines.ReuseRecord = true
		names, err := lines.Read()
		if err != nil {
			return err
		}
		from := make([]int, len(columns))
		elements := make([]ndarray.Elements, len(columns))
		for i, c := range columns {
			if c.Name == Index {
				continue
			}
			if from[i] = slices.Index(names, c.Name); from[i] < 0 {
				return fmt.Errorf("there is no column %s", c.Name)
			}
			a := ndarray.New([]ir.Type{c.Type}, ndarray.Range{Extent: int(s.Elements)})
			out[i], elements[i] = a.Data[0], a.Elements(0)
		}
		for j := 0; ; j++ {
			line, err := lines.Read()
			if err == io.EOF && int64(j) == s.Elements {
				return nil
			}
			if err == nil && int64(j) == s.Elements || err == io.EOF {
				return errors.New("the number of lines changed")
			}
			if err != nil {
				return err
			}
			for i, c := range columns {
				if c.Name == Index {
					continue
				}
				v, err := ParseValue(c.Type, line[from[i]])
				if err != nil {
					return fmt.Errorf("line %d, column %s: %w", j+2, c.Name, err)
				}
				elements[i].Set(j, v)
			}
		}
	})
}

// ParseValue reads a value of a type, carried as package ir says.
func ParseValue(t ir.Type, text string) (uint64, error) {
	switch {
	case t == ir.Bool:
		b, err := strconv.ParseBool(text)
		if b {
			return 1, err
		}
		return 0, err
	case t.IsFloat():
		v, err := strconv.ParseFloat(text, t.Bits())
		return ir.FloatBits(t, v), err
	case t.IsSigned():
		v, err := strconv.ParseInt(text, 10, t.Bits())
		return uint64(v), err
	}
	return strconv.ParseUint(text, 10, t.Bits())
}
