package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const keysHelp = `usage: mrtr-playground keys [-data DIR] rotate | retire

Changes the keys that sign cookies and those that protect the requestState of
the samples. A running program needs no restart: it looks at the files.

  rotate  adds new keys, which are used from now on. Cookies and states of the
          old keys stay valid
  retire  removes the old keys. Wait until every visitor has come back since the
          rotation (a cookie lasts 30 days) and every state has expired (24
          hours). A later visitor gets a new workspace; a later person who signs
          in keeps theirs, without the credentials for servers in it; an older
          state is refused with words

{flags}
`

// changeKeys rotates or retires the keys of an installation.
func changeKeys(args []string, getenv func(string) string, stdout io.Writer) error {
	f := newFlags("keys")
	var data string
	f.StringVar(&data, "data", "", "")
	words, err := readFlags(f, args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	action := strings.Join(words, " ")
	if action != "rotate" && action != "retire" {
		return &usageError{"keys needs rotate or retire; see keys -help"}
	}
	data = cmp.Or(data, dataHome(getenv))
	cookieEnv, cookiePath := cookieKeysSource(getenv, data)
	stateEnv, statePath := seal.Source(getenv, data)
	if env := cmp.Or(cookieEnv, stateEnv); env != "" {
		return &usageError{env + " holds keys, which only you can change; " + env +
			"_FILE names a file instead, which this command can change"}
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	k, err := loadKeys(getenv, data)
	if err != nil {
		return err
	}
	cookies, states := k.cookies.rotated, k.seals.Rotate
	if action == "retire" {
		cookies, states = k.cookies.retired, k.seals.Retire
	}
	if err := states().Write(statePath); err != nil {
		return err
	}
	if err := writeCookieKeys(cookiePath, cookies(), os.Rename); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%sd the keys in %s and %s\n", action, cookiePath, statePath)
	return err
}
