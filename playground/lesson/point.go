package lesson

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// terms maps what a code span names to the part of the picture that shows it.
var terms = map[string]string{
	"requestState": "state", "inputRequests": "asks", "input_required": "asks",
	playground.Elicit: "asks", "inputResponses": "answers",
}

// instanceName matches the name of an instance in prose, outside of tags.
var instanceName = regexp.MustCompile(`\b([Ii]nstance (?:<strong>)?([a-c])(?:</strong>)?)([^\w<-]|</)`)

// pointAtInstances marks the names of instances in HTML, so that the script can
// show their lanes in the picture.
func pointAtInstances(html string) string {
	return instanceName.ReplaceAllString(html, `<span data-point="instance-$2">$1</span>$3`)
}

// rounds counts the Rounds of the live exchange while the blocks of a lesson are
// read, so that an example is known as the picture's message, such as
// "2.response".
type rounds struct {
	sample string // of the live exchange
	n      int    // of the newest Round; 0 outside of a call of the sample
}

// step counts the Round that a step of the script makes. After a poll or any
// other request of its own, the number is no longer known.
func (r *rounds) step(s Step) {
	switch s.Verb {
	case "call":
		name, _, _ := strings.Cut(s.Rest, " ")
		name, _, _ = strings.Cut(name, "?")
		r.n = 0
		if name == r.sample {
			r.n = 1
		}
	case "send", "resend":
		if r.n > 0 {
			r.n++
		}
	case "poll", "request", "post", "legacy", "discover":
		r.n = 0
	}
}

// message returns the picture's name of an example that was sent or received,
// or "" if the picture does not have it.
func (r *rounds) message(kind string) string {
	side := map[string]string{"sent": "request", "received": "response"}[kind]
	if r.n == 0 || side == "" {
		return ""
	}
	return fmt.Sprintf("%d.%s", r.n, side)
}

// exampleStart matches the start of an example in HTML.
var exampleStart = regexp.MustCompile(`<pre class="code code-(?:sent|received|claims)"`)

// pointAtMessages marks the examples in HTML with the picture's names of their
// messages, in the order of the page.
func pointAtMessages(html string, messages []string) string {
	return exampleStart.ReplaceAllStringFunc(html, func(start string) string {
		if len(messages) == 0 {
			return start
		}
		m := messages[0]
		if messages = messages[1:]; m == "" {
			return start
		}
		return start + fmt.Sprintf(" data-m=%q", m)
	})
}
