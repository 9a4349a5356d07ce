module example.com/stat

go 1.26
