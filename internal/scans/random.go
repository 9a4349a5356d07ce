package scans

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random writes a program with a recurrence of integers that is drawn: what it reads, where it runs, and its schedule. Its
// function is f, its input in has as many dimensions as f.
func Random(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	two := rng.IntN(2) == 0
	t := pick("Int(32)", "UInt(8)", "Int(64)", "UInt(32)")
	typ := map[string]string{"Int(32)": "int32_t", "UInt(8)": "uint8_t", "Int(64)": "int64_t", "UInt(32)": "uint32_t"}[t]
	depth := 1 + rng.IntN(2)
	// the coordinate, the index that it moves, and the index some steps back
	at, back := "r", func(n int) string { return fmt.Sprintf("r - %d", n) }
	from, size := fmt.Sprint(depth), fmt.Sprintf("in.width() - %d", depth)
	read := "in(r%s)"
	switch rng.IntN(3) {
	case 1:
		at, from, size = "r + 2", "0", "in.width()"
		back = func(n int) string { return []string{"", "r + 1", "r"}[n] }
	case 2:
		at, from, size = "in.width() - 1 - r", "0", "in.width()"
		back = func(n int) string { return fmt.Sprintf("in.width() - 1 - r + %d", n) }
		read = "in(in.width() - 1 - r%s)"
	}
	other := ""
	args := "x"
	if two {
		other, args = ", y", "x, y"
		if rng.IntN(2) == 0 && strings.HasPrefix(at, "r") { // series along the second dimension
			size = strings.ReplaceAll(size, "width", "height")
			return series(rng, t, typ, at, back, from, size, depth, pick)
		}
	}
	self := func(n int) string { return "f(" + back(n) + other + ")" }
	leaf := fmt.Sprintf(read, other)
	if rng.IntN(3) == 0 {
		leaf = pick("("+leaf+" + f("+at+other+"))", "select("+leaf+" > 1, "+leaf+", 2)")
	}
	update := steps(rng, self, leaf, depth, typ)
	var b strings.Builder
	fmt.Fprintf(&b, "ImageParam in(%s, %d); Func f; Var x, y; RVar yo, yi; RDom r(%s, %s);\n", t, 1+strings.Count(args, ","), from, size)
	fmt.Fprintf(&b, "f(%s) = cast<%s>(%d);\nf(%s%s) = %s;\n", args, typ, rng.IntN(3), at, other, update)
	if two && rng.IntN(2) == 0 {
		b.WriteString(pick("f.update(0).parallel(y);\n", "f.update(0).split(y, yo, yi, 3).parallel(yo);\n"))
	}
	b.WriteString(schedule(rng, "r"))
	return b.String()
}

// series is a recurrence along the second dimension, side by side for each element of the first.
func series(rng *rand.Rand, t, typ, at string, back func(int) string, from, size string, depth int, pick func(...string) string) string {
	update := steps(rng, func(n int) string { return "f(x, " + back(n) + ")" }, "in(x, r)", depth, typ)
	text := fmt.Sprintf("ImageParam in(%s, 2); Func f; Var x, y; RVar xo, xi; RDom r(%s, %s);\nf(x, y) = in(x, 0);\nf(x, %s) = %s;\n", t, from, size, at, update)
	if rng.IntN(2) == 0 {
		return text + pick("f.update(0).split(x, xo, xi, 4).parallel(xo).reorder(xi, r);\n", "f.update(0).vectorize(x, 4);\n", "f.update(0).parallel(x);\n")
	}
	return text + schedule(rng, "r")
}

// steps is an update of what is read one and more steps back.
func steps(rng *rand.Rand, self func(int) string, leaf string, depth int, typ string) string {
	if depth == 2 {
		return []string{self(1) + " + " + self(2) + " + " + leaf, leaf + " - " + self(2), "cast<" + typ + ">(3)*" + self(1) + " + " + leaf + "*" + self(2)}[rng.IntN(3)]
	}
	return []string{self(1) + " + " + leaf, leaf + " ^ " + self(1), "max(" + self(1) + ", " + leaf + ")", "min(" + leaf + ", " + self(1) + ")",
		"cast<" + typ + ">(5)*" + self(1) + " + " + leaf, self(1) + "*" + leaf, "select(" + leaf + " > 1, " + leaf + ", " + self(1) + ")", self(1) + " - " + leaf}[rng.IntN(8)]
}

func schedule(rng *rand.Rand, v string) string {
	tile := 1 + rng.IntN(9)
	text := fmt.Sprintf("f.update(0).scan(%s, %d)", v, tile)
	if rng.IntN(2) == 0 {
		text += ".parallel(" + v + ")"
	}
	if rng.IntN(3) == 0 {
		lanes := 1
		for 2*lanes <= tile && rng.IntN(3) > 0 {
			lanes *= 2
		}
		text += fmt.Sprintf(".vectorize(%s, %d)", v, lanes)
	}
	return text + ";\n"
}
