package lowertest

// FloatSearches lists updates f() = … over the floats in(r), of which T is the type.
func FloatSearches() []string { return floatSearches }

var floatSearches = []string{
	"{min(f()[0], in(r)), select(f()[0] < in(r), f()[1], r)}",
	"{min(f()[0], in(r)), select(f()[0] <= in(r), f()[1], r)}",
	"{min(f()[0], in(r)), select(in(r) < f()[0], r, f()[1])}",
	"{min(f()[0], in(r)), select(in(r) <= f()[0], r, f()[1])}",
	"{max(f()[0], in(r)), select(f()[0] > in(r), f()[1], r)}",
	"{max(f()[0], in(r)), select(in(r) > f()[0], r, f()[1])}",
	"{select(in(r) < f()[0], in(r), f()[0]), select(in(r) < f()[0], r, f()[1])}",
	"{select(in(r) <= f()[0], in(r), f()[0]), select(in(r) <= f()[0], r, f()[1])}",
	"{select(f()[0] < in(r), f()[0], in(r)), select(f()[0] < in(r), f()[1], r)}",
	"{select(f()[0] <= in(r), f()[0], in(r)), select(f()[0] <= in(r), f()[1], r)}",
	"{select(in(r) > f()[0], in(r), f()[0]), select(in(r) > f()[0], r, f()[1])}",
	"{select(f()[0] >= in(r), f()[0], in(r)), select(f()[0] >= in(r), f()[1], r)}",
	"{select(f()[0] > in(r), in(r), f()[0]), select(f()[0] >= in(r), r, f()[1])}",
	"{select(in(r) < f()[0], in(r), f()[0]), f()[1] + r}",
	"{select(in(r) >= f()[0], in(r), f()[0]), r}",
}

// Versions lists the three files of each of the paper's benchmarks: serial, factored by hand,
// and factored by its schedule.
func Versions(name string) []string {
	byHand := "versions/" + name + "-by-hand"
	if name == "histogram" {
		byHand = name + "-by-hand"
	}
	return []string{"versions/" + name + "-serial", byHand, name}
}

// Benchmarks lists the programs of the paper's benchmarks, each with three Versions.
func Benchmarks() []string { return benchmarks }

var benchmarks = []string{"sum", "histogram", "circle", "matmul", "argmin2d", "complex-argmax"}
