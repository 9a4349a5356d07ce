package gocode

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"reflect"
	"testing"

	"github.com/rfactor-go/rfactor/ndarray"
)

func TestReadImage(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 3, 2))
	m.SetGray(2, 1, color.Gray{Y: 77})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	a, err := readImage(bytes.NewReader(b.Bytes()))
	want := &ndarray.Array{Dims: ndarray.Box{{Extent: 3}, {Extent: 2}}, Data: []any{[]uint8{0, 0, 0, 0, 0, 77}}}
	if err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("%v, %v", a, err)
	}
}
