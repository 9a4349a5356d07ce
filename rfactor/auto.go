package rfactor

import "github.com/rfactor-go/rfactor/ir"

func (s *scheduler) automatic() []*ir.Directive { return nil }
