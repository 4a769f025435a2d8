//go:build linux

// Command load plays a crowd of visitors against the program, and compares a
// round through the pages with the same round sent straight to the sample.
//
//	go run ./e2e/load                          1000 visitors, one minute
//	go run ./e2e/load -visitors 50 -time 10s   a quick look
//	go run ./e2e/load -replicas                the same before three replicas
//	go run ./e2e/load -people -visitors 200 -addresses 1   people who have signed in, in one office
//	go run ./e2e/load -follow 500              a talk with 500 followers; also with -replicas
//
// The crowd runs in public mode and comes from -addresses addresses through a
// trusted proxy. A visitor reads the landing page, starts the Azure DevOps call
// and answers its two questions as a browser does: with compression, style
// sheets and scripts, the previews of typed answers, and time to think. Any
// answer that is not the expected page is an error, and ends the command with 1.
// With -follow, a presenter plays a demo -turns times alone and as often before followers
// from one address, who wait for each step.
//
// All clients run in this process, on the same machine as the program. Figures
// of two machines cannot be compared; the ratio can.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		stop()
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	program   string
	visitors  int
	addresses int
	think     time.Duration // between two clicks of a visitor, on average
	time      time.Duration // of the crowd, after all have arrived
	turns     int           // of the comparison
	dir       string        // for the data directories
	replicas  bool          // three of the program, behind a proxy
	followers int           // of a talk, in place of the crowd
	people    bool          // the visitors are people whom a proxy names
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.StringVar(&o.program, "program", "bin/mrtr-playground", "the `file` of the program")
	flags.IntVar(&o.visitors, "visitors", 1000, "how many visitors")
	flags.IntVar(&o.addresses, "addresses", 200, "how many addresses they come from")
	flags.DurationVar(&o.think, "think", 4*time.Second, "average time between two clicks of a visitor")
	flags.DurationVar(&o.time, "time", time.Minute, "how long the crowd plays")
	flags.IntVar(&o.turns, "turns", 10, "turns of the comparison; 0: none")
	flags.StringVar(&o.dir, "dir", "", "directory for data, such as one on tmpfs")
	flags.BoolVar(&o.replicas, "replicas", false, "three of the program on PostgreSQL, behind nginx")
	flags.IntVar(&o.followers, "follow", 0, "how many followers of a talk, in place of the visitors")
	flags.BoolVar(&o.people, "people", false, "the visitors are people whom the proxy names")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.people && o.replicas {
		return errors.New("-people and -replicas exclude each other: the proxy of replicas names no one")
	}
	if o.visitors < 1 || o.addresses < 1 || o.addresses > 1<<16 {
		return errors.New("at least one visitor and one address are needed, and at most 65536 addresses")
	}
	if o.followers > 0 {
		return follow(ctx, o, out)
	}
	if o.turns > 0 {
		if err := compare(ctx, o, out); err != nil {
			return fmt.Errorf("compare: %w", err)
		}
	}
	return crowd(ctx, o, out)
}
