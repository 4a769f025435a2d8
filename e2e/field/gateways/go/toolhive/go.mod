module github.com/mrtr-playground/mrtr-playground/e2e/field/gateways/go/toolhive

go 1.27

require github.com/stacklok/toolhive v0.63.0 // indirect
