package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
)

// clientCommand is one run of the command of a client.
type clientCommand struct {
	args          []string
	url, scenario string
	limit         time.Duration
	grace         time.Duration // to end after SIGTERM
	out           io.Writer     // for its output
}

// run runs the command to its end, or to its limit, and returns how it ended in
// words. If it could not be started, the words say why.
func (c clientCommand) run(ctx context.Context) (started bool, ended string) {
	limited, stop := context.WithTimeoutCause(ctx, c.limit, errLimit)
	defer stop()
	expand := strings.NewReplacer("{url}", c.url, "{scenario}", c.scenario)
	args := make([]string, 0, len(c.args))
	for _, a := range c.args {
		args = append(args, expand.Replace(a))
	}
	cmd := stdio.Command{
		Args: args, Env: []string{"MRTR_SERVER_URL=" + c.url, "MRTR_SCENARIO=" + c.scenario},
		Shared: isTerminal(os.Stdin), Grace: c.grace,
	}
	state, err := cmd.Run(limited, os.Stdin, c.out)
	if err != nil {
		return false, "could not be started: " + err.Error()
	}
	switch {
	case ctx.Err() != nil:
		return true, "interrupted"
	case errors.Is(context.Cause(limited), errLimit):
		return true, "ended at the limit of " + c.limit.String()
	}
	return true, state
}

// errLimit ends a command that takes too long.
var errLimit = errors.New("the command takes too long")
