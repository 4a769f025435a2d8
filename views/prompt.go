package views

import (
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// promptTitle is the heading of a question: the server's words, or ours when it
// gave none.
func promptTitle(p playground.Prompt) string { return Visible(questionWords(p.Question), 600) }

// Link is the address of a URL mode question as a person must see it before
// opening it (client/elicitation, "Safe URL Handling").
type Link struct {
	Full, Host, Warning string
	Safe                bool // it may be offered as a link at all
}

// NewLink judges an address given by a server.
func NewLink(raw string) Link {
	l := Link{Full: Visible(raw, 2048)}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || l.Full != raw:
		l.Warning = "This is no usable web address, so it is not offered as a link."
		return l
	case u.Scheme != "https" && u.Scheme != "http":
		l.Warning = "Only web addresses are offered as links; this one is " + u.Scheme + "."
		return l
	case u.User != nil:
		l.Warning = "The address hides its host behind a user name, so it is not offered as a link."
		return l
	}
	l.Host, l.Safe = u.Host, true
	switch {
	case strings.Contains(l.Host, "xn--") || !isASCII(l.Host):
		l.Warning = "The host is written in letters that may look like others. Check it twice."
	case u.Scheme == "http":
		l.Warning = "This address is not encrypted."
	}
	return l
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

type messageLine struct{ Role, Text string }

// messageLines are the messages of a sampling request. Content that is no text
// is shown as its JSON.
func messageLines(messages *jsontree.Node) []messageLine {
	if messages == nil {
		return nil
	}
	var list []messageLine
	for _, m := range messages.Items {
		content := m.Get("content")
		text := content.Get("text").Str()
		if text == "" {
			text = Visible(string(content.Raw()), 2000)
		}
		list = append(list, messageLine{Visible(m.Get("role").Str(), 40), text})
	}
	return list
}
