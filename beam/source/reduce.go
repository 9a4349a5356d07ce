package source

import (
	"context"
	"fmt"
	"reflect"
	"sort"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Shard]())
	register.DoFn3x1[context.Context, Shard, func(combine.Accumulator), error](&globalFn{})
	register.DoFn3x1[context.Context, Shard, func(int64, combine.Accumulator), error](&keyedFn{})
	register.DoFn1x2[int64, int64, combine.Accumulator](&emptyFn{})
	register.Emitter1[combine.Accumulator]()
	register.Emitter2[int64, combine.Accumulator]()
}

// Global reduces all elements of shards, to a PCollection of one Tuple. Columns has one for each of r.Leaves.
func Global(s beam.Scope, r *combine.Reduction, columns []Column, shards []Shard) beam.PCollection {
	s = s.Scope("source.Global")
	partials := beam.ParDo(s, &globalFn{Reduction: *r, Columns: columns}, spread(s, shards))
	return combine.GlobalPartials(s, r, partials)
}

// PerKey reduces the elements of each key, to a PCollection<KV<int64, Tuple>>. The key is a column of integers. A key that does
// not occur has no output, unless it is one of keys: then it has that of no elements. The partial results of a key in an ordered reduction have gaps between them, so
// that the reduction is taken as Sparse.
func PerKey(s beam.Scope, r *combine.Reduction, key Column, columns []Column, shards []Shard, keys ...int64) beam.PCollection {
	s = s.Scope("source.PerKey")
	sparse := *r
	sparse.Sparse, sparse.Elements = true, 0
	partials := beam.ParDo(s, &keyedFn{Reduction: sparse, Key: key, Columns: columns}, spread(s, shards))
	if len(keys) > 0 {
		partials = beam.Flatten(s, partials, beam.ParDo(s, &emptyFn{Reduction: sparse}, beam.CreateList(s, keys)))
	}
	return combine.PerKeyPartials(s, &sparse, partials)
}

// spread makes a PCollection of the shards, which workers share.
func spread(s beam.Scope, shards []Shard) beam.PCollection {
	if len(shards) == 0 {
		panic("source: there are no shards")
	}
	return beam.Reshuffle(s, beam.CreateList(s, shards))
}

type globalFn struct {
	Reduction combine.Reduction
	Columns   []Column
	kernel    *combine.Kernel
}

// Setup checks the certificate, and compiles the loop.
func (f *globalFn) Setup() (err error) {
	f.kernel, err = combine.NewKernel(&f.Reduction)
	return err
}

// ProcessElement reduces a shard to one partial result.
func (f *globalFn) ProcessElement(ctx context.Context, s Shard, emit func(combine.Accumulator)) error {
	columns, err := s.Read(ctx, f.Columns)
	if err != nil {
		return err
	}
	a, err := f.kernel.Reduce(s.First, int(s.Elements), columns)
	if err == nil {
		emit(a)
	}
	return err
}

type keyedFn struct {
	Reduction combine.Reduction
	Key       Column
	Columns   []Column
	kernel    *combine.Kernel
}

// Setup checks the certificate, and compiles the loop.
func (f *keyedFn) Setup() (err error) {
	f.kernel, err = combine.NewKernel(&f.Reduction)
	return err
}

// ProcessElement reduces the elements of each key of a shard.
func (f *keyedFn) ProcessElement(ctx context.Context, s Shard, emit func(int64, combine.Accumulator)) error {
	columns, err := s.Read(ctx, append([]Column{f.Key}, f.Columns...))
	if err != nil {
		return err
	}
	if !f.Key.Type.IsInt() {
		return fmt.Errorf("source: the key %s is %s, and keys are integers", f.Key.Name, f.Key.Type)
	}
	for _, g := range group(columns[0], columns[1:]) {
		a, err := f.kernel.Reduce(0, g.n, g.columns)
		if err != nil {
			return err
		}
		if f.Reduction.Ordered && len(a.Parts) > 0 { // the elements of the key lie somewhere in the shard's range
			a.Parts[0].From, a.Parts[0].To = s.First, s.First+s.Elements
		}
		emit(g.key, a)
	}
	return nil
}

// emptyFn gives keys the partial result of no elements.
type emptyFn struct {
	Reduction combine.Reduction
	kernel    *combine.Kernel
}

// Setup checks the certificate.
func (f *emptyFn) Setup() (err error) {
	f.kernel, err = combine.NewKernel(&f.Reduction)
	return err
}

// ProcessElement is of one key.
func (f *emptyFn) ProcessElement(key int64) (int64, combine.Accumulator) {
	return key, f.kernel.Empty()
}

// keyed are the elements of one key, in their order.
type keyed struct {
	key     int64
	n       int
	columns []any
}

// group sorts the elements of columns by key, and keeps the order of those of one key. Keys ascend.
func group(keys any, columns []any) []keyed {
	k := (&ndarray.Array{Data: []any{keys}}).Elements(0)
	number := map[int64]int{}
	var groups []keyed
	of := make([]int32, k.Len())
	for j := range of {
		key := int64(k.At(j))
		g, ok := number[key]
		if !ok {
			g = len(groups)
			number[key] = g
			groups = append(groups, keyed{key: key})
		}
		groups[g].n++
		of[j] = int32(g)
	}
	starts := make([]int, len(groups))
	at := 0
	for g := range groups {
		starts[g] = at
		at += groups[g].n
	}
	for _, c := range columns {
		sorted := scatter(c, of, starts)
		for g := range groups {
			from := starts[g]
			groups[g].columns = append(groups[g].columns, sorted.Slice(from, from+groups[g].n).Interface())
		}
	}
	sort.Slice(groups, func(i, j int) bool { return groups[i].key < groups[j].key })
	return groups
}

// scatter puts the elements of a column to the places of their groups.
func scatter(column any, of []int32, starts []int) reflect.Value {
	t := ndarray.TypeOf(column)
	a := ndarray.New([]ir.Type{t}, ndarray.Range{Extent: len(of)})
	next := append([]int(nil), starts...)
	from, to := (&ndarray.Array{Data: []any{column}}).Elements(0), a.Elements(0)
	for j, g := range of {
		to.Set(next[g], from.At(j))
		next[g]++
	}
	return reflect.ValueOf(a.Data[0])
}
