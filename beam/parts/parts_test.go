package parts

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestDo(t *testing.T) {
	folder := t.TempDir()
	p := Part{Folder: folder, Name: "part-1", Job: map[string]int{"size": 1}}
	times := 0
	work := func(dir string) error {
		times++
		return os.WriteFile(filepath.Join(dir, "result"), []byte("text"), 0o666)
	}
	do := func(p Part, reused bool) {
		t.Helper()
		before := times
		got, err := p.Do(work)
		if err != nil || got != reused || (times == before) != reused {
			t.Errorf("reused %v, done %d times, %v", got, times-before, err)
		}
		if !p.Holds() {
			t.Error("the part does not hold")
		}
	}
	failure := errors.New("no luck")
	if _, err := p.Do(func(dir string) error { work(dir); return failure }); err != failure || p.Holds() {
		t.Error("a failure made a part", err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Error("a failure left", left)
	}
	do(p, false)
	do(p, true)

	if err := os.WriteFile(filepath.Join(p.Path(), "result"), []byte("test"), 0o666); err != nil {
		t.Fatal(err)
	}
	do(p, false) // a file was changed
	if err := os.WriteFile(filepath.Join(p.Path(), "more"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	do(p, false) // there is one more
	if err := os.Remove(p.Record()); err != nil {
		t.Fatal(err)
	}
	do(p, false)
	other := p
	other.Job = map[string]int{"size": 2}
	do(other, false)
	do(p, false)
}

// Of attempts, those that no process holds are removed, and those under way are left.
func TestSweep(t *testing.T) {
	folder := t.TempDir()
	dead, err := newAttempt(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead.dir, "result"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	dead.lock.Close() // as the end of its process does
	alive, err := newAttempt(folder)
	if err != nil {
		t.Fatal(err)
	}
	sweep(folder)
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || !slices.Equal(left, []string{alive.dir, alive.lock.Name()}) {
		t.Errorf("%v are left of %s, which is dead, and %s; %v", left, dead.dir, alive.dir, err)
	}
	alive.remove()
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Error("an attempt left", left)
	}
}
