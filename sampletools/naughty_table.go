package sampletools

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

//go:embed naughty.txt
var naughtyTable string

// readFaults returns the faults of a table, whose head describes it, in its order. Those
// whose answer is code have it from code. A test reads the table, which is part of the
// program, so a mistake in it panics.
func readFaults(table string, code []fault) []fault {
	coded := map[string]fault{}
	for _, f := range code {
		coded[f.tool] = f
	}
	var list []fault
	for n, line := range strings.Split(table, "\n") {
		member, isMember := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isMember && len(list) > 0:
			if !list[len(list)-1].set(member) {
				panic(fmt.Sprintf("line %d of the table of faults is no member: %q", n+1, line))
			}
		default:
			f := coded[line]
			f.tool, f.method = line, "tools/call"
			list = append(list, f)
			delete(coded, line)
		}
	}
	for _, f := range list {
		if f.answer == nil {
			panic("the fault " + f.tool + " has no answer")
		}
	}
	if len(coded) > 0 {
		panic(fmt.Sprintf("code without a row: %q", slices.Sorted(maps.Keys(coded))))
	}
	return list
}

// set sets a member of a fault, and reports whether there is one of that name.
func (f *fault) set(line string) bool {
	name, value, _ := strings.Cut(line, ": ")
	switch name {
	case "title":
		f.title = value
	case "rule":
		f.rule = value
	case "description":
		f.description = value
	case "method":
		f.method = value
	case "arguments":
		f.arguments = value
	case "declares":
		f.declares = value
	case "level":
		f.level = value
	case "query":
		f.query = value
	case "output":
		f.output = value
	case "lenient":
		f.lenient = value == "yes"
	case "answer":
		f.answer = fixed(value)
	case "once":
		f.answer = once(value)
	case "error":
		status, body, _ := strings.Cut(value, " ")
		code, err := strconv.Atoi(status)
		f.answer = errorReply(code, body)
		return err == nil
	default:
		return false
	}
	return true
}
