package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// setExercise sets what -exercise stands for. The flags of what it sets itself
// cannot be given with it.
func (o *checkOptions) setExercise(f *flag.FlagSet) error {
	if !o.exercise {
		return nil
	}
	var clash string
	f.Visit(func(set *flag.Flag) {
		switch set.Name {
		case "tool", "prompt", "resource", "args", "answers", "format", "json", "junit", "era":
			clash = set.Name
		}
	})
	if clash != "" {
		return &usageError{fmt.Sprintf("-exercise and -%s cannot be given together", clash)}
	}
	o.name, o.method = exercise.Tool, playground.ToolsCall
	return nil
}

// printExercise prints the list of requirements. It returns errQuiet if one is
// not met.
func printExercise(w io.Writer, list []exercise.Requirement) error {
	part := ""
	for _, r := range list {
		if r.Part != part {
			part = r.Part
			fmt.Fprintln(w, part)
		}
		fmt.Fprintf(w, "  %-13s %s\n", standing(r.Standing.Ending()), strings.ReplaceAll(r.Text, "`", ""))
		if r.Why != "" {
			fmt.Fprintf(w, "  %-13s %s\n", "", text.Visible(strings.ReplaceAll(r.Why, "`", ""), 600))
		}
	}
	for _, b := range exercise.Unjudged(list) {
		fmt.Fprintln(w, strings.ReplaceAll(b.Words(), "`", ""))
	}
	met := exercise.Count(list)
	if _, err := fmt.Fprintf(w, "%d of %d met\n", met, len(list)); err != nil || met == len(list) {
		return err
	}
	return errQuiet
}
