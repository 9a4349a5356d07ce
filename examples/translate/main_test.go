package main

func Example() {
	main()
	// Output:
	// dot product of positive elements: inject 6, combine 3 instructions; serial 8418, in slices 8418
	// least difference: inject 3, combine 3 instructions; serial -18, in slices -18
	// digits: inject 2, combine 7 instructions; serial -4075656105573580915, in slices -4075656105573580915
	// last of a that is over b: inject 5, combine 6 instructions; serial 11, in slices 11
	// logistic: stays serial: not-associative
}
