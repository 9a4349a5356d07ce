package tablegen

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// world is an arithmetic in which functions are told apart. One enumeration serves every
// type of the world; each operator is then proven at each of them.
type world struct {
	name    string
	types   []ir.Type // the first one stands for all while candidates are filtered
	allowed ir.Assume // what proofs may assume
	values  valueKind
	paper   []opcode // the signature of the Halide paper, as far as the world has it
	wide    []opcode // what the wider signature adds
}

// valueKind says what carries a world's values.
type valueKind uint8

const (
	signedWords   valueKind = iota // int32, wrapping
	unsignedWords                  // uint32, wrapping
	integers                       // int64, exact as long as results are small
	naturals                       // the same, never negative
	reals                          // float64 on dyadic numbers, exact as long as results are small
	ieee                           // float32 with NaN, both zeros and infinities
	numbers                        // float32 without NaN and with one zero
	truths                         // bool
)

var (
	ringOps  = []opcode{opAdd, opSub, opMul}
	orderOps = []opcode{opMin, opMax, opLess, opSelect}
	paperOps = slices.Concat(ringOps, orderOps, []opcode{opEqual})
	logicOps = []opcode{opBoth, opEither, opDiffer, opNegate}
	bitOps   = []opcode{opAnd, opOr, opXor, opComplement}
	signOps  = []opcode{opNeg, opAbs}
)

// worlds are all of them. Subtraction is not an operation of the naturals.
var worlds = []world{
	{"signed", []ir.Type{ir.I32, ir.I8, ir.I16, ir.I64}, 0, signedWords, paperOps, slices.Concat(logicOps, bitOps, signOps)},
	{"unsigned", []ir.Type{ir.U32, ir.U8, ir.U16, ir.U64}, 0, unsignedWords, paperOps,
		slices.Concat(logicOps, bitOps, []opcode{opSatAdd, opSatSub})},
	{"integers", []ir.Type{ir.I64, ir.I32, ir.I16, ir.I8}, ir.NSW, integers, paperOps, slices.Concat(logicOps, signOps)},
	{"naturals", []ir.Type{ir.U64, ir.U32, ir.U16, ir.U8}, ir.NUW, naturals,
		slices.Concat([]opcode{opAdd, opMul}, orderOps, []opcode{opEqual}), slices.Concat(logicOps, []opcode{opSatSub})},
	{"reals", []ir.Type{ir.F32, ir.F64}, ir.Reassoc | ir.NNaN | ir.NInf | ir.NSZ, reals, paperOps, slices.Concat(logicOps, signOps)},
	{"ieee", []ir.Type{ir.F32, ir.F64}, 0, ieee, slices.Concat(orderOps, []opcode{opEqual}), slices.Concat(logicOps, signOps)},
	{"numbers", []ir.Type{ir.F32, ir.F64}, ir.NNaN | ir.NSZ, numbers, slices.Concat(orderOps, []opcode{opEqual}), slices.Concat(logicOps, signOps)},
	{"truths", []ir.Type{ir.Bool}, 0, truths, logicOps, nil},
}

func worldOf(name string) *world {
	for i := range worlds {
		if worlds[i].name == name {
			return &worlds[i]
		}
	}
	return nil
}

// opcode is the root of an enumerated function.
type opcode uint8

const (
	opVar opcode = iota
	opAdd
	opSub
	opMul
	opMin
	opMax
	opAnd
	opOr
	opXor
	opSatAdd
	opSatSub
	opNeg
	opAbs
	opComplement
	opSelect
	opLess
	opEqual
	opBoth
	opEither
	opDiffer
	opNegate
	opChoose // select on flags
	numOpcodes
)

// sort is what a function gives: a number, or a flag (bool).
type sort uint8

const (
	number sort = iota
	flag
	numSorts
)

// operation describes an opcode.
type operation struct {
	op       ir.Op
	result   sort
	args     []sort
	commutes bool
}

var operations = [numOpcodes]operation{
	opVar:        {op: ir.Var},
	opAdd:        {ir.Add, number, []sort{number, number}, true},
	opSub:        {ir.Sub, number, []sort{number, number}, false},
	opMul:        {ir.Mul, number, []sort{number, number}, true},
	opMin:        {ir.Min, number, []sort{number, number}, true},
	opMax:        {ir.Max, number, []sort{number, number}, true},
	opAnd:        {ir.BitAnd, number, []sort{number, number}, true},
	opOr:         {ir.BitOr, number, []sort{number, number}, true},
	opXor:        {ir.BitXor, number, []sort{number, number}, true},
	opSatAdd:     {ir.SatAdd, number, []sort{number, number}, true},
	opSatSub:     {ir.SatSub, number, []sort{number, number}, false},
	opNeg:        {ir.Neg, number, []sort{number}, false},
	opAbs:        {ir.Abs, number, []sort{number}, false},
	opComplement: {ir.BitNot, number, []sort{number}, false},
	opSelect:     {ir.Select, number, []sort{flag, number, number}, false},
	opLess:       {ir.Lt, flag, []sort{number, number}, false},
	opEqual:      {ir.Eq, flag, []sort{number, number}, true},
	opBoth:       {ir.And, flag, []sort{flag, flag}, true},
	opEither:     {ir.Or, flag, []sort{flag, flag}, true},
	opDiffer:     {ir.Ne, flag, []sort{flag, flag}, true},
	opNegate:     {ir.Not, flag, []sort{flag}, false},
	opChoose:     {ir.Select, flag, []sort{flag, flag, flag}, false},
}

// leaves is how many leaves the root adds to those of its operands: a unary operation
// counts as one.
func (o *operation) leaves() int {
	if len(o.args) == 1 {
		return 1
	}
	return 0
}
