package emit

import (
	"strings"

	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Traced is Source, with the places of the plan that lines of the files stem from: places of a file has one for each
// of its lines, the zero Place of lines that stem from none.
func Traced(p *plan.Plan, pkg string) (files map[string][]byte, places map[string][]plan.Place, err error) {
	files, g, err := source(p, pkg)
	if err != nil {
		return nil, nil, err
	}
	places = map[string][]plan.Place{}
	for name, text := range files {
		places[name] = g.written[name].placesIn(string(text))
	}
	return files, places, nil
}

// placesIn finds the lines that were written in a file that has them, formatted, among others. A nil unit has none.
func (u *unit) placesIn(file string) []plan.Place {
	lines := strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	out := make([]plan.Place, len(lines))
	if u == nil {
		return out
	}
	from := 0
	for at, written := range strings.Split(u.b.String(), "\n") {
		written = bare(written)
		if at == len(u.places) || written == "" {
			continue
		}
		for i := from; i < len(lines); i++ {
			if bare(lines[i]) == written {
				out[i], from = u.places[at], i+1
				break
			}
		}
	}
	return out
}

// bare is a line without the spaces that formatting adds and removes.
func bare(line string) string { return strings.Join(strings.Fields(line), "") }
