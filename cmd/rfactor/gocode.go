package main

import "github.com/rfactor-go/rfactor/internal/verbs"

// The verbs of the command rfactor-go, each of which runs it: a command of its own that is next to this one or on the path.
var runVerb, lowerVerb, vetVerb = inGoCode(verbs.Run), inGoCode(verbs.Lower), inGoCode(verbs.Vet)

// inGoCode returns a verb that rfactor-go does.
func inGoCode(v verbs.Verb) verbs.Verb {
	v.Run = goCode.does(v.Name)
	return v
}
