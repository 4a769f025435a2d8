package rules

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// The names that clients are known to misspell, by where they stand. Where a requirement
// asks for a member, its own rule names the misspelling.
var (
	paramNames  = []string{playground.InputResponses, playground.RequestState, "arguments", "cursor"}
	answerNames = []string{"action", "content", "role", "model", "stopReason", "roots"}
	metaNames   = []string{
		"progressToken", metaPrefix + "logLevel", metaPrefix + "clientInfo", metaPrefix + "protocolVersion",
		metaPrefix + "clientCapabilities", "traceparent", "tracestate", "baggage",
	}
)

// spellsMembers is client-look-alike.
func spellsMembers(s *subject) ruling {
	if s.params() == nil || s.params().Kind != jsontree.Object {
		return na()
	}
	var list []spelling
	for _, x := range lookAlikes(s.params(), paramNames) {
		if !s.isNamed(x) {
			list = append(list, x)
		}
	}
	for _, m := range s.inputResponses() {
		if question := s.answered(m.Key); m.Value.Kind == jsontree.Object &&
			answerFault(question.Get("method").Str(), question.Get("params"), m.Value) == "" {
			list = append(list, lookAlikes(m.Value, answerNames)...)
		}
	}
	if s.metaFault() == "" {
		for _, x := range lookAlikes(s.meta(), metaNames) {
			if x.want != metaPrefix+"clientInfo" || s.meta().Has(x.want) {
				list = append(list, x)
			}
		}
	}
	if len(list) > 0 {
		return hint("%s", spelled(list))
	}
	if name := s.misplaced(); name != "" && s.source == nil { // else C5 reports it
		return hint("The arguments of the tool have the member %s, which belongs beside them.", name)
	}
	if !s.isRetry() {
		return na()
	}
	return pass()
}

// isNamed reports whether client-params, C2 or C6 names a misspelled member of params.
func (s *subject) isNamed(x spelling) bool {
	switch {
	case s.params().Has(x.want):
		return false
	case slices.ContainsFunc(requiredParams[s.Method], func(m member) bool { return m.name == x.want }):
		return true
	case s.source == nil || s.isTaskRequest():
		return false
	}
	return x.want == playground.RequestState && s.source.State != nil ||
		x.want == playground.InputResponses && len(s.source.Questions) > 0
}

// misplaced returns which member of a retry stands in the arguments of a tool that has no
// such argument, in quotes, or "". Of a tool that is not known, only an object of answers is
// certainly none of its arguments.
func (s *subject) misplaced() string {
	if s.Method != playground.ToolsCall {
		return ""
	}
	for _, m := range s.params().Get("arguments").Entries() {
		plain := playground.PlainName(m.Key)
		isAnswers := plain == playground.PlainName(playground.InputResponses)
		switch {
		case !isAnswers && plain != playground.PlainName(playground.RequestState):
		case s.tool == nil && !(isAnswers && m.Value.Kind == jsontree.Object):
		case !s.tool.At("inputSchema", "properties").Has(m.Key):
			return quoted(m.Key)
		}
	}
	return ""
}

// spelling is a member whose name is spelled wrong.
type spelling struct{ got, want string }

// lookAlikes returns the members of an object that differ from some names only in their
// spelling. A name with a prefix is meant without it, too.
func lookAlikes(n *jsontree.Node, names []string) []spelling {
	var list []spelling
	for _, m := range n.Entries() {
		if slices.Contains(names, m.Key) {
			continue
		}
		plain := playground.PlainName(m.Key)
		for _, want := range names {
			_, bare, prefixed := strings.Cut(want, "/")
			if plain == playground.PlainName(want) ||
				prefixed && !n.Has(want) && plain == playground.PlainName(bare) {
				list = append(list, spelling{m.Key, want})
				break
			}
		}
	}
	return list
}

// misspelled returns the member of an object that stands for a name that is missing, or "".
func misspelled(n *jsontree.Node, want string) string {
	if list := lookAlikes(n, []string{want}); len(list) > 0 && !n.Has(want) {
		return list[0].got
	}
	return ""
}

// inItsPlace says which misspelled member stands for a name that is missing, as the end of a
// sentence, or returns "".
func inItsPlace(n *jsontree.Node, want string) string {
	if got := misspelled(n, want); got != "" {
		return "; it has " + quoted(got) + " in its place"
	}
	return ""
}

// alsoSpelled names the misspelled members of an object in a sentence of its own, or returns
// "".
func alsoSpelled(n *jsontree.Node, names []string) string {
	if list := lookAlikes(n, names); len(list) > 0 {
		return " " + spelled(list)
	}
	return ""
}

// spelled names misspelled members in sentences.
func spelled(list []spelling) string {
	var got, want []string
	for _, x := range list {
		got, want = append(got, quoted(x.got)), append(want, x.want)
	}
	if len(list) == 1 {
		return "The member " + got[0] + " is unknown; the protocol spells it " + want[0] + "."
	}
	return "The members " + enumerate(got) + " are unknown; the protocol spells them " + enumerate(want) + "."
}

// enumerate joins words as in a sentence.
func enumerate(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
