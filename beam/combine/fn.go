package combine

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.Combiner3[Accumulator, Row, Tuple](&RowsFn{})
	register.Combiner2[Accumulator, Tuple](&PartialsFn{})
	register.Combiner2[Accumulator, Row](&blockFn{})
	register.DoFn1x2[[]byte, Accumulator, error](&emptyFn{})
	register.DoFn2x1[Row, func(Accumulator), error](&bundleFn{})
	register.Emitter1[Accumulator]()
}

// worker is what the CombineFns have in common. Setup checks the certificate.
type worker struct {
	Reduction Reduction
	machine   *machine
}

// Setup checks the certificate that travelled with the pipeline, and compiles the operator.
func (w *worker) Setup() (err error) {
	w.machine, err = w.Reduction.compile()
	return err
}

func (w *worker) ready() (*machine, error) {
	if w.machine == nil {
		if err := w.Setup(); err != nil {
			return nil, err
		}
	}
	return w.machine, nil
}

func (w *worker) create() (Accumulator, error) {
	m, err := w.ready()
	if err != nil {
		return Accumulator{}, err
	}
	return m.create(), nil
}

func (w *worker) add(a Accumulator, row Row) (Accumulator, error) {
	m, err := w.ready()
	if err != nil {
		return a, err
	}
	return m.add(a, row)
}

func (w *worker) merge(a, b Accumulator) (Accumulator, error) {
	m, err := w.ready()
	if err != nil {
		return a, err
	}
	return m.mergeTwo(a, b)
}

func (w *worker) extract(a Accumulator) (Tuple, error) {
	m, err := w.ready()
	if err != nil {
		return Tuple{}, err
	}
	return m.extract(a)
}

// RowsFn is the CombineFn of a reduction over rows.
type RowsFn struct {
	Reduction Reduction
	worker    worker
}

// Setup checks the certificate.
func (f *RowsFn) Setup() error {
	f.worker.Reduction = f.Reduction
	return f.worker.Setup()
}

// CreateAccumulator is the two-sided identity, or none yet.
func (f *RowsFn) CreateAccumulator() (Accumulator, error) { return f.worker.create() }

// AddInput is x ⊕ inject(row).
func (f *RowsFn) AddInput(a Accumulator, row Row) (Accumulator, error) { return f.worker.add(a, row) }

// MergeAccumulators is x ⊕ y.
func (f *RowsFn) MergeAccumulators(a, b Accumulator) (Accumulator, error) {
	return f.worker.merge(a, b)
}

// ExtractOutput merges the initial value last, or applies the steps to it.
func (f *RowsFn) ExtractOutput(a Accumulator) (Tuple, error) { return f.worker.extract(a) }

// bundleFn reduces the rows of a bundle to one partial result. A CombineFn does that too, but Beam gives every row a key for it, which it
// encodes to look the accumulator up, and copies the accumulator to the heap. What a bundle emits at its end is in the global window.
type bundleFn struct {
	Reduction Reduction
	worker    worker
	partial   Accumulator
	any       bool // a row has arrived
}

// Setup checks the certificate.
func (f *bundleFn) Setup() error {
	f.worker.Reduction = f.Reduction
	return f.worker.Setup()
}

// StartBundle begins with no row.
func (f *bundleFn) StartBundle(func(Accumulator)) (err error) {
	f.any = false
	f.partial, err = f.worker.create()
	return err
}

// ProcessElement is x ⊕ inject(row).
func (f *bundleFn) ProcessElement(row Row, _ func(Accumulator)) (err error) {
	f.any = true
	f.partial, err = f.worker.machine.add(f.partial, row)
	return err
}

// FinishBundle emits the partial result.
func (f *bundleFn) FinishBundle(emit func(Accumulator)) {
	if f.any {
		emit(f.partial)
	}
}

// blockFn is the CombineFn that reduces rows of a window to a partial result.
type blockFn struct {
	Reduction Reduction
	worker    worker
}

// Setup checks the certificate.
func (f *blockFn) Setup() error {
	f.worker.Reduction = f.Reduction
	return f.worker.Setup()
}

// CreateAccumulator is the two-sided identity, or none yet.
func (f *blockFn) CreateAccumulator() (Accumulator, error) { return f.worker.create() }

