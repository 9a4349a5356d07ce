package simd

// Scan holds the loops that keep every prefix. dst is as long as x, and may be x itself.
//
// The loops of the first group give what the loop from the first element to the last gives, bit for bit. Those that no field
// names have no vectors: sums and products of floats, which round, are kept in order here.
type Scan[T Number] struct {
	Add, Mul, Min, Max func(dst, x []T, init T) T // dst[i] = init + x[0] + … + x[i]; returns the last, or init
	And, Or, Xor       func(dst, x []T, init T) T // of integers
	Affine             func(dst, a, b []T, init T) T

	// Trees of floats, of which nothing but the places of elements in their tile determines how they round.
	AddTree, MulTree *Tree[T]
	AffineTree       *AffineTree[T]
}

// TreeLanes is how many elements a tree combines: the upper half of each 2, then 4, then 8 elements takes the last one of the lower half.
// All elements of a block then take the total of the blocks before it, and last the state before the tile.
const TreeLanes = 8

// Prefix is what a tree has combined so far of a tile. The zero Prefix is that of none.
type Prefix[T Number] struct {
	Begun         bool
	Factor, Total T // of steps x ↦ x·Factor + Total; of sums and products Total alone
	Factors, Peak T // sums of the absolute values of the factors and totals up to each element, which Reduce takes; they bound each of them
}

// Tree holds the loops of a tree for an operation. The length of x is a multiple of TreeLanes but for the last call of a tile.
type Tree[T Number] struct {
	Reduce func(x []T, p *Prefix[T])
	Scan   func(dst, x []T, from T, p *Prefix[T]) (finite bool) // dst[i] = from op (the total up to i); reports whether all of dst are finite
}

// AffineTree is Tree for steps x ↦ x·a + b. Each operation rounds.
type AffineTree[T Number] struct {
	Reduce func(a, b []T, p *Prefix[T])
	Scan   func(dst, a, b []T, from T, p *Prefix[T]) (finite bool)
	ScanBy func(dst []T, a T, b []T, from T, p *Prefix[T]) (finite bool) // Scan where a is the same at all elements
}

// ScanOf returns the loops of T in this build, on this machine. Callers must not change them.
func ScanOf[T Number]() *Scan[T] { return scanIn[T](scans) }

// PortableScan returns the twins in plain Go, whatever the build. Callers must not change them.
func PortableScan[T Number]() *Scan[T] { return scanIn[T](plainScans) }

func scanIn[T Number](in []any) *Scan[T] {
	for _, s := range in {
		if s, ok := s.(*Scan[T]); ok {
			return s
		}
	}
	panic("internal: no scans of the type")
}

var plainScans = newScans()

func newScans() []any {
	return []any{
		integerScan[int8](), integerScan[int16](), integerScan[int32](), integerScan[int64](),
		integerScan[uint8](), integerScan[uint16](), integerScan[uint32](), integerScan[uint64](),
		floatScan[float32](), floatScan[float64](),
	}
}

func numberScan[T Number]() *Scan[T] {
	return &Scan[T]{Add: scanAdd[T], Mul: scanMul[T], Min: scanMin[T], Max: scanMax[T], Affine: scanAffine[T]}
}

func integerScan[T Integer]() *Scan[T] {
	s := numberScan[T]()
	s.And, s.Or, s.Xor = scanAnd[T], scanOr[T], scanXor[T]
	return s
}

func floatScan[T Float]() *Scan[T] {
	s := numberScan[T]()
	s.AddTree = &Tree[T]{reduceAddTree[T], scanAddTree[T]}
	s.MulTree = &Tree[T]{reduceMulTree[T], scanMulTree[T]}
	s.AffineTree = &AffineTree[T]{reduceAffineTree[T], scanAffineTree[T], scanPowersTree[T]}
	return s
}
