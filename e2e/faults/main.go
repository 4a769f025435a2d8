// Command faults runs the tests that hold the faults of table.txt: an action of
// a stranger, a broken server or a failing machine, and the required result. It
// prints a line for each fault and exits with 1 if one fell.
//
//	go run ./e2e/faults               every test but the long ones
//	go run ./e2e/faults -soak 10m     the long ones, in this time
//	go run ./e2e/faults 16 43         the faults 16 and 43
//
// The tests of a package run in one process and those of a file of e2e in
// another, so a fault whose test is missing or skipped falls too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

// run runs the tests that args ask for and prints the verdicts to out. It
// returns an error if a fault fell.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("faults", flag.ContinueOnError)
	soak := flags.Duration("soak", 0, "run the long tests and the fuzz tests, the long ones in this `time`")
	fuzzing := flags.Duration("fuzz", 30*time.Second, "with -soak, the `time` of each fuzz test")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := parseTable(tableText)
	if err != nil {
		return fmt.Errorf("read table: %w", err)
	}
	if list, err = chosen(list, flags.Args()); err != nil {
		return err
	}
	kinds := []kind{goTest, e2e}
	if *soak > 0 {
		kinds = []kind{long, fuzz}
	}
	results := runAll(ctx, groups(list, kinds), *soak, *fuzzing)
	if err := ctx.Err(); err != nil {
		return err
	}
	if n := report(out, list, kinds, results); n > 0 {
		return fmt.Errorf("%d fell", n)
	}
	return nil
}

// chosen returns the faults with these numbers, or all.
func chosen(list []fault, numbers []string) ([]fault, error) {
	if len(numbers) == 0 {
		return list, nil
	}
	var some []fault
	for _, text := range numbers {
		n, err := strconv.Atoi(text)
		i := slices.IndexFunc(list, func(f fault) bool { return f.number == n })
		if err != nil || i < 0 {
			return nil, errors.New("no fault " + text)
		}
		some = append(some, list[i])
	}
	return some, nil
}

// report prints a line for each fault that has a test of these kinds, and
// returns how many fell.
func report(out io.Writer, list []fault, kinds []kind, results map[proof]string) (fell int) {
	for _, f := range list {
		if f.pending && slices.Contains(kinds, goTest) {
			fmt.Fprintf(out, "fault %d: pending, its test is not written yet\n", f.number)
			continue
		}
		verdict, known := "held", false
		for _, p := range f.proofs {
			if !slices.Contains(kinds, p.kind) {
				continue
			}
			known = true
			switch why, ran := results[p]; {
			case !ran:
				verdict = fmt.Sprintf("fell: %s %s: no such test ran", p.in, p.test)
			case why != "":
				verdict = fmt.Sprintf("fell: %s %s: %s", p.in, p.test, firstLines(why))
			}
			if verdict != "held" {
				fell++
				break
			}
		}
		if known {
			fmt.Fprintf(out, "fault %d: %s\n", f.number, verdict)
		}
	}
	return fell
}

// firstLines returns the beginning of a failure.
func firstLines(text string) string {
	const most = 6
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") {
			continue
		}
		if lines = append(lines, line); len(lines) == most {
			break
		}
	}
	return strings.Join(lines, "\n    ")
}
