package main

func Example() {
	main()
	// Output:
	// count positive: reduce select(0 < y0, 1, 0) from 0, and combine slices by x0 + y0
	// digits: compose steps (10; y0) by (x0*y0; x1*y0 + y1), then apply x0*p0 + p1
	// sum of floats: serial, needs-assumption
	// logistic: serial, not-associative
}
