package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestChangelogSection(t *testing.T) {
	const text = "# Changelog\n\n## What versions promise\n\nmuch\n\n## Unreleased\n\n- new\n\n## [0.2.0] - 2026-01-02\n\n- old\n\n## 0.1.0\n\n- first\n"
	for version, want := range map[string]string{
		"v0.2.0": "## [0.2.0] - 2026-01-02\n\n- old\n", "v0.1.0": "## 0.1.0\n\n- first\n", "344b770": "## Unreleased\n\n- new\n", "v0.2.0-3-g344b770": "## Unreleased\n\n- new\n",
	} {
		if got, err := changelogSection(text, version); got != want || err != nil {
			t.Errorf("%s: %q, %v", version, got, err)
		}
	}
	if _, err := changelogSection(text, "v0.3.0"); err == nil || !strings.Contains(err.Error(), `no section "0.3.0"`) {
		t.Errorf("a version without a section: %v", err)
	}
	real, err := os.ReadFile("../../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := changelogSection(string(real), "unknown"); err != nil || len(got) < 1000 || strings.Contains(got, "What versions promise") {
		t.Errorf("what is unreleased has %d bytes, %v", len(got), err)
	}
}

// Archives of the same files are the same bytes, whatever the times and modes of the files, and unpack to them.
func TestArchives(t *testing.T) {
	date := time.Date(2026, 11, 24, 1, 2, 4, 0, time.UTC)
	for suffix, write := range map[string]func(w *bytes.Buffer, files []packed) error{
		".tar.gz": func(w *bytes.Buffer, files []packed) error { return tarGz(w, "a", files, date) },
		".zip":    func(w *bytes.Buffer, files []packed) error { return zipped(w, "a", files, date) },
	} {
		var texts [2]bytes.Buffer
		for i := range texts {
			file := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(file, []byte("text"), []os.FileMode{0o600, 0o755}[i]); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(file, date, date.Add(time.Duration(i)*time.Hour)); err != nil {
				t.Fatal(err)
			}
			if err := write(&texts[i], []packed{{"program", file, 0o755}}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
			t.Errorf("%s: two archives differ", suffix)
		}
		dir := t.TempDir()
		archive := filepath.Join(dir, "a"+suffix)
		if err := os.WriteFile(archive, texts[0].Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := unpack(archive, dir); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "a", "program")); string(got) != "text" || err != nil {
			t.Errorf("%s: %q, %v", suffix, got, err)
		}
	}
}

// Checksums are those that sha256sum reads; a changed file is found by comparison.
func TestSums(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if err := os.WriteFile(filepath.Join(dir, "abc"), []byte("abc"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := writeSums(dir); err != nil {
			t.Fatal(err)
		}
	}
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc\n"
	if got, err := os.ReadFile(filepath.Join(a, "SHA256SUMS")); string(got) != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if n, err := same(a, b); n != 2 || err != nil {
		t.Errorf("%d files are the same: %v", n, err)
	}
	if err := os.WriteFile(filepath.Join(b, "abc"), []byte("abd"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b, "more"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := same(a, b); err == nil || !strings.Contains(err.Error(), "differ: abc, more") {
		t.Errorf("a changed file and one more: %v", err)
	}
}

// A bill lists the modules that have code in the program, with the sums of go.sum, in their order.
func TestBill(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "compress")
	build := exec.Command("go", "build", "-o", binary, "../compress")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := sbom(binary, "compress", "v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.PURL != "pkg:golang/github.com/rfactor-go/rfactor/lab@v1.2.3" {
		t.Errorf("%s of %+v", b.Format, b.Metadata.Component)
	}
	if len(b.Components) != 3 || b.Components[0].Name != "std" || b.Components[1].Name != "github.com/andybalholm/brotli" || !strings.HasPrefix(b.Components[1].Properties[0].Value, "h1:") {
		t.Errorf("components %+v", b.Components)
	}
	if len(b.Depends) != 1 || len(b.Depends[0].On) != 3 {
		t.Errorf("dependencies %+v", b.Depends)
	}
	again, err := sbom(binary, "compress", "v1.2.3")
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("two bills differ: %v", err)
	}
}

func TestTargets(t *testing.T) {
	all, err := parseTargets(everyTarget)
	if err != nil || len(all) != 6 || all[5] != (target{"windows", "arm64"}) {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := parseTargets("linux"); err == nil || !strings.Contains(err.Error(), `"linux" is no system`) {
		t.Error(err)
	}
}
