module heldout

go 1.24
