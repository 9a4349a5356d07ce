module example.org/translate

go 1.26.0

require github.com/rfactor-go/rfactor v0.0.0

replace github.com/rfactor-go/rfactor => ../..
