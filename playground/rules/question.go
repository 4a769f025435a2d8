package rules

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// onlyDeclared is S3. Only the capabilities declared in the same request count.
func onlyDeclared(s *subject) ruling {
	questions := s.inputRequests()
	if s.clientCapabilities() == nil || len(questions) == 0 {
		return na()
	}
	for _, q := range questions {
		if capability := undeclared(q.Value, s.clientCapabilities()); capability != "" {
			return fail("The question %s asks for %s, which the client did not declare.",
				quoted(q.Key), capability)
		}
	}
	return pass()
}

// undeclared returns the capability that a question needs and the client did
// not declare, or "". elicitation:{} means form mode only (client/elicitation,
// "Capabilities").
func undeclared(question, declared *jsontree.Node) string {
	params := question.Get("params")
	switch question.Get("method").Str() {
	case playground.RootsList:
		return unless(declared.Has("roots"), "roots")
	case playground.CreateMessage:
		if params.Has("tools") || params.Has("toolChoice") {
			return unless(declared.Get("sampling").Has("tools"), "sampling with tools")
		}
		return unless(declared.Has("sampling"), "sampling")
	case playground.Elicit:
		modes := declared.Get("elicitation")
		if params.Get("mode").Str() == "url" {
			return unless(modes.Has("url"), "elicitation in URL mode")
		}
		return unless(modes.Has("form") || modes != nil && modes.Len() == 0, "elicitation in form mode")
	}
	return ""
}

func unless(declared bool, capability string) string {
	if declared {
		return ""
	}
	return capability
}

// embeddable are the methods of requests that inputRequests may have.
var embeddable = []string{playground.Elicit, playground.CreateMessage, playground.RootsList}

// knownRequests judges the methods of the requests in inputRequests.
func knownRequests(s *subject) ruling {
	questions := s.inputRequests()
	for _, q := range questions {
		method := q.Value.Get("method").Str()
		switch {
		case !q.Value.Has("method"):
			return fail("The entry %s of inputRequests has no method.", quoted(q.Key))
		case !slices.Contains(embeddable, method):
			return fail("inputRequests has %s with the method %s, which is not allowed there.",
				quoted(q.Key), raw(q.Value.Get("method")))
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

// completeElicitations judges the required parameters of elicitations.
func completeElicitations(s *subject) ruling {
	questions := s.elicitations("")
	for _, q := range questions {
		if fault := elicitationFault(q.Value.Get("params")); fault != "" {
			return fail("The elicitation %s %s.", quoted(q.Key), fault)
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

func elicitationFault(params *jsontree.Node) string {
	mode, message := params.Get("mode"), params.Get("message")
	schema, link := params.Get("requestedSchema"), params.Get("url")
	switch {
	case mode != nil && mode.Str() != "form" && mode.Str() != "url":
		return "has a mode that is neither form nor url"
	case message == nil || message.Kind != jsontree.String:
		return faultOf("message", message, "a string")
	case mode.Str() == "url" && (link == nil || link.Kind != jsontree.String):
		return faultOf("url", link, "a string")
	case mode.Str() == "url" && !validURL(link.Str()):
		return "has no valid URL"
	case mode.Str() != "url" && (schema == nil || schema.Kind != jsontree.Object):
		return faultOf("requestedSchema", schema, "an object")
	}
	return ""
}

// faultOf returns the fault of a required member that is absent or of another
// kind than it must be.
func faultOf(name string, n *jsontree.Node, want string) string {
	if n == nil {
		return "has no " + name
	}
	return "has a " + name + " that is " + article(n) + ", not " + want
}

func validURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.IsAbs()
}

// noSecret ends the finding about a form that seems to ask for a secret.
const noSecret = "In form mode a server MUST NOT ask for one."

// noSecretsInForms compares names, so it can only give hints.
func noSecretsInForms(s *subject) ruling {
	questions := s.elicitations("form")
	for _, q := range questions {
		f, err := s.form(q.Value.At("params", "requestedSchema"))
		if err != nil {
			continue
		}
		typed := false
		for _, field := range f.Fields {
			for _, part := range field.All() {
				if part.AsksSecret {
					return hint("The field %s seems to ask for a secret. "+noSecret,
						quoted(part.Label))
				}
				typed = typed || part.Typed()
			}
		}
		if message := q.Value.At("params", "message").Str(); typed && form.RequestsSecret(message) {
			return hint("The message %s seems to ask for a secret. "+noSecret,
				quoted(message))
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

// linksUseHTTPS judges links for the user. It accepts loopback hosts, which are
// used in development.
func linksUseHTTPS(s *subject) ruling {
	questions := s.elicitations("url")
	for _, q := range questions {
		text := q.Value.At("params", "url").Str()
		u, err := url.Parse(text)
		if err != nil || !validURL(text) || u.Scheme == "https" || u.Scheme == "http" &&
			loopback(u.Hostname()) {
			continue // elicitation-params reports an invalid URL
		}
		return hint("The link of the question %s uses %s, not https.", quoted(q.Key), quoted(u.Scheme))
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// makesProgress reports the third identical result, in a row or in turn with
// others, and none after it. Questions with a link may be repeated, because the client cannot know
// when the user has finished there.
func makesProgress(s *subject) ruling {
	result := s.inputRequired()
	if result == nil || len(s.inputRequests()) > 0 && len(s.elicitations("url")) == len(s.inputRequests()) {
		return na()
	}
	var rounds []int
	others := false
	for _, r := range s.earlier {
		switch {
		case sameRequests(r.Result, result):
			rounds = append(rounds, r.N)
		case len(rounds) > 0:
			others = true
		}
	}
	const most = 2 // earlier ones
	switch {
	case len(rounds) < most:
		return pass()
	case len(rounds) > most:
		return na()
	case len(s.inputRequests()) == 0:
		return hint("The server asked for a retry with the same requestState 3 times, "+
			"in rounds %d, %d and %d.", rounds[0], rounds[1], s.N)
	case others && !result.Has("requestState"):
		return hint("The server asks the same questions in turn. " +
			"Without a requestState a retry has only the newest answers. " +
			"The server must ask for all of them at once, or keep them in a requestState.")
	}
	return hint("The server asked the same question 3 times, in rounds %d, %d and %d.",
		rounds[0], rounds[1], s.N)
}

// sameRequests reports whether two results ask the same. Results without
// questions are compared by their state.
func sameRequests(a, b *jsontree.Node) bool {
	field := "inputRequests"
	if b.Get(field).Len() == 0 {
		field = "requestState"
	}
	return b.Has(field) && jsontree.Equal(a.Get(field), b.Get(field))
}
