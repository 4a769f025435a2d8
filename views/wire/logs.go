package wire

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// LogLine is a log message of the server (server/utilities/logging).
type LogLine struct{ Level, Logger, Text string }

// logLines returns the log messages of a Round, in order.
func logLines(r playground.Round) []LogLine {
	var list []LogLine
	for _, m := range r.AllMessages() {
		if m.Method() != playground.MessageNotified {
			continue
		}
		params := m.Node.Get("params")
		line := LogLine{
			Level:  text.Visible(params.Get("level").Str(), 20),
			Logger: text.Visible(params.Get("logger").Str(), 60),
		}
		if data, ok := params.Get("data").Text(); ok {
			line.Text = text.Visible(data, 600)
		} else {
			line.Text = text.Visible(string(params.Get("data").Raw()), 600)
		}
		list = append(list, line)
	}
	return list
}

// levelClass returns the CSS class of a level that the protocol defines.
func levelClass(level string) string {
	if slices.Contains(server.LogLevels(), level) {
		return "log-level-" + level
	}
	return ""
}
