package session

import (
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Limits of the texts of a list row, in bytes.
const (
	maxAnswersText = 100
	maxResultText  = 150
)

// JoinAnswers returns the answers of an Exchange in one line, with those of one
// more Event added: "Duplicate, 4301". It is at most 100 bytes long and ends
// with … if something was left out.
func JoinAnswers(answers string, e playground.Event) string {
	if e.Kind != playground.Decided {
		return answers
	}
	var values []string
	for _, answer := range parsed(e.Data).Get("answers").Elements() {
		values = append(values, leaves(answer.Get("value"))...)
	}
	if answers != "" && len(values) > 0 {
		answers += ", "
	}
	return oneLine(answers+strings.Join(values, ", "), maxAnswersText)
}

// ResultText returns the end of an Exchange in one line, as far as the Event
// has it: the text of a result, the message of an error. It is at most 150
// bytes long, ends with … if something was left out, and is empty for every
// Event that brings no end.
func ResultText(e playground.Event) string {
	var message *jsontree.Node
	switch e.Kind {
	case playground.Received:
		message = parsed(wire.Split(e.Data).Body)
	case playground.Message:
		data, _, _ := wire.EventData(e.Data)
		message = parsed(data)
	}
	if text := message.At("error", "message").Str(); text != "" {
		return oneLine(text, maxResultText)
	}
	result := message.Get("result")
	if done := result.Get("result"); done != nil { // of a task
		result = done
	}
	if text := message.At("result", "error", "message").Str(); text != "" {
		return oneLine(text, maxResultText)
	}
	return oneLine(strings.Join(resultTexts(result), " "), maxResultText)
}

// resultTexts returns the texts of the result of a tool, a prompt or a resource.
func resultTexts(result *jsontree.Node) []string {
	var list []string
	add := func(n *jsontree.Node) {
		if text := n.Get("text").Str(); text != "" {
			list = append(list, text)
		}
	}
	for _, name := range []string{"content", "contents"} {
		for _, item := range result.Get(name).Elements() {
			add(item)
		}
	}
	for _, item := range result.Get("messages").Elements() {
		add(item.Get("content"))
	}
	if structured := result.Get("structuredContent"); len(list) == 0 && structured != nil {
		list = append(list, string(structured.Raw()))
	}
	return list
}

// leaves returns the strings, numbers and booleans of answers, in order.
func leaves(n *jsontree.Node) []string {
	if n == nil {
		return nil
	}
	var list []string
	switch n.Kind {
	case jsontree.String:
		list = append(list, n.Str())
	case jsontree.Number, jsontree.Bool:
		list = append(list, string(n.Raw()))
	}
	for _, m := range n.Members {
		switch {
		case m.Key == "role", m.Key == "model", m.Key == "stopReason", isForMachines(m.Key):
		default:
			list = append(list, leaves(m.Value)...)
		}
	}
	for _, item := range n.Items {
		list = append(list, leaves(item)...)
	}
	return list
}

// oneLine returns a text without line breaks and, if it is longer than n bytes,
// its beginning and an ellipsis.
func oneLine(text string, n int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	if len(text) <= n {
		return text
	}
	cut := n - len("…")
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
