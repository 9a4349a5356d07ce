package golang

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// overlayShared is the file of each package beside the loops, and overlayTest the test that runs them.
const overlayShared = `package NAME

type RfOverlayLog struct {
	Record func(leaf int, x interface{})
	Step   func(x ...interface{}) bool
	Done   func(x ...interface{})
}

type RfOverlayLoop struct {
	Number int
	Run    func(rf *RfOverlayLog, r *RfOverlayRand)
}

var RfOverlayRuns []RfOverlayLoop

type RfOverlayRand struct {
	State uint64
	Base  int
	Wild  bool
}

func (r *RfOverlayRand) Next() uint64 {
	r.State += 0x9e3779b97f4a7c15
	z := r.State
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *RfOverlayRand) Length() int {
	if r.Next()%8 == 0 {
		return int(r.Next() % 24)
	}
	return r.Base
}

func (r *RfOverlayRand) Int(depth int) int64 {
	if depth < 3 && r.Next()%4 == 0 || r.Wild && r.Next()%3 == 0 {
		corners := [...]int64{-1 << 63, 1<<63 - 1, -1, 127, -128, 255, 65535, 1<<31 - 1, -1 << 31}
		if n := r.Next() % 12; n < 9 {
			return corners[n]
		}
		return int64(r.Next())
	}
	if r.Next()%2 == 0 {
		return int64(r.Next() % 3)
	}
	return int64(r.Next() % uint64(r.Base+1))
}

func (r *RfOverlayRand) Float() float64 {
	zero := 0.0
	switch r.Next() % 24 {
	case 0:
		return zero / zero
	case 1:
		return 1 / zero
	case 2:
		return -1 / zero
	case 3:
		return -zero * 1
	case 4:
		return -1 / (1 / zero)
	}
	return float64(int64(r.Next()%4001)-2000) / 64
}

func (r *RfOverlayRand) Text() string {
	b := make([]byte, r.Length())
	for i := range b {
		b[i] = "a 0\xff\n/.:Zé"[r.Next()%11]
	}
	return string(b)
}
`

const overlayTest = `package NAME_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	rfx PATH
)

type rfStop struct{}

func rfText(x interface{}) string {
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return "1"
		}
		return "0"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprintf("%x", uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return fmt.Sprintf("%x", v.Uint())
	case reflect.Float32, reflect.Float64:
		return fmt.Sprintf("~%x", math.Float64bits(v.Float()))
	case reflect.String, reflect.Slice:
		return fmt.Sprintf("%x", v.Len())
	}
	return "?"
}

func rfTexts(list []interface{}) string {
	var texts []string
	for _, x := range list {
		texts = append(texts, rfText(x))
	}
	return strings.Join(texts, ",")
}

func TestRfOverlay(t *testing.T) {
	file, err := os.Create(OUT)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	for _, loop := range rfx.RfOverlayRuns {
		fmt.Fprintf(out, "loop %d\n", loop.Number)
		out.Flush()
		steps := 0
		for run := 0; run < 80 && steps < 150; run++ {
			open, before, leaves := false, "", ""
			rf := &rfx.RfOverlayLog{}
			rf.Record = func(leaf int, x interface{}) { leaves += fmt.Sprintf("%d=%s;", leaf, rfText(x)) }
			rf.Step = func(x ...interface{}) bool {
				texts := rfTexts(x)
				if open {
					fmt.Fprintf(out, "step %s|%s|%s\n", before, leaves, texts)
					if steps++; steps%60 == 0 {
						panic(rfStop{})
					}
				}
				open, before, leaves = true, texts, ""
				return true
			}
			rf.Done = func(x ...interface{}) {
				if open {
					fmt.Fprintf(out, "done %s|%s|%s\n", before, leaves, rfTexts(x))
					steps++
				}
				open = false
			}
			func() {
				defer func() { recover() }()
				loop.Run(rf, &rfx.RfOverlayRand{State: uint64(run) * 1e9, Base: []int{0, 1, 2, 3, 7, 8, 12, 20}[run%8], Wild: run%3 == 2})
				if open {
					fmt.Fprintf(out, "left %s|%s|\n", before, leaves)
				}
			}()
		}
	}
	fmt.Fprintln(out, "end")
	out.Flush()
	file.Close()
}
`

// writeTests writes copies of loops of one package, the files beside them, and what hides the package's own tests. The test
// writes to a file of its own; overlay gets the names of the files with their replacements in folder to.
func writeTests(p *Package, list []*copied, to, out string, overlay map[string]string) error {
	dir := filepath.Dir(p.Fset.Position(p.Files[0].FileStart).Filename)
	own, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, name := range own {
		overlay[name] = ""
	}
	add := func(name, text string) error {
		at := filepath.Join(to, strings.ReplaceAll(p.Types.Path(), "/", "_")+"_"+name)
		overlay[filepath.Join(dir, name)] = at
		return os.WriteFile(at, []byte(text), 0o644)
	}
	if err := add("zz_rfactor_shared_test.go", strings.Replace(overlayShared, "NAME", p.Types.Name(), 1)); err != nil {
		return err
	}
	text := strings.NewReplacer("NAME", p.Types.Name(), "PATH", strconv.Quote(p.Types.Path()), "OUT", strconv.Quote(out)).Replace(overlayTest)
	if err := add("zz_rfactor_rest_test.go", text); err != nil {
		return err
	}
	for _, l := range list {
		if err := add(fmt.Sprintf("zz_rfactor_%d_test.go", l.number), l.text); err != nil {
			return err
		}
	}
	return nil
}
