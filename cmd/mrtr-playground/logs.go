package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// logSettings has the format of the log of serve.
type logSettings struct {
	format   string // "json" or "text"; empty for json in public mode, else text
	requests bool   // a line for every request
	verbose  bool   // a line for every step of the start
}

func (l logSettings) check() error {
	if l.format != "" && l.format != "json" && l.format != "text" {
		return &usageError{fmt.Sprintf("-log-format %q is neither json nor text", l.format)}
	}
	return nil
}

// newLogger returns the logger of serve. Its lines have no control characters,
// no query of a URL, and nothing that has the shape of a credential. count is
// called with the level of every line.
func newLogger(l logSettings, mode app.Mode, w io.Writer, count func(slog.Level)) *slog.Logger {
	options := &slog.HandlerOptions{ReplaceAttr: redactAttr}
	if l.verbose {
		options.Level = slog.LevelDebug
	}
	var h slog.Handler = slog.NewTextHandler(w, options)
	if l.format == "json" || l.format == "" && mode == app.Public {
		h = slog.NewJSONHandler(escapedJSON{w}, options)
	}
	return slog.New(countingHandler{h, count})
}

// escapedJSON is a writer of JSON lines in which every hidden character of a text
// is written as an escape.
type escapedJSON struct{ w io.Writer }

// Write writes one line.
func (e escapedJSON) Write(line []byte) (int, error) {
	if _, err := e.w.Write(text.EscapeJSON(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// countingHandler counts the lines of a log by level.
type countingHandler struct {
	slog.Handler
	count func(slog.Level)
}

// Handle writes a line.
func (h countingHandler) Handle(ctx context.Context, r slog.Record) error {
	h.count(r.Level)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs returns a handler that adds attributes to every line.
func (h countingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return countingHandler{h.Handler.WithAttrs(attrs), h.count}
}

// WithGroup returns a handler whose attributes are in a group.
func (h countingHandler) WithGroup(name string) slog.Handler {
	return countingHandler{h.Handler.WithGroup(name), h.count}
}

// redactAttr masks texts and errors. Errors of net/http contain the URL of their
// request, whose query may have a key.
func redactAttr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, redactText(a.Value.String()))
	case slog.KindAny:
		if level, is := a.Value.Any().(slog.Level); is {
			return slog.Any(a.Key, level)
		}
		return slog.String(a.Key, redactText(fmt.Sprint(a.Value.Any())))
	}
	return a
}

// queryOf finds the query of a URL or of a path, and userOf the user and password
// of a URL.
var (
	queryOf = regexp.MustCompile(`\?[^\s"'<>]*=[^\s"'<>]*`)
	userOf  = regexp.MustCompile(`://[^\s/"'<>@]*@`)
)

// redactText masks queries, users of URLs, and shapes of credentials.
func redactText(s string) string {
	s = share.MaskText(s)
	s = userOf.ReplaceAllString(s, "://***@")
	return queryOf.ReplaceAllString(s, "?***")
}

// logRequest returns a function that logs an answered request, or nil if
// requests are not logged. A line has the pattern of a path, never the path.
func (l logSettings) logRequest(logger *slog.Logger) func(web.Served) {
	if !l.requests {
		return func(web.Served) {}
	}
	return func(r web.Served) {
		logger.Info("request", "request", r.ID, "method", r.Method, "route", r.Route,
			"status", r.Status, "ms", float64(r.Took.Microseconds())/1000, "bytes", r.Bytes)
	}
}
