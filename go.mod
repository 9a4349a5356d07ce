module github.com/rfactor-go/rfactor

go 1.26.0

require (
	github.com/rogpeppe/go-internal v1.16.0
	github.com/sbinet/npyio v0.6.0
)

require (
	golang.org/x/sys v0.26.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
	gonum.org/v1/gonum v0.9.3 // indirect
)
