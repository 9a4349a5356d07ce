package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
)

// Scripts of the verb run, in testdata/run, find data in their directory:
//
//	ints.npy    1000 i32: 0, 1, 2, …
//	floats.npy  1000 f32: 0.1, 0.2, …
//	bytes.npy   a 7 × 5 image of bytes
func TestRunScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/run",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			root, err := os.Getwd()
			self, err2 := exec.LookPath("rfactor")
			e.Vars = append(e.Vars, "RFACTOR="+self, "PROGRAMS="+root+"/../../testdata/programs")
			return errors.Join(err, err2, writeData(e.WorkDir))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"code": exitCode},
	})
}

func writeData(dir string) error {
	ints, floats, bytes := make([]int32, 1000), make([]float32, 1000), make([]uint8, 35)
	for i := range ints {
		ints[i], floats[i] = int32(i), float32(i+1)/10
	}
	for i := range bytes {
		bytes[i] = uint8(200 - i*i%11)
	}
	var errs error
	for name, a := range map[string]*ndarray.Array{
		"ints":   {Dims: ndarray.Box{{Extent: 1000}}, Data: []any{ints}},
		"floats": {Dims: ndarray.Box{{Extent: 1000}}, Data: []any{floats}},
		"bytes":  {Dims: ndarray.Box{{Extent: 5}, {Extent: 7}}, Data: []any{bytes}},
	} {
		errs = errors.Join(errs, save.File(filepath.Join(dir, name+".npy"), func(w io.Writer) error { return npy.Write(w, a, 0) }))
	}
	return errs
}
