package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/save"
)

// packed is a file of an archive.
type packed struct {
	name, from string
	mode       int64
}

// tarGz writes an archive of files in a folder, all of one time and of nobody's.
func tarGz(w io.Writer, folder string, files []packed, date time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		text, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: folder + "/" + f.name, Mode: f.mode, Size: int64(len(text)), ModTime: date, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := t.Write(text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// zipped is tarGz for systems that expect a zip.
func zipped(w io.Writer, folder string, files []packed, date time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		text, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(os.FileMode(f.mode))
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
	}
	return z.Close()
}

// unpack unpacks an archive that this program wrote.
func unpack(archive, dir string) error {
	put := func(name string, from io.Reader) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		text, err := io.ReadAll(from)
		if err != nil {
			return err
		}
		return errors.Join(save.Text(to, text), os.Chmod(to, 0o755))
	}
	if strings.HasSuffix(archive, ".zip") {
		z, err := zip.OpenReader(archive)
		if err != nil {
			return err
		}
		defer z.Close()
		for _, f := range z.File {
			from, err := f.Open()
			if err == nil {
				err = put(f.Name, from)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	text, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = put(h.Name, t)
		}
		if err != nil {
			return err
		}
	}
}

// writeSums writes the checksums of the files of a folder, as sha256sum -c reads them.
func writeSums(dir string) error {
	entries, err := os.ReadDir(dir) // by name
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(text), e.Name())
	}
	return save.Text(filepath.Join(dir, "SHA256SUMS"), b.Bytes())
}

// heading is the heading of a section of the changelog, such as "## [v0.3.0] - 2027-01-02".
var heading = regexp.MustCompile(`(?m)^## +\[?([^\]\s]+)\]?.*$`)

// isTagged reports whether a version is one that the changelog must have a section of.
var isTagged = regexp.MustCompile(`^v\d+\.\d+\.\d+$`).MatchString

// changelogSection returns the section of the changelog about a version, or what is unreleased where the version is not tagged.
func changelogSection(text, version string) (string, error) {
	name := "Unreleased"
	if isTagged(version) {
		name = strings.TrimPrefix(version, "v")
	}
	places := heading.FindAllStringSubmatchIndex(text, -1)
	for i, m := range places {
		if strings.TrimPrefix(text[m[2]:m[3]], "v") != name {
			continue
		}
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		return strings.TrimSpace(text[m[0]:end]) + "\n", nil
	}
	return "", fmt.Errorf("CHANGELOG.md has no section %q", name)
}

// component is a part of a CycloneDX bill of materials.
type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// bill is a bill of materials. It has neither a time nor a number of its own, so that the same program has the same one.
type bill struct {
	Format      string       `json:"bomFormat"`
	SpecVersion string       `json:"specVersion"`
	Version     int          `json:"version"`
	Metadata    metadata     `json:"metadata"`
	Components  []component  `json:"components"`
	Depends     []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// sbom returns the bill of materials of a program: the modules that the linker wrote into it, which are those that have code in it,
// and Go's standard library. A module that a folder of this tree stands for has the version of the release.
func sbom(binary, name, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	module := func(kind string, m *debug.Module) component {
		c := component{Type: kind, Name: m.Path, Version: m.Version}
		if m.Version == "(devel)" || m.Replace != nil || strings.HasPrefix(m.Path, "github.com/rfactor-go/") {
			c.Version = version
		} else if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		c.PURL = "pkg:golang/" + c.Name + "@" + c.Version
		c.Ref = c.PURL
		return c
	}
	program := module("application", &info.Main)
	program.Properties = []property{{"go:command", name}}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "CGO_ENABLED":
			program.Properties = append(program.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	b := bill{Format: "CycloneDX", SpecVersion: "1.5", Version: 1, Metadata: metadata{program}}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	std := "pkg:golang/std@" + goVersion
	b.Components = []component{{Type: "library", Ref: std, Name: "std", Version: goVersion, PURL: std}}
	on := []string{std}
	for _, m := range info.Deps { // by path
		c := module("library", m)
		b.Components, on = append(b.Components, c), append(on, c.Ref)
	}
	b.Depends = []dependency{{program.Ref, on}}
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}
