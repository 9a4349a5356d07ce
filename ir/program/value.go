package program

import (
	"fmt"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
)

// ParseValue reads a value of type t as people write it: true, -12, 0x1f, 1.5, NaN. Text that is no such value is an error.
func ParseValue(t ir.Type, text string) (v uint64, err error) {
	switch {
	case t == ir.Bool:
		var b bool
		if b, err = strconv.ParseBool(text); b {
			v = 1
		}
	case t.IsFloat():
		var f float64
		f, err = strconv.ParseFloat(text, t.Bits())
		v = ir.FloatBits(t, f)
	case t.IsSigned():
		var i int64
		i, err = strconv.ParseInt(text, 0, t.Bits())
		v = uint64(i)
	default:
		v, err = strconv.ParseUint(text, 0, t.Bits())
	}
	if err != nil {
		return 0, fmt.Errorf("%.40q is no %s", text, t)
	}
	return v, nil
}
