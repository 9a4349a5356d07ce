package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommits runs .ci/commits in histories of its own: a good commit passes, each bad one is named with the reason.
func TestCommits(t *testing.T) {
	for _, program := range []string{"git", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	script, err := os.ReadFile("../../.ci/commits")
	if err != nil {
		t.Fatal(err)
	}
	const body = "\n\nWithout it nobody would know why this was done."
	at := t.TempDir()
	// in runs a program in a folder, with nobody's settings.
	in := func(dir, name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = filepath.Join(at, dir)
		cmd.Env = append(os.Environ(), "HOME="+at, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CEILING_DIRECTORIES="+at,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	git := func(dir string, args ...string) string {
		t.Helper()
		out, err := in(dir, "git", args...)
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(out)
	}
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(at, dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(at, "repo", ".ci"), 0o777); err != nil {
		t.Fatal(err)
	}
	git("repo", "init", "-q", "-b", "main")
	git("repo", "commit", "-q", "--allow-empty", "-m", "An old commit that has no package and no body, and whose subject is far too long for the rule")
	write("repo", ".ci/commits", string(script))
	write("repo", ".ci/commits-from", git("repo", "rev-parse", "HEAD")+"\n")
	git("repo", "add", ".")
	git("repo", "commit", "-q", "-m", "ci: check commits"+body)
	good := git("repo", "rev-parse", "HEAD")
	for _, test := range []struct{ message, says string }{
		{"internal/claims, verify: bring both readers together" + body, ""},
		{"verify: need fewer facts" + body, ""},
		{"verify: express what is ⊕, ⊕, ⊕, ⊕, ⊕, ⊕, ⊕, ⊕, ⊕, ⊕, ⊕, ⊕, ⊕ and ⊕" + body, ""}, // 70 characters, and more bytes
		{"verify: demand of every lift that it says what it was made of, and of which parts" + body, "longer than 72 characters"},
		{"Demand ninf of lifts" + body, "begin with a package"},
		{"verify: demanded ninf of lifts" + body, `"demanded" is no imperative`},
		{"verify: demands ninf of lifts" + body, `"demands" is no imperative`},
		{"verify: demand ninf of lifts." + body, "ends in a period"},
		{"verify: demand ninf of lifts", "no body says why"},
		{"verify: demand ninf of lifts\n\nSigned-off-by: Some Person of a House <a@b>", "no body says why"},
	} {
		git("repo", "commit", "-q", "--allow-empty", "-m", test.message)
		out, err := in("repo", ".ci/commits")
		if (err == nil) != (test.says == "") || !strings.Contains(out, test.says) {
			t.Errorf("%q: %v\n%s", test.message, err, out)
		}
		git("repo", "reset", "-q", "--hard", good)
	}
	if err := os.MkdirAll(filepath.Join(at, "repo", "lab/cmd/tree"), 0o777); err != nil {
		t.Fatal(err)
	}
	change := func(limit, other string) {
		write("repo", "lab/cmd/tree/limit.txt", limit)
		write("repo", "other.txt", other)
		git("repo", "add", ".")
		git("repo", "commit", "-q", "-m", "lab: change the limit"+body)
	}
	change("100\n", "one")
	change("90\n", "two")
	change("95\n", "two")
	if out, err := in("repo", ".ci/commits"); err != nil {
		t.Errorf("a limit of lines: %v\n%s", err, out)
	}
	change("96\n", "three")
	if out, err := in("repo", ".ci/commits"); err == nil || !strings.Contains(out, "takes a commit of its own") {
		t.Errorf("a limit of lines that is raised beside other changes: %v\n%s", err, out)
	}
	git("repo", "reset", "-q", "--hard", good)
	git("repo", "checkout", "-q", "-b", "other")
	git("repo", "commit", "-q", "--allow-empty", "-m", "ir: add a type"+body)
	git("repo", "checkout", "-q", "main")
	git("repo", "merge", "-q", "--no-ff", "-m", "Merge branch 'other'", "other")
	if out, err := in("repo", ".ci/commits"); err != nil || !strings.Contains(out, "3 new commits") {
		t.Errorf("a merge: %v\n%s", err, out)
	}
	git(".", "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(filepath.Join(at, "repo")), "shallow")
	if out, err := in("shallow", ".ci/commits"); err != nil || !strings.Contains(out, "last commit alone") {
		t.Errorf("a shallow clone: %v\n%s", err, out)
	}
	write("repo", ".ci/commits-from", strings.Repeat("0", 40)+"\n")
	if out, err := in("repo", ".ci/commits"); err != nil || !strings.Contains(out, "no commit 000") {
		t.Errorf("a commit that there is not: %v\n%s", err, out)
	}
	if err := os.RemoveAll(filepath.Join(at, "repo", ".git")); err != nil {
		t.Fatal(err)
	}
	if out, err := in("repo", ".ci/commits"); err != nil || !strings.Contains(out, "no history") {
		t.Errorf("a tree without a history: %v\n%s", err, out)
	}
}
