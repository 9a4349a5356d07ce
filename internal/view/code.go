package view

// Code is a factored program and the Go that is emitted of it: package factored makes it.
type Code struct {
	Program []Line `json:"program,omitempty"` // the stages
	Files   []File `json:"files,omitempty"`
	Failed  string `json:"failed,omitempty"` // why there is none
}

// File is a file of Go.
type File struct {
	Name  string `json:"name"`
	Lines []Line `json:"lines"`
}

// Line is a line of text, and what of the plan it belongs to: b0 is the first buffer, s0 the first stage, s0.1 its
// second loop, s0.body what runs in the innermost one. Lines with the same Of correspond.
type Line struct {
	Text string `json:"text"`
	Of   string `json:"of,omitempty"`
}
