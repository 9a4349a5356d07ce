package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A file by each coder holds the text, is left alone while it does, and is written anew when the text changes.
func TestCompress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.wasm")
	for _, text := range [][]byte{bytes.Repeat([]byte("the same "), 1000), bytes.Repeat([]byte("another "), 1000), nil} {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := compress(t.Output(), file, len(coders)); err != nil {
			t.Fatal(err)
		}
		for _, c := range coders {
			packed, err := os.ReadFile(file + c.suffix)
			if err != nil || !c.holds(packed, text) || len(packed) > 200 {
				t.Errorf("%s of %d bytes: %d bytes, %v", c.suffix, len(text), len(packed), err)
			}
			before, _ := os.Stat(file + c.suffix)
			if _, err := c.write(file+c.suffix, text); err != nil {
				t.Error(err)
			}
			if after, _ := os.Stat(file + c.suffix); !after.ModTime().Equal(before.ModTime()) {
				t.Errorf("%s is written though it holds the text", c.suffix)
			}
		}
	}
	if err := os.WriteFile(file, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := compress(t.Output(), file, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file + ".br"); err == nil {
		t.Error("what another text was compressed to is left")
	}
}
