package npy_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
	. "github.com/rfactor-go/rfactor/ndarray/npy"
)

// An array of any type and shape is read as it was written.
func TestReadWrite(t *testing.T) {
	for ty := ir.Bool; ty <= ir.F64; ty++ {
		for _, dims := range []ndarray.Box{nil, {{Extent: 0}}, {{Extent: 5}}, {{Extent: 3}, {Extent: 2}}, {{Extent: 2}, {Extent: 1}, {Extent: 4}}} {
			a := ndarray.New([]ir.Type{ty}, dims...)
			to := a.Elements(0)
			for i := range to.Len() {
				to.Set(i, ty.Wrap(uint64(i*77)))
			}
			var b bytes.Buffer
			if err := Write(&b, a, 0); err != nil {
				t.Fatal(err)
			}
			if head := bytes.IndexByte(b.Bytes()[10:], '\n') + 11; head%64 != 0 {
				t.Errorf("%s%v: data begin at %d", ty, dims, head)
			}
			got, err := Read(&b)
			if err != nil || !reflect.DeepEqual(got, a) {
				t.Errorf("%s%v: got %v, %v", ty, dims, got, err)
			}
		}
	}
}

func file(head, data string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(head)), byte(len(head) >> 8)}) + head + data
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "no NumPy file",
		"\x93NUMPY\x01\x00\xff\xff":         "no NumPy file",
		"\x93NUMPY\x02\x00\xff\xff\xff\xff": "its header is longer",
		file("{}\n", ""):                    "no NumPy file",
		file("", ""):                        "no NumPy file",
		"\x93NUMPY\x04\x00\x02\x00{}":       "version 4.0 is unknown",
		"PK\x03\x04 and so on":              "no NumPy file: it begins with",
		file("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'more': 1}\n", "12345678"):    `unknown key "more"`,
		file("{'descr': '<i4', 'descr': '<i4', 'shape': (2,)}\n", "12345678"):                       `the key "descr" is there twice`,
		file("{'descr': '<i4', 'fortran_order': False}\n", "1234"):                                  "it lacks one of",
		file("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}\n", "1234"):          "where a string is expected",
		file("{'descr': '<i4', 'fortran_order': 0, 'shape': (1,)}\n", "1234"):                       "where True or False is expected",
		file("{'descr': '<i4', 'fortran_order': False, 'shape': (1 1)}\n", "1234"):                  "where a tuple of integers is expected",
		file("{'descr': '<i4', 'fortran_order': False, 'shape': (1,)} {\n", "1234"):                 "where the end is expected",
		file("{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}\n", ""):    "out of range",
		file("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }\n", "12345678"):             `elements of type "<c8" cannot be read`,
		file("{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }\n", "1234"):                 `elements of type ">i4" cannot be read`,
		file("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n", "1234"):                 "the file ends before its 2 elements",
		file("{'descr': '<i4', 'fortran_order': False, 'shape': (4000000000, 4000000000), }\n", ""): "more than",
		file("{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }\n", ""):                    "negative",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Headers in other words that NumPy writes, or has written, are read.
func TestSpellings(t *testing.T) {
	v2 := func(version byte, head string) string {
		return "\x93NUMPY" + string([]byte{version, 0, byte(len(head)), 0, 0, 0}) + head
	}
	for _, text := range []string{
		file("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2), }          \n", ""),
		file(`{"shape": (1L, 2L), "descr": "<u2", "fortran_order": False}`, ""),
		file("{'fortran_order':False,'shape':(1,2),'descr':'<u2'}\n", ""),
		v2(2, "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2), }\n"),
		v2(3, "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2), }\n"),
	} {
		a, err := Read(strings.NewReader(text + "\x01\x00\x02\x01"))
		if err != nil || !reflect.DeepEqual(a.Data[0], []uint16{1, 258}) || !reflect.DeepEqual(a.Dims, ndarray.Box{{Extent: 2}, {Extent: 1}}) {
			t.Errorf("%q: %v, %v", text, a, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(file("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }\n", "1234")))
	f.Add([]byte(file("{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", "1")))
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := Read(bytes.NewReader(b)); err == nil && a.Elements(0).Len() != a.Dims.Len() {
			t.Errorf("%d elements of %d", a.Elements(0).Len(), a.Dims.Len())
		}
	})
}

// An array in Fortran's order has the elements of the same array in C's.
func TestFortran(t *testing.T) {
	c, err := Read(strings.NewReader(file("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3, 4), }\n", "abcdefghijklmnopqrstuvwx")))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(strings.NewReader(file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }\n", "ameqiubnfrjvcogskwdphtlx")))
	if err != nil || !reflect.DeepEqual(f, c) {
		t.Errorf("got %v, %v, want %v", f, err, c)
	}
}
