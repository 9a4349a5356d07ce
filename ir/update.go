package ir

// Update is the body of a reduction, as a matcher takes it: the new value of each component of a
// tuple, over x_i (its previous values), y_i, k_i, reduction coordinates, and opaque calls.
type Update struct {
	Source         *Source   // for errors; may be nil
	Pool           *Pool     // of all expressions below
	Types          []Type    // of the components
	Values         []Expr    // Values[i] has type Types[i]
	Vars           []Expr    // the declared variables, in their order; those that occur, of a program
	NonNeg         []Expr    // variables that are never negative: reduction coordinates, and those declared u31
	Given          []Expr    // promised of the state, of inputs and of constants; see ParseGiven
	Init           []Expr    // of a program: what the components start with; the zero Expr where that is no literal
	Args           []Expr    // of a program: the arguments of the left side
	Self           []SelfRef // of a program: where the function is read
	Keep           []Kept    // what of the state the loop keeps of every step; empty where it keeps the last state alone
	Ended          int       // the component that says that the loop has ended, by until; 0 for none, since it is the last of several
	Placed, Narrow string    // of a program, or "": the function at whose counted places steps write; why steps cut floats off: "f is i32 by line 2: write 0.0f"
}

// Kept is a component of the state that a loop keeps of every step: its value before the step (an exclusive
// scan), or after it (an inclusive one).
type Kept struct {
	Component int
	Before    bool
}

// SelfRef is a read of the reduction's own function: f(args)[i].
type SelfRef struct {
	Call Expr // as it stands in the values, or stood
	Same bool // its arguments are the very expressions of the left side: it is x_i
	Pos  Pos
	Hint string // where it is neither x_i nor an earlier step's result: what the program could say instead
}
