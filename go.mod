module github.com/rfactor-go/rfactor

go 1.26.0
