// Command platform is what the tests of the program on a platform start there besides the
// program itself:
//
//	platform be-the-server modern       an MCP server on standard input
//	platform stop COMMAND ARGS          a command that is asked to end at the end of standard input
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
)

func main() {
	linestest.Main()
	if len(os.Args) < 3 || os.Args[1] != "stop" {
		fmt.Fprintln(os.Stderr, "usage: platform stop COMMAND ARGS")
		os.Exit(2)
	}
	code, err := stopAtEnd(os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "platform:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

// stopAtEnd runs a command, asks it to end as a terminal does once standard input has
// ended, and returns its exit code.
func stopAtEnd(args []string) (int, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	apart(cmd)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := stop(cmd.Process); err != nil {
		return 0, errors.Join(err, cmd.Process.Kill())
	}
	_ = cmd.Wait() // the state has the code
	return cmd.ProcessState.ExitCode(), nil
}
