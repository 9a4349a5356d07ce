package plan

import (
	"strings"
	"testing"
)

// TestScanText wants tiles printed as a program: what each pass reduces by, takes, publishes and keeps.
func TestScanText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"ImageParam in(Int(32), 1); Func f; Var x; RDom r(2, in.width() - 2); f(x) = {1, 0}; f(r) = {3*f(r - 1)[0] - f(r - 2)[0] + in(r), f(r - 1)[0]*2}; f.update(0).scan(r, 8).parallel(r).vectorize(r, 4);", `
// scan of f, from f.update(0)
for each tile of 8 steps of r in 2..in.width() parallel:
  for each r of the tile:
    total = 3, -1, in(r), 0 at the first, then total[1] + total[0]*3, total[1]*3 - (total[0] + total[1]*3), total[2]*3 + in(r) - total[3], total[2], by a tree in blocks of 4
  take state before the tile, publish state[0]*total[0] + state[1]*total[1] + total[2], state[1]*(total[0] + total[1]*3) - state[0]*total[1] + total[3] behind it
  for each r of the tile:
    state = state[0]*total[0] + state[1]*total[1] + total[2], state[1]*(total[0] + total[1]*3) - state[0]*total[1] + total[3]
    f(r) = state[0], before:state[0]*2
the first tile starts from f(1)[0], f(0)[0]
`},
		{"ImageParam in(Int(32), 2); Func f; Var y; RDom r(1, in.width() - 1); f(x, y) = {0, 0}; f(r, y) = {max(f(r - 1, y)[0], in(r, y)), f(r - 1, y)[1] + select(in(r, y) > f(r - 1, y)[0], 1, 0)}; f.update(0).scan(r, 8).parallel(y);", `
// scan of f, from f.update(0)
for y in 0..in.height() parallel:
  for each tile of 8 steps of r in 1..in.width():
    // pass 1 of 2, over x0
    for each r of the tile:
      total0 = in(r, y) at the first, then max(total0, in(r, y))
    take state0 before the tile, publish max(state0, total0) behind it
    for each r of the tile:
      state0 = max(state0, in(r, y)) // kept in a buffer of the tile
    // pass 2 of 2, over x1
    for each r of the tile:
      total1 = select(in(r, y) > before0, 1, 0) at the first, then total1 + select(in(r, y) > before0, 1, 0)
    take state1 before the tile, publish state1 + total1 behind it
    for each r of the tile:
      state1 = state1 + select(in(r, y) > before0, 1, 0) // kept in a buffer of the tile
    for each r of the tile:
      f(r, y) = state0, state1
  the first tile starts from f(0, y)[0], f(0, y)[1]
`},
	} {
		p, err := Factor(t.Context(), parseText(t, "scan.rf", strings.Replace(test.text, "Var y", "Var x, y", 1)), plain)
		if err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(p.String(), "\n// scan"); "\n// scan"+got != test.want {
			t.Errorf("%s\nwanted%s", "\n// scan"+got, test.want)
		}
	}
}
