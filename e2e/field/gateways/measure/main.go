// Command measure measures gateways and prints a line for each. The program's path
// is in MRTR_PROGRAM. Its arguments are slugs; without any, it measures all.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/field/gateways"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

func main() {
	in := flag.String("upstream", "", "start one gateway in front of this address instead, until interrupted")
	to := flag.String("reports", "", "write each report into this folder")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed := false
	for _, g := range gateways.Table() {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), g.Slug) {
			continue
		}
		if *in != "" {
			if err := start(ctx, g, *in); err != nil {
				fmt.Fprintln(os.Stderr, err)
				failed = true
			}
			continue
		}
		if err := measure(ctx, g, *to); err != nil {
			fmt.Fprintln(os.Stderr, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// measure measures a gateway, prints what came of it, and writes the report into a folder.
func measure(ctx context.Context, g gateways.Gateway, to string) error {
	if missing := g.Missing(); missing != "" {
		fmt.Printf("%s: skipped, %s\n", g.Slug, missing)
		return nil
	}
	version, err := g.Version(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	d, err := gateways.Measure(ctx, os.Getenv("MRTR_PROGRAM"), g)
	if err != nil {
		return err
	}
	var failed, named []string
	for _, l := range d.Lines {
		if l.Verdict == verdict.Failed {
			failed = append(failed, fmt.Sprintf("  failed %s (%d): %s", l.ID, l.Times, l.Text))
		}
	}
	for _, l := range d.Named {
		named = append(named, l.ID)
	}
	fmt.Printf("%s: %s %s, %s, %.1f s; named: %s; not reached: %s\n", g.Slug, g.Name, version, g.Condition,
		time.Since(began).Seconds(), strings.Join(named, " "), strings.Join(unreached(d), " "))
	for _, l := range failed {
		fmt.Println(l)
	}
	if to == "" {
		return nil
	}
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(to+"/"+g.Slug+".json", data, 0o600)
}

// start starts a gateway, prints its address, and stops it when ctx ends.
func start(ctx context.Context, g gateways.Gateway, upstream string) error {
	const port = 2329
	stop, err := g.Start(ctx, upstream, port)
	if err != nil {
		return err
	}
	fmt.Println(g.URL(port))
	<-ctx.Done()
	fmt.Fprintln(os.Stderr, stop())
	return nil
}

// unreached returns the ids of the lines that were neither passed nor failed.
func unreached(d gateway.Document) []string {
	var list []string
	for _, l := range d.Lines {
		if l.Verdict != verdict.Failed && l.Verdict != verdict.Passed {
			list = append(list, l.ID)
		}
	}
	return list
}
