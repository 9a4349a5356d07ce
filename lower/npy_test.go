package lower

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"reflect"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// What is written is read again, whatever its type and shape.
func TestNPY(t *testing.T) {
	for ty := ir.Bool; ty <= ir.F64; ty++ {
		for _, dims := range [][]plan.FixedExtent{nil, {{Extent: 0}}, {{Extent: 5}}, {{Extent: 3}, {Extent: 2}}, {{Extent: 2}, {Extent: 1}, {Extent: 4}}} {
			a := NewArray([]ir.Type{ty}, dims...)
			m := newMemory(a.Types())
			m.hold(a)
			store := kinds[ty].put(m.data[0])
			for i := range a.Dims.Len() {
				store(i, ty.Wrap(uint64(i*77)))
			}
			var b bytes.Buffer
			if err := WriteNPY(&b, a, 0); err != nil {
				t.Fatal(err)
			}
			if head := bytes.IndexByte(b.Bytes()[10:], '\n') + 11; head%64 != 0 {
				t.Errorf("%s%v: data begin at %d", ty, dims, head)
			}
			got, err := ReadNPY(&b)
			if err != nil || !reflect.DeepEqual(got, a) {
				t.Errorf("%s%v: got %v, %v", ty, dims, got, err)
			}
		}
	}
}

func npyFile(head, data string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(head)), byte(len(head) >> 8)}) + head + data
}

func TestNPYErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "no NumPy file",
		"\x93NUMPY\x01\x00\xff\xff":         "no NumPy file",
		"\x93NUMPY\x02\x00\xff\xff\xff\xff": "its header is longer",
		npyFile("{}\n", ""):                 "no NumPy file",
		npyFile("", ""):                     "no NumPy file",
		npyFile("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }\n", "12345678"):             `elements of type "<c8" cannot be read`,
		npyFile("{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }\n", "1234"):                 `elements of type ">i4" cannot be read`,
		npyFile("{'descr': '<i4', 'fortran_order': True, 'shape': (1, 1), }\n", "1234"):                "Fortran's order",
		npyFile("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n", "1234"):                 "the file ends before its 2 elements",
		npyFile("{'descr': '<i4', 'fortran_order': False, 'shape': (4000000000, 4000000000), }\n", ""): "more than",
		npyFile("{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }\n", ""):                    "negative",
	} {
		if _, err := ReadNPY(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzReadNPY(f *testing.F) {
	f.Add([]byte(npyFile("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }\n", "1234")))
	f.Add([]byte(npyFile("{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", "1")))
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := ReadNPY(bytes.NewReader(b)); err == nil && columnLen(a.Data[0]) != a.Dims.Len() {
			t.Errorf("%d elements of %d", columnLen(a.Data[0]), a.Dims.Len())
		}
	})
}

func TestReadImage(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 3, 2))
	m.SetGray(2, 1, color.Gray{Y: 77})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	a, err := ReadImage(bytes.NewReader(b.Bytes()))
	want := &Array{Dims: []plan.FixedExtent{{Extent: 3}, {Extent: 2}}, Data: []any{[]uint8{0, 0, 0, 0, 0, 77}}}
	if err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("%v, %v", a, err)
	}
}
