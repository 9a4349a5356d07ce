module github.com/rfactor-go/rfactor/cmd/librfactor

go 1.26.0

require github.com/rfactor-go/rfactor v0.0.0

replace github.com/rfactor-go/rfactor => ../..
