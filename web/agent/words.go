package agent

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// hints replace what a page suggests about a failure and an agent cannot do: it has no
// page to look at.
var hints = map[playground.Class]string{
	playground.NotJSON: "Its Content-Type is application/json, but the body can't be parsed.",
	playground.HTTP401: "Tools for agents send no credentials. " +
		"Give the server another way in for tests, or open its page in the playground.",
}

// connectWords says why connecting to a server failed: the request that failed and, if a
// response came, how that begins.
func connectWords(c server.Connection) string {
	why := failureWords(c.Class, c.Detail)
	last, sent := c.Failed()
	if !sent || len(last.Response.Bytes()) == 0 {
		return "The server is not reachable: " + why
	}
	words := []string{"The server answered, but " + last.Method + " failed:", why}
	if last.Method == playground.Discover {
		words = append(words, "Every server answers server/discover.")
	}
	begin := text.Visible(string(last.Response.Body), maxBegin)
	if begin != "" && c.Class != playground.RPCFailed && !strings.Contains(why, "The body says: ") {
		words = append(words, "The body of the response: "+begin)
	}
	return sentences(words...)
}

// maxBegin is how much of a response that is of no use is quoted, in characters.
const maxBegin = 200

// failureWords returns the sentences about a failure, and more after them.
func failureWords(class playground.Class, detail string, more ...string) string {
	words, detail := doctor.FailureSentence(class, detail)
	if hint := hints[class]; hint != "" || strings.Contains(words.Try, "under Wire") {
		words.Try = hint
	}
	if detail != "" && (class == playground.RPCFailed || class == playground.ProtocolVersion) {
		words.What = "" // the detail says more
	}
	return sentences(append([]string{words.What, text.Visible(detail, maxFound), words.Try}, more...)...)
}

// sentences joins those that are not empty.
func sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}
