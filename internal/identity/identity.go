// Package identity says which program this is: its version, and a digest of the rules and operator tables that answers
// depend on.
package identity

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Record is what rfactor version -json prints.
type Record struct {
	Version string `json:"version"`          // of the module; (devel) where it was not built as a version
	Commit  string `json:"commit,omitempty"` // where the program was built in a clone
	Changed bool   `json:"changed,omitempty"`
	Digest  string `json:"digest"` // of the rules and the tables
	Tables  string `json:"tables"` // digest of the operator tables alone
	Go      string `json:"go"`
	System  string `json:"system"`
}

// The version and the commit that make release builds: the linker sets them. They are empty elsewhere.
var release, commit string

// This returns the record of this program.
func This() Record {
	r := Record{Version: "(devel)", Digest: Digest(Rules(), Tables()), Tables: Tables(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			r.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				r.Commit = s.Value
			case "vcs.modified":
				r.Changed = s.Value == "true"
			}
		}
	}
	if release != "" {
		r.Version, r.Commit = release, commit
	}
	return r
}

// String returns the lines that rfactor version prints.
func (r Record) String() string {
	commit := r.Commit
	switch {
	case commit == "":
		commit = "unknown"
	case r.Changed:
		commit += ", changed since"
	}
	return fmt.Sprintf("rfactor %s\ncommit  %s\ndigest  %s\ngo      %s %s\n", r.Version, commit, r.Digest, r.Go, r.System)
}

// Short returns the version in one word: the commit, where there is one.
func (r Record) Short() string {
	out := r.Version
	if r.Commit != "" {
		out = r.Commit[:min(12, len(r.Commit))]
	}
	if r.Changed {
		out += "+changed"
	}
	return out
}

// Digest is the digest of everything that answers depend on besides the code, from those of the rules and of the tables.
func Digest(rules, tables string) string { return Of([]byte(rules + " " + tables)) }

// digests has those of the rules and of the tables. They are made when rules or tables are, since to digest 1.4 MB takes longer than a match.
//
//go:embed digests.txt
var digests string

// Rules returns the digest of the rules.
func Rules() string { return strings.Fields(digests)[0] }

// Tables returns the digest of the operator tables: programs with one digest have the same operators.
func Tables() string { return strings.Fields(digests)[1] }

// Of is the beginning of the SHA-256 of a text: enough to tell texts apart.
func Of(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text))[:16] }
