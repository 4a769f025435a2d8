package main

import (
	"flag"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
)

// setExercise sets the options that -exercise stands for. The flags of these
// cannot be given with it.
func (o *checkOptions) setExercise(f *flag.FlagSet) error {
	if !o.exercise {
		return nil
	}
	var clash string
	f.Visit(func(set *flag.Flag) {
		switch set.Name {
		case "tool", "prompt", "resource", "args", "answers", "format", "json", "junit", "era",
			"baseline":
			clash = set.Name
		}
	})
	if clash != "" {
		return &usageError{fmt.Sprintf("-exercise and -%s cannot be given together", clash)}
	}
	o.name, o.method = exercise.Tool, playground.ToolsCall
	return nil
}
