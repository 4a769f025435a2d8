package lesson

import (
	"fmt"
	"regexp"
	"strings"
)

// Sentences that treat a rule are between the marks {#ID} and {/}; several ids
// are separated by spaces. Links to the rule lead there.
var (
	taughtMark  = regexp.MustCompile(`\{#([A-Za-z0-9 -]+)\}`)
	taughtMarks = regexp.MustCompile(`\{#[A-Za-z0-9 -]+\}|\{/\}`)
)

// RuleAnchor returns the id of the sentence that treats a rule, on the page of
// its lesson.
func RuleAnchor(rule string) string { return "rule-" + rule }

// markTaught turns the marks in HTML into elements with an id for each rule. It
// returns the ids of the rules.
func markTaught(html string) (marked string, rules []string, err error) {
	if strings.Count(html, "{/}") != len(taughtMark.FindAllString(html, -1)) {
		return "", nil, fmt.Errorf("marks {#ID} and {/} are not in pairs")
	}
	html = taughtMark.ReplaceAllStringFunc(html, func(mark string) string {
		ids := strings.Fields(taughtMark.FindStringSubmatch(mark)[1])
		rules = append(rules, ids...)
		var more strings.Builder
		for _, id := range ids[1:] {
			fmt.Fprintf(&more, "<a class=\"taught-too\" id=%q></a>", RuleAnchor(id))
		}
		return fmt.Sprintf("%s<span class=\"taught\" id=%q>", more.String(), RuleAnchor(ids[0]))
	})
	return strings.ReplaceAll(html, "{/}", "</span>"), rules, nil
}

// withoutMarks returns a text without the marks of rules.
func withoutMarks(text string) string { return taughtMarks.ReplaceAllString(text, "") }
