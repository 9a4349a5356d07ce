// Package parts keeps the work of a pipeline's elements in a folder that all workers see, so that an element that is done is not
// done again: after a failure, a retry or SIGKILL.
//
//	p := parts.Part{Folder: "work", Name: "part-3-of-64", Job: job}
//	reused, err := p.Do(func(dir string) error { … })
package parts

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Part is the work of one element: a subfolder, in which a record says what job it belongs to and has the digest of each file.
type Part struct {
	Folder string // that all workers see
	Name   string // of the subfolder, unique in the job
	Job    any    // as JSON, what the files depend on; a part of another job is done anew
}

// Path is the subfolder.
func (p Part) Path() string { return filepath.Join(p.Folder, p.Name) }

// Record is the path of the record, which is written last.
func (p Part) Record() string { return filepath.Join(p.Path(), record) }

const record = "done.json"

// Do calls work with an empty folder, which becomes the part once work is done and recorded: two workers may do the same part at once,
// and what a failure leaves is no part. Do returns true, and calls nothing, where the part holds. The first Do of a process in a folder
// removes what killed processes left there of parts that were under way.
func (p Part) Do(work func(dir string) error) (reused bool, err error) {
	sweep(p.Folder)
	if p.Holds() {
		return true, nil
	}
	if err := os.MkdirAll(p.Folder, 0o777); err != nil {
		return false, err
	}
	a, err := newAttempt(p.Folder)
	if err != nil {
		return false, err
	}
	defer a.remove()
	if err := work(a.dir); err != nil {
		return false, err
	}
	text, err := p.describe(a.dir)
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(a.dir, record), text, 0o666); err != nil {
		return false, err
	}
	if p.Holds() { // another worker was faster
		return false, nil
	}
	if err := os.RemoveAll(p.Path()); err != nil {
		return false, err
	}
	if err := os.Rename(a.dir, p.Path()); err != nil && !p.Holds() {
		return false, err
	}
	return false, nil
}

// Holds reports whether the part has a record of its job, and its files have the digests of it.
func (p Part) Holds() bool {
	have, err := os.ReadFile(p.Record())
	if err != nil {
		return false
	}
	want, err := p.describe(p.Path())
	return err == nil && string(have) == string(want)
}

// describe is the record of the files in a folder.
func (p Part) describe(dir string) ([]byte, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == record {
			return err
		}
		files[filepath.ToSlash(name)], err = digest(path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Job   any
		Files map[string]string // SHA-256
	}{p.Job, files})
}

func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
