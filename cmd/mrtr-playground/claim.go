package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/web"
)

const claimHelp = `usage: mrtr-playground claim [flags]

Prints a link. The browser that opens it gets the workspace of local mode: what
one person recorded before the program was started for others, and what all
visitors of -trusted-network recorded while they shared one workspace. The link
works once, for an hour. The program may run; it never gives that workspace to
anyone else.

{flags}
`

// printClaim prints a link with which a browser gets the workspace of local mode.
func printClaim(args []string, getenv func(string) string, stdout io.Writer) error {
	f := newFlags("claim")
	var data, base string
	f.StringVar(&data, "data", "", "")
	f.StringVar(&base, "base-url", "", "")
	if err := readOnlyFlags(f, args, getenv, stdout); errors.Is(err, errHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if base == "" {
		_, port, err := net.SplitHostPort(cmp.Or(getenv("MRTR_ADDR"), defaultAddr))
		if err != nil {
			return &usageError{"MRTR_ADDR is not HOST:PORT"}
		}
		base = "http://" + net.JoinHostPort("localhost", port)
	}
	keys, err := existingCookieKeys(getenv, cmp.Or(data, dataHome(getenv)))
	if err != nil {
		return err
	}
	token, err := web.NewClaim(keys.current(true), now())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s%s%s\n", strings.TrimSuffix(base, "/"), web.ClaimPath, token)
	return err
}
