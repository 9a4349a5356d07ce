package golang

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/internal/save"
)

// Cache remembers what was found in packages, by the content of the program, of the package and of all that it imports. Its folder is
// that of the user's cache: what is there can be deleted at any time, and what was not used for some days is.
type Cache struct {
	folder string
	tool   string // digest of the program and of what it was asked
}

// Result is what was found in a package.
type Result struct {
	Path     string
	Findings []*Finding
	Summary  Summary
	Err      error `json:"-"` // nothing that failed is remembered

	Known bool `json:"-"` // it is filled in

	key string // of the cache; empty where it is not remembered
}

// unusedFor is how long a result that nobody asks for is kept.
const unusedFor = 5 * 24 * time.Hour

// NewCache returns the cache for what an inspector finds, in a folder; an empty one is that of the user. The error says why there is none.
func NewCache(in *Inspector, folder string) (*Cache, error) {
	if folder == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		folder = filepath.Join(user, "rfactor", "vet")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	program, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	h := sha256.New()
	if _, err := io.Copy(h, program); err != nil {
		return nil, err
	}
	fmt.Fprintf(h, "%v %q", in.Strict, in.Par)
	for _, name := range []string{"GOOS", "GOARCH", "GOFLAGS", "GOTOOLCHAIN", "GOEXPERIMENT", "CGO_ENABLED"} {
		fmt.Fprintf(h, " %q", os.Getenv(name))
	}
	return &Cache{folder, hex.EncodeToString(h.Sum(nil))}, nil
}

// Lookup lists the packages that patterns name, in their order, with what is remembered of them. To find out about those that are not Known,
// the packages needed have to be loaded: those, and the ones that they import, of whose functions they may ask. Nothing is type-checked.
func (c *Cache) Lookup(ctx context.Context, dir string, patterns ...string) (list []*Result, needed []string, err error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule
	loaded, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: mode}, patterns...)
	if err != nil {
		return nil, nil, err
	}
	named := map[*packages.Package]bool{}
	for _, p := range loaded {
		if p.ID != p.PkgPath { // files that are named one by one
			return nil, nil, errors.New("no package is named")
		}
		named[p] = true
	}
	keys := map[*packages.Package]string{}
	packages.Visit(loaded, nil, func(p *packages.Package) { keys[p] = c.keyOf(p, named[p], keys) }) // imports come first
	var missing []*packages.Package
	for _, p := range loaded {
		r := &Result{Path: p.PkgPath, key: keys[p]}
		list = append(list, r)
		if !c.read(r) {
			missing = append(missing, p)
		}
	}
	packages.Visit(missing, nil, func(p *packages.Package) {
		if named[p] {
			needed = append(needed, p.PkgPath)
		}
	})
	return list, needed, nil
}

// keyOf digests a package with all that it imports; it is empty where something cannot be read. What is known of the functions of a package depends on
// whether it is named.
func (c *Cache) keyOf(p *packages.Package, named bool, keys map[*packages.Package]string) string {
	if len(p.Errors) > 0 {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %q %s %v\n", c.tool, runtime.Version(), p.PkgPath, p.Dir, named)
	if m := p.Module; m != nil {
		fmt.Fprintf(h, "%q %q %v %s\n", m.Path, m.Dir, m.Main, m.GoVersion)
		if m.Main { // a fix depends on whether package par is there
			text, _ := os.ReadFile(filepath.Join(m.Dir, "internal", "par", "par.go"))
			folder, _ := os.ReadDir(filepath.Join(m.Dir, "internal", "par"))
			fmt.Fprintf(h, "%d %x\n", len(folder), sha256.Sum256(text))
		}
	}
	for _, name := range slices.Concat(p.GoFiles, p.OtherFiles) {
		text, err := os.ReadFile(name)
		if err != nil {
			return ""
		}
		fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(text))
	}
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		key := keys[p.Imports[path]]
		if key == "" {
			return ""
		}
		fmt.Fprintf(h, "%q %s\n", path, key)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (c *Cache) file(r *Result) string { return filepath.Join(c.folder, r.key+".json") }

// read fills in what is remembered.
func (c *Cache) read(r *Result) bool {
	if r.key == "" {
		return false
	}
	text, err := os.ReadFile(c.file(r))
	if err != nil {
		return false
	}
	var known Result
	if json.Unmarshal(text, &known) != nil || known.Path != r.Path {
		return false
	}
	r.Findings, r.Summary, r.Known = known.Findings, known.Summary, true
	now := time.Now()
	os.Chtimes(c.file(r), now, now)
	return true
}

// Store remembers results, and deletes those for which nobody asked for long. What cannot be written is not remembered.
func (c *Cache) Store(list []*Result) {
	for _, r := range list {
		if r.key == "" || r.Err != nil || !r.Known {
			continue
		}
		text, err := json.Marshal(r)
		if err != nil {
			continue
		}
		save.Text(c.file(r), text)
	}
	entries, _ := os.ReadDir(c.folder)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unusedFor {
			os.Remove(filepath.Join(c.folder, e.Name()))
		}
	}
}

// batch is how many packages LoadInBatches loads at once: syntax and types of one take some 3 MB.
const batch = 40

// LoadInBatches loads packages of which each comes behind those that it imports, as Lookup gives them, some at a time, and hands them to a function. What the
// functions of earlier ones do is known in later ones.
func LoadInBatches(ctx context.Context, dir string, paths []string, inspect func([]*Package)) (problems []error, err error) {
	facts := &read.Facts{}
	for part := range slices.Chunk(paths, batch) {
		list, wrong, err := load(ctx, dir, false, facts, part)
		if err != nil {
			return problems, err
		}
		problems = append(problems, wrong...)
		inspect(list)
		for _, p := range list {
			p.build() // of one that was known, the functions
		}
	}
	return problems, nil
}

// InOrder sorts packages so that each comes behind those that it imports. When they are inspected in this order, no more is held of
// them than is needed.
func InOrder(list []*Package) (sorted []*Package) {
	seen := map[*Package]bool{}
	var add func(p *Package)
	add = func(p *Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, imported := range p.imports {
			add(imported)
		}
		if slices.Contains(list, p) {
			sorted = append(sorted, p)
		}
	}
	for _, p := range list {
		add(p)
	}
	return sorted
}

// Forget lets go of the syntax of a package that was inspected, and is not to be changed. What is known of its functions stays.
func (p *Package) Forget() { p.Files, p.Info, p.imports = nil, nil, nil }
