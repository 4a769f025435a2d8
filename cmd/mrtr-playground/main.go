// Command mrtr-playground serves the MRTR Playground, and makes calls and
// checks from a terminal with the same engine. It has the flags, the wiring and
// one file for each subcommand; decisions are made by the packages below.
//
// A subcommand writes its result to standard output and everything else to
// standard error. Its exit code is 0 if everything is fine, 1 if the thing it
// was asked about is wrong, 2 if it was used wrongly, and 3 if nothing was
// judged. Scripts depend on both. Servers that are commands are named on its
// command line and nowhere else, so nothing that arrives over HTTP can choose
// the process to start.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	_ "time/tzdata" // the zones of readers, also where the system has none

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Exit codes of failures and of usage errors.
const (
	exitWrong = 1
	exitUsage = 2
	// nothing was judged: the correct call of a check did not work, or a client under test
	// called nothing, or continued nothing that was asked
	exitControl = 3
)

// usageError is an error in the command line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func main() {
	// Libraries do not log: what strangers send would fill the log. The program has
	// loggers of its own.
	slog.SetLogLoggerLevel(slog.LevelError + 1)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	path, _ := os.Executable()
	self = started(os.Args[0], path, moduleVersion(), filepath.SplitList(os.Getenv("PATH")))
	end := keepHeapFloor()
	go giveMemoryBack(ctx)
	code := exitCode(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr), os.Stderr)
	end()
	os.Exit(code)
}

func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if !errors.Is(err, errQuiet) {
		fmt.Fprintln(text.NewTerminal(stderr), "mrtr-playground:", err)
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	if errors.Is(err, errControl) {
		return exitControl
	}
	return exitWrong
}

// errControl fails without a message: the call that a check compares others with
// did not work, or a client under test did nothing that can be judged.
var errControl = fmt.Errorf("%w: the correct call", errQuiet)

// errQuiet fails without a message, because the output has it already.
var errQuiet = errors.New("failed")

// run runs the command of args, which do not include the program's name.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	lines := pipe{os.Stdin, stdout}
	stdout, stderr = text.NewTerminal(stdout), text.NewTerminal(stderr)
	command, rest := "serve", args
	if len(args) > 0 && (args[0] == "" || args[0][0] != '-') {
		command, rest = args[0], args[1:]
	}
	switch command {
	case "serve":
		return serve(ctx, rest, getenv, stdout, stderr)
	case "call":
		return call(ctx, rest, getenv, stdout, stderr)
	case "check":
		return checkServer(ctx, rest, getenv, stdout, stderr)
	case "test":
		return testServer(ctx, rest, getenv, stdout, stderr)
	case "client":
		return testClient(ctx, rest, getenv, lines, stdout, stderr)
	case "gateway":
		return testGateway(ctx, rest, getenv, stdout, stderr)
	case "flow":
		return runFlow(ctx, rest, getenv, stdout, stderr)
	case "mock":
		return serveRecording(ctx, rest, lines, stdout, stderr)
	case "mcp":
		return serveAgent(ctx, rest, getenv, lines, stdout, stderr)
	case "health":
		return health(ctx, rest, getenv, stdout)
	case "backup":
		return backUp(ctx, rest, getenv, stdout)
	case "restore":
		return restore(ctx, rest, getenv, stdout)
	case "keys":
		return changeKeys(rest, getenv, stdout)
	case "claim":
		return printClaim(rest, getenv, stdout)
	case "version":
		return printVersion(rest, stdout)
	case "help":
		return printHelp(rest, stdout)
	}
	return &usageError{fmt.Sprintf("unknown command %q; help lists the commands", command)}
}
