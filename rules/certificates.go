package rules

import _ "embed"

// Certificates is the text of certificates.jsonl, the proofs of the rules. Package
// verify/rule reads and checks it.
//
//go:embed certificates.jsonl
var Certificates string
