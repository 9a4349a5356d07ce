package main

func Example() {
	main()
	// Output:
	// spelling	greedy	saturation	probing	all
	// max	max(x0, y0)	max(x0, y0)	max(x0, y0)	max(x0, y0)
	// select	max(x0, y0)	max(x0, y0)	max(x0, y0)	max(x0, y0)
	// guarded	-	max(x0, y0)	max(x0, y0)	max(x0, y0)
	// added	-	max(x0, y0)	max(x0, y0)	max(x0, y0)
}
