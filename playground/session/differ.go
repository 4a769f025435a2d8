package session

import (
	"regexp"
	"slices"
	"strings"
)

// argument is where an argument of a CallSummary may begin. A value with such a
// text counts as several arguments.
var argument = regexp.MustCompile(`(?:^|, )[^\s,:"{}\[\]]{1,64}: `)

// Differing returns of the summaries of several calls of a tool the arguments that
// not all of them have: "workItemId: 4523". A call alone keeps its summary.
func Differing(summaries []string) []string {
	if len(summaries) < 2 {
		return summaries
	}
	split := make([][]string, len(summaries))
	calls := map[string]int{}
	for i, s := range summaries {
		split[i] = arguments(s)
		seen := map[string]bool{}
		for _, a := range split[i] {
			if spelling := withoutSpace(a); !seen[spelling] {
				seen[spelling] = true
				calls[spelling]++
			}
		}
	}
	list := make([]string, len(summaries))
	for i, of := range split {
		of = slices.DeleteFunc(of, func(a string) bool { return calls[withoutSpace(a)] == len(summaries) })
		list[i] = strings.Join(of, ", ")
	}
	return list
}

// withoutSpace returns a text by which arguments are compared: white space in JSON
// means nothing.
func withoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }

// arguments splits a CallSummary.
func arguments(summary string) []string {
	var list []string
	from := 0
	for _, at := range argument.FindAllStringIndex(summary, -1) {
		if at[0] > from {
			list = append(list, strings.TrimPrefix(summary[from:at[0]], ", "))
			from = at[0]
		}
	}
	if from < len(summary) {
		list = append(list, strings.TrimPrefix(summary[from:], ", "))
	}
	return list
}
