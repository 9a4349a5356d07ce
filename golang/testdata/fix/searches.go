package fix

import "strings"

// Point is a pair of numbers.
type Point = struct{ X, Y int }

func Any(a []int, x int) bool {
	for _, v := range a { // fixed
		if v == x {
			return true
		}
	}
	return false
}

func All(a []byte, k byte) bool {
	ok := true
	for _, v := range a { // fixed
		if v > k {
			ok = false
			break
		}
	}
	return ok
}

func First(a []int, x int) int {
	for i, v := range a { // fixed
		if v == x {
			return i
		}
	}
	return -1
}

func Same(a, b []int) (at, v, w int) {
	for i := range a { // fixed
		if a[i] == b[i] {
			continue
		}
		return i, a[i], b[i]
	}
	return -1, 0, 0
}

func Strided(a []int, from, x int) (at int) {
	at = -1
	for i := from; i < len(a)-1; i += 3 { // fixed
		if a[i] == x || a[i+1] == x {
			at = i
			break
		}
	}
	return at
}

func Inclusive(a []int, x int) (at int) {
	for i := 1; i <= len(a)-2; i++ { // fixed
		if a[i] == x {
			return i + 1000
		}
	}
	return -1
}

func Counted(a []int, n, x int) int {
	for i := range n { // fixed
		if a[i*i%len(a)] == x {
			return i
		}
	}
	return n
}

// The step is done again where it ends: by more than one statement, and with what the step computes.
func Several(a []int, x, y int) (string, int) {
	for i, v := range a { // fixed
		w := v ^ i
		if w == x {
			return "x", v
		} else if v == y {
			if w > y {
				return "y", w
			}
			continue
		}
		switch {
		case w == -x && i > 3:
			return "-x", i
		case w == -y:
			break
		default:
		}
	}
	return "", 0
}

// The end of the search assigns a variable that its steps read.
func Moves(a []int, limit int) (int, int) {
	limit--
	n := 0
	for _, v := range a { // fixed
		if v > limit {
			limit = v
			n++
			break
		}
	}
	return limit, n
}

// The end of the search calls, stores, and has loops of its own.
func Ends(a, out []int, x int) (s int) {
	for i, v := range a { // fixed
		if v == x {
			for j := range out {
				if j == i {
					break
				}
				out[j] += v
				s += out[j]
			}
			defer func() { s++ }()
			return s + len(out)
		}
	}
	return s
}

// A step may panic where the search does not get.
func Divides(a []int, x int) (at int) {
	for i, v := range a { // fixed
		if x/v == 7 {
			return i
		}
	}
	return -1
}

func Checks(a []int, k int) {
	for i := range a { // fixed
		if a[i] > k {
			panic("too large")
		}
	}
}

func Structs(a []Point, x int) *Point {
	for i := range a { // fixed
		if a[i].X+a[i].Y == x {
			return &a[i]
		}
	}
	return nil
}

func Found(a []Point, x int) (Point, int) {
	for i, p := range a { // fixed
		if p.X == x || p.Y == -x {
			p.X++
			return p, i
		}
	}
	return Point{}, 0
}

func Nested(a [][]int, x int) (at int) {
	at = -1
rows:
	for r, row := range a {
		for i, v := range row { // fixed
			if v == x {
				at = r*1000 + i
				break rows
			}
			if v == -x {
				continue rows
			}
		}
	}
	return at
}

func Early(a []int, x int) (at int) {
	for i, v := range a { // fixed
		if v < x {
			if v%2 == 0 {
				continue
			}
			if v%3 == 0 {
				return i
			}
			at = v
			return -at
		}
	}
	return 0
}

func Local(a []int, x int) (at int) {
	type mine int
	for i, v := range a { // fixed
		const k = 3
		if w := mine(v) * k; w == mine(x) {
			return int(w) + i
		}
	}
	return 0
}

func Words(a []string, x string) int {
	//rfactor:ahead
	for i, s := range a { // fixed
		if strings.HasPrefix(s, x) {
			return i
		}
	}
	return -1
}

// Another goroutine may be writing the strings behind the one that is found.
func Strings(a []string, x string) int {
	for i, s := range a { // refused: steps behind its end load a string, which another goroutine may be writing: that takes //rfactor:ahead
		if s == x {
			return i
		}
	}
	return -1
}

func Keys(m map[int]bool, a []int) bool {
	for _, v := range a { // refused: steps behind its end look into a map
		if m[v] {
			return true
		}
	}
	return false
}

func Goes(a []int, c chan int) bool {
	for _, v := range a {
		if v == <-c {
			return true
		}
	}
	return false
}

// collatz does not end for 0, where the loop does not get.
func Hangs(a []int) int {
	for i, v := range a { // refused: a step calls collatz, which is not known to end
		if collatz(v) > 100 {
			return i
		}
	}
	return -1
}

func Counts(a []int) (n int) {
	for _, v := range a { // refused: n is assigned and no part of the state
		if v == 0 {
			break
		}
		n++
	}
	return n
}

func Short(a *[9]int) int {
	for i, v := range a[:] { // refused: what it ranges over is short
		if v == 0 {
			return i
		}
	}
	return -1
}

func Until(a []int, x int) int {
	i := 0
	for i < len(a) && a[i] != x { // refused: does not begin one counter
		i++
	}
	return i
}

func Jumps(a []int, x int) bool {
	for _, v := range a { // refused: no statement ends the loop
		if v == x {
			goto found
		}
	}
	return false
found:
	return true
}

var words = []string{"a", "b"}

func isWord(v int) bool { return v < len(words) && words[v] == "a" }

func isOdd(v int) bool { return v%2 != 0 }

func Globals(a []int) int {
	for i, v := range a { // refused: steps behind its end call a function that may load
		if isWord(v) {
			return i
		}
	}
	return -1
}

func Odd(a []int) int {
	for i, v := range a { // fixed
		if isOdd(v) {
			return i
		}
	}
	return -1
}
