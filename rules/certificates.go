package rules

import _ "embed"

//go:embed certificates.jsonl
var certificates string

// Certificates returns the text of certificates.jsonl, the proofs of the rules. Package
// verify/rule reads and checks it.
func Certificates() string { return certificates }
