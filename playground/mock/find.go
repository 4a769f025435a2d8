package mock

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Found is what was recorded for a request: one answer or several, in their order.
type Found struct {
	of      *Recording
	entries []*entry
	message *jsontree.Node // of the client; nil for a GET or DELETE
	newest  map[string]json.RawMessage
}

// Find returns what was recorded for a message of a client, or why there is nothing.
func (r *Recording) Find(message *jsontree.Node) (Found, *Miss) {
	method := message.Get("method").Str()
	reduced := r.ignored.reduce(message.Get("params"))
	entries := r.groups[method+" "+string(jsontree.Canonical(reduced))]
	if made := r.methods[method]; len(entries) == 0 && len(made) == 1 && made[0].made &&
		!message.Get("params").Has("cursor") {
		entries = made // with whatever _meta
	}
	if len(entries) > 0 {
		return Found{of: r, entries: entries, message: message}, nil
	}
	for _, e := range r.masked[method] {
		if fits(e.params, reduced) {
			return Found{of: r, entries: r.groups[e.group], message: message}, nil
		}
	}
	return Found{}, r.miss(method, reduced)
}

// Legacy returns what was recorded for a GET or DELETE of a legacy session; false if it was
// not. A GET may resume a stream after an event.
func (r *Recording) Legacy(verb, after string) (Found, bool) {
	group := legacyGroup(verb, after)
	entries := r.groups[group]
	return Found{of: r, entries: entries}, len(entries) > 0 && entries[0].http == group
}

// Resumed returns f with the newest ids of clients by their recorded ones, as IDKey names them:
// a resumed stream has the response to an earlier request.
func (f Found) Resumed(ids map[string]json.RawMessage) Found {
	f.newest = ids
	return f
}

// Answered reports whether what was recorded is a request, and no notification.
func (f Found) Answered() bool { return f.entries[0].id != nil }

// Answers returns how many answers there are.
func (f Found) Answers() int {
	n := 0
	for _, e := range f.entries {
		n += e.times
	}
	return n
}

// Key is the name under which the caller counts the answers that were given.
func (f Found) Key() string {
	sum := sha256.Sum256([]byte(f.entries[0].group))
	name := hex.EncodeToString(sum[:12])
	if !stays(f.entries) {
		return name
	}
	return prefix(f.entries[0].call) + name
}

// prefix begins the keys of what a call repeats.
func prefix(call int) string { return strconv.Itoa(call) + ":" }

// stays reports whether the last answer is given again and again, as to a poll: all belong to
// one call, which begins anew when it is opened. Others begin again with the first.
func stays(entries []*entry) bool {
	return !slices.ContainsFunc(entries, func(e *entry) bool {
		return e.opens || e.call != entries[0].call || e.call < 0
	})
}

// at returns the answer with a number, from 0: how many were given before.
func (f Found) at(n int) *entry {
	total := f.Answers()
	if stays(f.entries) {
		n = min(n, total-1)
	}
	n %= total
	for _, e := range f.entries {
		if n < e.times {
			return e
		}
		n -= e.times
	}
	return f.entries[0]
}

// Begins returns what the keys begin with that begin again with the answer that has a number,
// since it opens a call; "" if there are none.
func (f Found) Begins(n int) string {
	if e := f.at(n); e.opens && f.of.begins[e.call] {
		return prefix(e.call)
	}
	return ""
}

// fits reports whether a value is the recorded one, whose masked texts match any of their
// length.
func fits(was, is *jsontree.Node) bool {
	switch {
	case was == nil || is == nil:
		return was == is
	case was.Kind != is.Kind:
		return false
	case was.Kind == jsontree.Object:
		members := map[string]*jsontree.Node{}
		for _, m := range is.Members {
			members[m.Key] = m.Value
		}
		return len(was.Members) == len(is.Members) && !slices.ContainsFunc(was.Members,
			func(m jsontree.Member) bool { return !fits(m.Value, members[m.Key]) })
	case was.Kind == jsontree.Array:
		return slices.EqualFunc(was.Items, is.Items, fits)
	case was.Kind == jsontree.String && bytes.Contains(was.Raw(), stars):
		return fitsText(was.Str(), is.Str()) || fitsText(string(was.Raw()), string(is.Raw()))
	}
	return jsontree.Equal(was, is)
}

// fitsText compares texts byte for byte, but for the stars of the recorded one.
func fitsText(was, is string) bool {
	if len(was) != len(is) {
		return false
	}
	for i := range len(was) {
		if was[i] != '*' && was[i] != is[i] {
			return false
		}
	}
	return true
}
