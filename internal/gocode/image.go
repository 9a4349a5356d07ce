package gocode

import (
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // registers the format
	_ "image/png"
	"io"

	"github.com/rfactor-go/rfactor/ndarray"
)

// maxPixels bounds images: a few bytes of a file may promise a very large one.
const maxPixels = 1 << 28

// readImage reads a PNG or JPEG image as its luminance, in bytes.
func readImage(r io.ReadSeeker) (*ndarray.Array, error) {
	head, _, err := image.DecodeConfig(r)
	if err != nil {
		return nil, err
	}
	if head.Width > maxPixels/max(head.Height, 1) {
		return nil, fmt.Errorf("the image has %d×%d pixels, more than %d", head.Width, head.Height, maxPixels)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, _, err := image.Decode(r)
	if err != nil {
		return nil, err
	}
	b := m.Bounds()
	pixels := make([]uint8, 0, b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pixels = append(pixels, color.GrayModel.Convert(m.At(x, y)).(color.Gray).Y)
		}
	}
	return &ndarray.Array{Dims: ndarray.Box{{Extent: b.Dx()}, {Extent: b.Dy()}}, Data: []any{pixels}}, nil
}
