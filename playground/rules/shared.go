package rules

import (
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// JudgeClient returns the Findings of the rules about clients on the last of the
// Rounds, which are those of one call. A Round with the action answer or retry
// continues the one before it. tool is the definition of the called tool, nil if
// it is unknown. If ids are given, only those rules judge.
func JudgeClient(rounds []playground.Round, tool json.RawMessage, ids ...string) []Finding {
	if len(rounds) == 0 {
		return nil
	}
	last := &rounds[len(rounds)-1]
	subjects := course{rounds: rounds, tool: parse(tool)}.subjects(len(rounds) - 1)
	var list []Finding
	for k := range table {
		if all[k].Side != Client || all[k].Legacy || !all[k].judges(last) ||
			len(ids) > 0 && !slices.Contains(ids, all[k].ID) {
			continue
		}
		if a := worst(subjects, table[k].judge); a.verdict != verdict.NotApplicable {
			list = append(list, all[k].finding(a, last.N))
		}
	}
	return list
}

// HeaderFault returns what is wrong with a standard header of a request as the end
// of a sentence, such as "was missing", and "" if nothing is. It returns false if the
// request need not have the header.
func HeaderFault(t playground.Trip, name string) (fault string, needed bool) {
	s := subject{Round: playground.Round{Trip: t}}
	s.readHead()
	for _, h := range s.standardHeaders() {
		if h.name == name && h.body != "" {
			return mirrorFault(s.head.Values(h.name), h.body, "the body"), true
		}
	}
	return "", false
}

// IsMetaKey reports whether a key of _meta is an optional prefix and a name.
func IsMetaKey(key string) bool { return isMetaKey(key) }

// IsExtensionName reports whether the name of an extension is a key of _meta with a
// prefix.
func IsExtensionName(name string) bool { return isExtensionName(name) }

// IsID reports whether a node may be the id of a request: a string or an integer.
func IsID(n *jsontree.Node) bool { return isID(n) }

// IsAnswerable reports whether a client that declares some capabilities can be asked a
// question: its method is known, and its kind is declared.
func IsAnswerable(question, declared *jsontree.Node) bool {
	return slices.Contains(embeddable, question.Get("method").Str()) && undeclared(question, declared) == ""
}
