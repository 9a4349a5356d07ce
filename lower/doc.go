// Package lower turns a plan into something that runs: Source emits it as a Go package, Compile
// prepares it to run in this process.
//
//	p, err := plan.Factor(ctx, prog, plan.Options{Auto: true})
//	files, err := lower.Source(p, lower.SourceOptions{Package: "sum"})   // sum.go, kernel.go, sum_test.go, …
//	program, err := lower.Compile(p, lower.RunOptions{})
//	out, err := program.Run(ctx, &plan.Inputs{Arrays: …})                // out["f"]: a new ndarray.Array
//
// An emitted package has the function, which compares its arguments with what the program reads,
// splits parallel loops into contiguous slices for goroutines, and merges their results in order.
// It has plain kernels; kernels on Go 1.27's portable package simd, built with GOEXPERIMENT=simd;
// a test that compares all of them with the serial program; and a benchmark. It depends on the
// standard library alone.
//
// Both give what the serial program gives, bit for bit of integers. Floats are combined in another
// order where the plan's answers assume reassoc.
//
// Package lower is the face of two rooms: lower/emit writes the source, lower/exec runs blocks of
// elements. Arrays are of package ndarray, and package ndarray/npy reads NumPy's files.
package lower