// AddInput is x ⊕ inject(row).
func (f *blockFn) AddInput(a Accumulator, row Row) (Accumulator, error) { return f.worker.add(a, row) }

// MergeAccumulators is x ⊕ y.
func (f *blockFn) MergeAccumulators(a, b Accumulator) (Accumulator, error) {
	return f.worker.merge(a, b)
}

// PartialsFn is the CombineFn of a reduction over partial results, such as a Kernel makes.
type PartialsFn struct {
	Reduction Reduction
	worker    worker
}

// Setup checks the certificate.
func (f *PartialsFn) Setup() error {
	f.worker.Reduction = f.Reduction
	return f.worker.Setup()
}

// CreateAccumulator is the two-sided identity, or none yet.
func (f *PartialsFn) CreateAccumulator() (Accumulator, error) { return f.worker.create() }

// AddInput is x ⊕ y.
func (f *PartialsFn) AddInput(a, b Accumulator) (Accumulator, error) { return f.worker.merge(a, b) }

// MergeAccumulators is x ⊕ y.
func (f *PartialsFn) MergeAccumulators(a, b Accumulator) (Accumulator, error) {
	return f.worker.merge(a, b)
}

// ExtractOutput merges the initial value last, or applies the steps to it.
func (f *PartialsFn) ExtractOutput(a Accumulator) (Tuple, error) { return f.worker.extract(a) }

// PerKey reduces rows by key, a PCollection<KV<K, Row>>, to PCollection<KV<K, Tuple>>, in each window. A key without a row has no
// output. An ordered reduction is Sparse here, unless the indices of every key run from 0.
func PerKey(s beam.Scope, r *Reduction, rows beam.PCollection) beam.PCollection {
	return beam.CombinePerKey(s.Scope("combine.PerKey"), &RowsFn{Reduction: *r}, rows)
}

// PerKeyPartials reduces partial results by key, a PCollection<KV<K, Accumulator>>.
func PerKeyPartials(s beam.Scope, r *Reduction, partials beam.PCollection) beam.PCollection {
	return beam.CombinePerKey(s.Scope("combine.PerKeyPartials"), &PartialsFn{Reduction: *r}, partials)
}

// Global reduces rows, a PCollection<Row>, to one Tuple in each window. In the global window there is a result without
// rows, too: the initial value, or the identity. Another window without rows has none.
func Global(s beam.Scope, r *Reduction, rows beam.PCollection) beam.PCollection {
	s = s.Scope("combine.Global")
	if inGlobalWindow(rows) {
		return GlobalPartials(s, r, beam.ParDo(s, &bundleFn{Reduction: *r}, rows))
	}
	return GlobalPartials(s, r, beam.Combine(s, &blockFn{Reduction: *r}, rows))
}

// GlobalPartials reduces partial results, a PCollection<Accumulator>, as Global reduces rows.
func GlobalPartials(s beam.Scope, r *Reduction, partials beam.PCollection) beam.PCollection {
	s = s.Scope("combine.GlobalPartials")
	if partials.Type().Type() != reflect.TypeFor[Accumulator]() {
		panic(fmt.Sprintf("combine: partial results are Accumulators, not %v", partials.Type()))
	}
	if inGlobalWindow(partials) {
		none := beam.ParDo(s, &emptyFn{Reduction: *r}, beam.Impulse(s))
		partials = beam.Flatten(s, partials, none)
	}
	return beam.Combine(s, &PartialsFn{Reduction: *r}, partials)
}

func inGlobalWindow(c beam.PCollection) bool {
	return c.WindowingStrategy().Fn.Kind == window.GlobalWindows
}

// emptyFn makes the accumulator of no element.
type emptyFn struct{ Reduction Reduction }

// ProcessElement makes one for each impulse.
func (f *emptyFn) ProcessElement([]byte) (Accumulator, error) {
	w := worker{Reduction: f.Reduction}
	return w.create()
}

// Int returns an integer component of a result, or 0 and 1 for a boolean one.
func (t Tuple) Int(i int) (int64, error) {
	if i < 0 || i >= len(t.Values) || t.Types[i].IsFloat() {
		return 0, errors.New("combine: the result has no such integer component")
	}
	return int64(t.Values[i]), nil
}
