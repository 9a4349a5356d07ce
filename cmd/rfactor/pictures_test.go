package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// picture is a line of a document that makes a picture.
var picture = regexp.MustCompile(`(?m)^rfactor (.*) > (docs/\S+\.svg)$`)

// TestPictures runs the commands of documents that make pictures, and compares with the files.
func TestPictures(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	made := 0
	for _, page := range documents(t, root) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range picture.FindAllSubmatch(text, -1) {
			made++
			var out, errs bytes.Buffer
			if code := inProcess(shellWords(string(m[1])), strings.NewReader(""), &out, &errs); code != 0 {
				t.Errorf("%s: %s: exit code %d: %s", page, m[0], code, errs.Bytes())
				continue
			}
			file := string(m[2])
			if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, out.Bytes()) {
				continue
			}
			if !*update {
				t.Errorf("%s: %s is not what the command makes; run go test ./cmd/rfactor -run Pictures -update", page, file)
			} else if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	if made == 0 {
		t.Error("no document makes a picture")
	}
}
