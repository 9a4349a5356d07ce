package gocode

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// fixFindings replaces the loops of findings for which there is a fix, or prints the change. What would not compile stays as
// it is.
func (c *command) fixFindings(findings []*golang.Finding, o vetOptions) int {
	changes, err := golang.SettleFixes(c.Ctx, "", findings, false)
	if err != nil {
		return c.Errorf("%v", err)
	}
	left := 0 // there is no fix, or it would not compile
	for _, f := range findings {
		if !f.HasFix() {
			left++
		}
		switch {
		case f.Fix == "":
		case o.asJSON:
			if err := c.printFinding(f); err != nil {
				return c.Errorf("%v", err)
			}
		case !f.HasFix():
			c.Stdout.Printf("%s: %s%s\n", f.Pos, share(f, o.total), f.Fix)
		case o.fix:
			c.Stdout.Printf("%s: %sruns by %s where it is long\n", f.Pos, share(f, o.total), f.Fix)
		}
	}
	here, _ := os.Getwd()
	for _, change := range changes {
		name := relative(here, change.File)
		if o.diff {
			old := name
			if change.Before == nil {
				old = "/dev/null"
			}
			c.Stdout.Write(diff.Diff(old, change.Before, name, change.After))
			continue
		}
		if err := writeChange(change); err != nil {
			return c.Errorf("%v", err)
		}
	}
	if o.fix {
		fmt.Fprintf(c.Stderr, "rfactor vet: %s written\n", cli.Count(len(changes), "file"))
	}
	if left > 0 {
		fmt.Fprintf(c.Stderr, "rfactor vet: %s left as they are: no slices of theirs run in parallel, or the reason stands above\n", cli.Count(left, "loop"))
	}
	return verbs.Matched
}

// writeChange writes a file. One that should be new, or has changed since it was read, is left alone.
func writeChange(change golang.Change) error {
	if change.Before == nil {
		if err := os.MkdirAll(filepath.Dir(change.File), 0o755); err != nil {
			return err
		}
		f, err := os.OpenFile(change.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		if _, err := f.Write(change.After); err != nil {
			return err
		}
		return f.Close()
	}
	now, err := os.ReadFile(change.File)
	if err != nil {
		return err
	}
	if string(now) != string(change.Before) {
		return fmt.Errorf("%s has changed meanwhile", change.File)
	}
	return save.Text(change.File, change.After)
}
