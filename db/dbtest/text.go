package dbtest

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// strangeTexts are texts that a server or a user can send and an engine could
// refuse or change.
var strangeTexts = map[string]string{
	"NUL":                  "a\x00b",
	"invalid UTF-8":        "a\xff\xfe\x80b",
	"a cut character":      "a\xe2\x82",
	"a lone surrogate":     "a\xed\xa0\x80",
	"private characters":   "a\U0010FE00\U0010FEFF\U0010FF00\U0010FFFF",
	"half an escape":       "a\xf4\x8f\xb8",
	"the last character":   "\U0010FFFF\x00",
	"a replaced character": "a\ufffd",
	"quotes":               `a'"\?1 $1 %_!`,
	"empty":                "",
}

var textTests = map[string]func(*testing.T, *db.Store){
	"Text_IsKeptByteForByte": func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		for name, text := range strangeTexts {
			x, target, call := Exchange("x"+name), newTarget("t"+name), newSavedCall("c"+name, text)
			x.Target.Name, x.Target.URL, x.Call.Method = text, text, text
			x.Call.Params = json.RawMessage(text + "p")
			target.Name, target.URL, call.Name, call.Target = text, text, text, target.ID
			must(t,
				s.AddExchange(ctx, "w", text, x),
				s.EditSession(ctx, "w", x.Session, text, text, false),
				s.AddTarget(ctx, "w", target, Now),
				s.Append(ctx, target.ID, playground.Summary{Status: "connected", Name: text + "s"}),
			)
			_, err := s.AddSavedCall(ctx, "w", call, 99)
			must(t, err)
			got, err := s.Exchange(ctx, "w", x.ID)
			must(t, err)
			n, err := s.Session(ctx, "w", x.Session)
			must(t, err)
			server, _, err := s.Target(ctx, "w", target.ID)
			must(t, err)
			saved, err := s.SavedCall(ctx, "w", call.ID)
			must(t, err)
			for what, stored := range map[string]string{
				"name": got.Target.Name, "url": got.Target.URL, "method": got.Call.Method,
				"title": n.Title, "note": n.Note, "server": server.Name, "server url": server.URL,
				"call": saved.Title, "tool": saved.Name,
			} {
				if stored != text {
					t.Errorf("%s: the %s is %q, want %q", name, what, stored, text)
				}
			}
			if string(got.Call.Params) != text+"p" || saved.Server != text+"s" {
				t.Errorf("%s: params %q, reported name %q", name, got.Call.Params, saved.Server)
			}
			if id, err := s.TargetAt(ctx, "w", text); id != target.ID || err != nil {
				t.Errorf("%s: found by its URL: %q, %v", name, id, err)
			}
		}
	},

	// What a visitor writes into a URL is an id that there is not.
	"Text_InAnIDIsNotFound": func(t *testing.T, s *db.Store) {
		AddSessions(t, s, "w", 1)
		for name, text := range strangeTexts {
			_, err := s.Exchange(t.Context(), "w", text)
			_, other := s.Session(t.Context(), text, "s00000-w")
			_, link := s.Share(t.Context(), text, Now)
			for _, err := range []error{err, other, link, s.DeleteSession(t.Context(), "w", text)} {
				if !errors.Is(err, playground.ErrNotFound) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	},

	"Text_IsFoundAsItIsNormalised": func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		must(t,
			s.AddExchange(ctx, "w", "one\x00two \xff three", Exchange("x")),
			s.AddExchange(ctx, "w", "\U0010FE41 four", Exchange("y")),
		)
		for words, want := range map[string]int{
			"one": 1, "two": 1, "three": 1, "\xff": 1, "\ufffd": 1, "\U0010FE41": 1, "\U0010FE42": 0,
		} {
			got, err := s.Sessions(ctx, "w", session.Search{Limit: 9, Words: []string{words}})
			if err != nil || len(got.Rows) != want {
				t.Errorf("%q: %d found, want %d, %v", words, len(got.Rows), want, err)
			}
		}
	},
}
