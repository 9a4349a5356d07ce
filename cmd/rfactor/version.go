package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/rfactor-go/rfactor/pattern"
)

var versionVerb = verb{
	name:  "version",
	about: "says which version this is: its commit, its operator tables, its Go",
	run:   runVersion,
	usage: `[-json]

Examples:
  rfactor version
  rfactor version -json

Answers depend on the version alone, and of it on the commit. The digest is of the operator tables in the
program: two programs with one digest match against the same operators.`,
}

// versionRecord is what version -json prints.
type versionRecord struct {
	Version string `json:"version"`          // of the module; (devel) where it was not built as a version
	Commit  string `json:"commit,omitempty"` // where the program was built in a clone
	Changed bool   `json:"changed,omitempty"`
	Tables  string `json:"tables"` // digest of the operator tables
	Go      string `json:"go"`
	System  string `json:"system"`
}

func runVersion(c *command, args []string) int {
	fs := newFlags()
	asJSON := fs.Bool("json", false, "print one JSON object")
	if _, code, ok := c.parse(fs, args, 0); !ok {
		return code
	}
	r := versionRecord{Version: "(devel)", Tables: tablesDigest(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
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
	if *asJSON {
		c.writeRecord(r)
		return exitMatched
	}
	commit := r.Commit
	switch {
	case commit == "":
		commit = "unknown"
	case r.Changed:
		commit += ", changed since"
	}
	c.stdout.printf("rfactor %s\ncommit  %s\ntables  %s\ngo      %s %s\n", r.Version, commit, r.Tables, r.Go, r.System)
	return exitMatched
}

// tablesDigest is a digest of the operator tables in this program.
func tablesDigest() string {
	h := sha256.New()
	for _, types := range pattern.Signatures() {
		io.WriteString(h, pattern.TableName(types)+"\n"+pattern.TableText(types))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
