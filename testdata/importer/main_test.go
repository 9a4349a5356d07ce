package main

func Example() {
	main()
	// Output:
	// associative
	// x0 ⊕ y0 = x0 + y0
	// identity 0 on side two
	// inject   select(k0 < y0, 1, 0)
	// where    k0 is k
	// where    y0 is in(r)
}
