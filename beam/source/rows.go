package source

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/ndarray"
)

func init() {
	register.DoFn3x1[context.Context, Shard, func(combine.Row), error](&rowsFn{})
	register.Emitter1[combine.Row]()
}

// Rows makes a PCollection of the rows of shards, one for each element. It serves pipelines that transform rows; Global and
// PerKey are faster.
func Rows(s beam.Scope, columns []Column, shards []Shard) beam.PCollection {
	s = s.Scope("source.Rows")
	return beam.ParDo(s, &rowsFn{Columns: columns}, spread(s, shards))
}

type rowsFn struct{ Columns []Column }

// ProcessElement reads a shard.
func (f *rowsFn) ProcessElement(ctx context.Context, s Shard, emit func(combine.Row)) error {
	columns, err := s.Read(ctx, f.Columns)
	if err != nil {
		return err
	}
	a := &ndarray.Array{Data: columns}
	elements := make([]ndarray.Elements, len(columns))
	for i := range columns {
		elements[i] = a.Elements(i)
	}
	n := len(columns)
	leaves := make([]uint64, n*int(s.Elements)) // one allocation for a shard in place of one for a row
	for j := range int(s.Elements) {
		row := combine.Row{Index: s.First + int64(j), Leaves: leaves[j*n : (j+1)*n : (j+1)*n]}
		for i := range elements {
			row.Leaves[i] = elements[i].At(j)
		}
		emit(row)
	}
	return nil
}
