// Command field measures real software with MRTR: servers of SDKs, clients, and
// gateways. It writes the files of package field. "make field" runs it, and
// installs what it needs: the packages of e2e and of e2e/clients. The program's
// path is in MRTR_PROGRAM.
//
//	field            measure all, and write the files
//	field SLUG…      measure these subjects, and write the files with their new facts
//	field -only SLUG measure one, and print its facts; write nothing
//	field -compare SLUG…
//	                 measure these, and end with 1 if a fact changed; write nothing
//
// It prints which facts differ from those in the files. The day of a subject is
// that of its newest measurement, whether or not its facts changed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// source is a subject to measure.
type source struct {
	field.Subject // without its facts
	// measure adds the facts, and returns the recording that they cite.
	measure func(ctx context.Context, s *field.Subject) (session.Session, error)
}

func main() {
	only := flag.String("only", "", "measure this subject, and print its facts instead of writing files")
	compare := flag.Bool("compare", false, "end with 1 if a fact changed, instead of writing files")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only, *compare, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "field:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string, compare bool, slugs []string) error {
	work, err := os.MkdirTemp("", "mrtr-field-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	all, err := sources(work)
	if err != nil {
		return err
	}
	if only != "" {
		slugs = []string{only}
	}
	chosen := all
	if len(slugs) > 0 {
		chosen = slices.DeleteFunc(
			slices.Clone(all),
			func(s source) bool { return !slices.Contains(slugs, s.Slug) },
		)
	}
	if len(chosen) < len(slugs) {
		return fmt.Errorf("no such subject among %v", slugs)
	}
	var measured []field.Subject
	recordings := map[string][]byte{}
	for _, s := range chosen {
		fmt.Fprintf(os.Stderr, "%s: %s %s, %s\n", s.Slug, s.Name, s.Version, s.Condition)
		subject, recording, err := s.run(ctx)
		if errors.Is(err, errMissing) && len(slugs) == 0 {
			fmt.Fprintf(os.Stderr, "%s: left as it was, %v\n", s.Slug, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Slug, err)
		}
		measured = append(measured, subject)
		if recording != nil {
			recordings[s.Slug] = recording
		}
	}
	if only != "" {
		return printFacts(os.Stdout, measured[0])
	}
	before := field.Subjects()
	if len(slugs) > 0 {
		before = slices.DeleteFunc(
			before,
			func(s field.Subject) bool { return !slices.Contains(slugs, s.Slug) },
		)
	}
	c := field.Compare(before, measured)
	fmt.Print(c)
	if compare && len(c.Changed) > 0 {
		return errors.New("the facts changed")
	}
	if compare {
		return nil
	}
	return write(measured, recordings, all)
}

// run measures the subject.
func (s source) run(ctx context.Context) (field.Subject, []byte, error) {
	subject := s.Subject
	subject.Day = time.Now().UTC().Format(time.DateOnly)
	subject.How = "make field FIELD=" + s.Slug
	n, err := s.measure(ctx, &subject)
	if err != nil || len(n.Exchanges) == 0 {
		return subject, nil, err
	}
	n.Title = subject.Title()
	data, err := export.JSON(n)
	return subject, data, err
}

// printFacts prints the facts of one subject.
func printFacts(w *os.File, s field.Subject) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
