package program

import "github.com/rfactor-go/rfactor/ir"

// ParseType reads a type by its name in the notation (i32, bool) or by its C++ or Halide
// name (int, uint8_t, float). It answers Invalid for any other word.
func ParseType(s string) ir.Type {
	if t := ir.ParseType(s); t != ir.Invalid {
		return t
	}
	return cTypes[s]
}

var cTypes = map[string]ir.Type{
	"int": ir.I32, "unsigned": ir.U32, "uint": ir.U32, "float": ir.F32, "double": ir.F64,
	"int8": ir.I8, "int16": ir.I16, "int32": ir.I32, "int64": ir.I64,
	"uint8": ir.U8, "uint16": ir.U16, "uint32": ir.U32, "uint64": ir.U64,
	"int8_t": ir.I8, "int16_t": ir.I16, "int32_t": ir.I32, "int64_t": ir.I64,
	"uint8_t": ir.U8, "uint16_t": ir.U16, "uint32_t": ir.U32, "uint64_t": ir.U64,
	"float32": ir.F32, "float64": ir.F64,
}
