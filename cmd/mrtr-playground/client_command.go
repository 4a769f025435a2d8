package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// clientCommand is one run of the command of a client.
type clientCommand struct {
	args          []string
	url, scenario string
	limit         time.Duration
	out           io.Writer // for what it prints
}

// commandGrace is how long a command may take to end when it is told to.
const commandGrace = 2 * time.Second

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
	cmd := exec.CommandContext(limited, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "MRTR_SERVER_URL="+c.url, "MRTR_SCENARIO="+c.scenario)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, c.out, c.out
	cmd.WaitDelay = commandGrace
	end := endsGroup(cmd, !isTerminal(os.Stdin))
	if err := cmd.Start(); err != nil {
		return false, "could not be started: " + err.Error()
	}
	_ = cmd.Wait()
	end()
	switch {
	case ctx.Err() != nil:
		return true, "interrupted"
	case errors.Is(context.Cause(limited), errLimit):
		return true, "ended at the limit of " + c.limit.String()
	}
	return true, cmd.ProcessState.String()
}

// errLimit ends a command that takes too long.
var errLimit = errors.New("the command takes too long")
