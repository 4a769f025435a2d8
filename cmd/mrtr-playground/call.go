package main

import (
	"context"
	"io"
)

func call(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	return nil
}
