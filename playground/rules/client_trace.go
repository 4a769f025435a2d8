package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// The members of the lists of W3C Trace Context and W3C Baggage, without the white space
// around them.
var (
	stateMember = regexp.MustCompile(
		`^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=` +
			`[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$`)
	baggageMember = regexp.MustCompile(
		"^[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=[ \t]*[!#-+\\--:<-\\[\\]-~]*" +
			"(?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[ \t]*=[ \t]*[!#-+\\--:<-\\[\\]-~]*)?)*$")
)

// traces are the members of _meta with a trace context, and the test for a
// right one.
var traces = []struct {
	name  string
	right func(string) bool
}{
	{"traceparent", isTraceParent},
	{"tracestate", isTraceState},
	{"baggage", isBaggage},
}

// tracesAreWellFormed is client-trace.
func tracesAreWellFormed(s *subject) ruling {
	found := na()
	for _, t := range traces {
		value := s.meta().Get(t.name)
		if value == nil {
			continue
		}
		if value.Kind != jsontree.String || !t.right(value.Str()) {
			return fail("The %s in _meta does not have the format of W3C: %s.", t.name, raw(value))
		}
		found = pass()
	}
	return found
}

// isTraceParent accepts what a version to come may add.
func isTraceParent(text string) bool {
	const whole = len("00-") + 32 + len("-") + 16 + len("-00")
	if len(text) > whole && text[whole] == '-' && !strings.HasPrefix(text, "00") {
		text = text[:whole]
	}
	_, ok := playground.ParseTrace(text)
	return ok
}

// isTraceState reports whether a text is a list of at most 32 members, none of them twice.
func isTraceState(text string) bool {
	var keys []string
	for member := range strings.SplitSeq(text, ",") {
		if member = strings.Trim(member, " \t"); member == "" {
			continue // a list may have empty members
		}
		key, _, _ := strings.Cut(member, "=")
		if !stateMember.MatchString(member) || slices.Contains(keys, key) {
			return false
		}
		keys = append(keys, key)
	}
	return len(keys) <= 32
}

func isBaggage(text string) bool {
	for member := range strings.SplitSeq(text, ",") {
		if member = strings.Trim(member, " \t"); member != "" && !baggageMember.MatchString(member) {
			return false
		}
	}
	return true
}

// levelExists is client-log-level.
func levelExists(s *subject) ruling {
	level := s.meta().Get(metaPrefix + "logLevel")
	switch {
	case level == nil:
		return na()
	case !slices.Contains(logLevels, level.Str()):
		return hint("The log level of the request is %s; there is none of that name.", raw(level))
	}
	return pass()
}
