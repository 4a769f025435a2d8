package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// commandWords are the words of the commands of -stdio.
type commandWords [][]string

// add reads the value of -stdio.
func (c *commandWords) add(s string) error {
	words, err := stdio.Words(s)
	if err == nil {
		*c = append(*c, words)
	}
	return err
}

// checkStdio returns an error where others than the user of this machine could call a
// command, or where another process would have to know it.
func (o options) checkStdio() error {
	switch {
	case len(o.stdio) == 0:
		return nil
	case o.mode == app.Trusted:
		return &usageError{"-stdio and -trusted-network exclude each other: " +
			"everyone on the network could call the command, which has your rights on this machine"}
	case o.mode.Shared():
		return &usageError{"-stdio excludes -public, -base-url and -trusted-proxy: " +
			"strangers could call the command, which has your rights on this machine"}
	case o.replicas > 1 || engine.IsPostgresURL(o.db):
		return &usageError{"-stdio needs a database of this process alone: " +
			"other processes of -db postgres://... or -replicas cannot reach its commands"}
	}
	return nil
}

// newLines returns the servers that the commands are, with the roots of the
// user. Their standard error also goes to stderr, which may be nil, and so do
// the faults of their lines.
func newLines(
	commands commandWords, l limits, roots func() json.RawMessage, stderr io.Writer,
) *lines.Servers {
	var notice func(string)
	if stderr != nil {
		notice = func(sentence string) { fmt.Fprintln(stderr, "mrtr-playground: "+sentence) }
	}
	s := lines.New(lines.Config{
		Notice: notice,
		Now:    now, Stderr: stderr, Secrets: lines.SecretsIn(os.Environ()),
		Patience: l.commands.exit, Grace: l.commands.kill,
		Line:  l.answers.Body,
		Roots: roots,
	})
	for _, words := range commands {
		s.Add(words)
	}
	return s
}

// localRoots returns the roots of the user of local mode, a JSON array.
func (a *service) localRoots() json.RawMessage {
	roots, err := a.store.Roots(context.Background(), usage.LocalWorkspace)
	if err != nil {
		a.logger.Warn("read roots", "err", err)
	}
	data, err := json.Marshal(roots)
	if err != nil || roots == nil {
		return json.RawMessage("[]")
	}
	return data
}

// addCommands lists the commands among the servers of the user, and connects to each, which
// starts it. What is known of a command from an earlier start stays.
func (a *service) addCommands(ctx context.Context) error {
	for _, c := range a.lines.All() {
		id, err := a.store.TargetAt(ctx, usage.LocalWorkspace, c.URL)
		if errors.Is(err, playground.ErrNotFound) {
			t := playground.Target{ID: newID(), Name: c.Name, URL: c.URL, Capabilities: app.Declared()}
			id, err = t.ID, a.store.AddTarget(ctx, usage.LocalWorkspace, t, a.now())
		}
		if err != nil {
			return err
		}
		t, log, err := a.store.Target(ctx, usage.LocalWorkspace, id)
		if err != nil {
			return err
		}
		t.Era = playground.ChosenEra(log)
		if err := a.runner.Connect(ctx, t, log); err != nil {
			return err
		}
	}
	return nil
}

// useStdio makes the command of -stdio the server that is called.
func (o *callOptions) useStdio() error {
	switch {
	case len(o.stdio) == 0:
		return nil
	case len(o.stdio) > 1:
		return &usageError{"-stdio can be given once: one server is called"}
	case o.public:
		return &usageError{"-stdio and -public exclude each other"}
	case len(o.header) > 0 || o.certificate != "" || o.signIn.signInOn:
		return &usageError{"-stdio excludes -header, -trust-certificate, -sign-in and -client-id: " +
			"lines have no headers and no sign-in"}
	}
	o.url = wire.CommandURL(o.stdio[0])
	return nil
}
