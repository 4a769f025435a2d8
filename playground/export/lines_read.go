package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Members in which loggers put a message, its direction and its time.
var (
	messageMembers = []string{"message", "msg", "payload", "data", "body", "frame", "raw", "json", "content",
		"params", "request", "response"}
	directionMembers = []string{"direction", "dir", "from", "side", "origin", "source", "sender", "stream",
		"type", "kind", "event"}
	timeMembers = []string{"timestamp", "time", "ts", "at", "@timestamp", "date"}
)

// logged is a message of a log.
type logged struct {
	bytes  []byte
	node   *jsontree.Node
	label  string    // what the log says of its direction, in lower case; "" for nothing
	at     time.Time // zero if the log does not say
	client bool      // the client sent it
}

// readLines reads messages of JSON-RPC, one a line, also inside the objects or after the
// words of a logger, or as the items of a list.
func readLines(data []byte, most int) (Session, error) {
	var list []logged
	out := 0
	for _, line := range linesOf(data) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		l, ok := readLine(line)
		if !ok {
			out++
			continue
		}
		if list = append(list, l); len(list) > MaxMessages {
			return Session{}, fmt.Errorf("%w: more than %d messages", ErrTooLarge, MaxMessages)
		}
	}
	if len(list) < 2 { // one message is no recording
		return Session{}, errOther
	}
	direct(list)
	target := playground.Target{Name: nameIn(list), URL: wire.CommandURL([]string{"recorded"})}
	tape := capture.NewTape(target, ids(), capture.TapeLimits{Bytes: most, Lines: MaxMessages})
	at := time.Time{}
	for i, l := range list {
		switch {
		case l.at.After(at):
			at = l.at
		case at.IsZero():
			at = epoch(i)
		case at.Year() == 1970:
			at = epoch(i)
		}
		line := append(bytes.Clone(l.bytes), '\n')
		if l.client {
			tape.FromClient(line, at)
		} else {
			tape.FromServer(line, at)
		}
		if err := tooManyCalls(tape.Calls()); err != nil {
			return Session{}, err
		}
	}
	if tape.Missed() > 0 {
		return Session{}, fmt.Errorf("%w: the limit session-size is %d", ErrTooLarge, most)
	}
	calls, others := tape.Recorded()
	n, err := joined(calls, others, leftOut("lines", len(list), "message", out))
	n.Title = target.Name
	return n, err
}

// linesOf returns the lines of a file, or the items of a list.
func linesOf(data []byte) [][]byte {
	n, err := jsontree.Parse(data, jsontree.Limits{Values: 1 << 20})
	switch {
	case err == nil && n.Kind == jsontree.Array:
		var list [][]byte
		for _, item := range n.Elements() {
			list = append(list, item.Raw())
		}
		return list
	case err == nil:
		return [][]byte{n.Raw()} // one message in several lines
	}
	return bytes.Split(data, []byte("\n"))
}

// readLine reads a line of a log: a message, an object around one, or words and a message.
func readLine(line []byte) (logged, bool) {
	line = bytes.TrimSpace(line)
	start := bytes.IndexByte(line, '{')
	if start < 0 {
		return logged{}, false
	}
	words := string(line[:start])
	n, err := jsontree.Parse(line[start:], jsontree.Limits{})
	if err != nil {
		// words may follow: the first value counts
		d := json.NewDecoder(bytes.NewReader(line[start:]))
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return logged{}, false
		}
		if n, err = jsontree.Parse(raw, jsontree.Limits{}); err != nil {
			return logged{}, false
		}
	}
	l := logged{label: wordsLabel(words), at: wordsTime(words)}
	if isMessage(n) {
		l.node, l.bytes = n, jsontree.Compact(n.Raw())
		return l, true
	}
	if l.node = inside(n, 3); l.node == nil {
		return logged{}, false
	}
	l.bytes = jsontree.Compact(l.node.Raw())
	for _, name := range directionMembers {
		if s := n.Get(name).Str(); s != "" && l.label == "" {
			l.label = strings.ToLower(name + " " + text.Chars(s, 40))
		}
	}
	for _, name := range timeMembers {
		if at := timeOf(n.Get(name)); !at.IsZero() && l.at.IsZero() {
			l.at = at
		}
	}
	return l, true
}

// inside returns the message in an object of a logger: an object, or a string that is one.
func inside(n *jsontree.Node, depth int) *jsontree.Node {
	for _, name := range messageMembers {
		v := n.Get(name)
		if s, ok := v.Text(); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
			v, _ = jsontree.Parse([]byte(strings.TrimSpace(s)), jsontree.Limits{})
		}
		switch {
		case v == nil || v.Kind != jsontree.Object:
		case isMessage(v):
			return v
		case depth > 1:
			if found := inside(v, depth-1); found != nil {
				return found
			}
		}
	}
	return nil
}

// wordsLabel returns what the words before a message say of its direction.
func wordsLabel(words string) string {
	words = strings.ToLower(words)
	for _, sign := range []string{
		"from client", "from server", "to client", "to server", "client ->", "server ->", "client →",
		"server →",
		"-->", "<--", "->", "<-", ">>", "<<", "→", "←", "sent", "received", "send", "recv", "sending",
		"receiving",
		"outgoing", "incoming", "inbound", "outbound", "request", "response", ">", "<",
	} {
		if strings.Contains(words, sign) {
			return "words " + sign
		}
	}
	return ""
}

// wordsTime returns the time that the words before a message begin with.
func wordsTime(words string) time.Time {
	first, _, _ := strings.Cut(strings.TrimLeft(words, "[( "), " ")
	at, err := time.Parse(time.RFC3339Nano, strings.Trim(first, "[](),"))
	if err != nil || at.Year() <= 1970 {
		return time.Time{}
	}
	return at.UTC()
}

// timeOf returns a time as loggers write it: RFC 3339, or seconds, milli-, micro- or
// nanoseconds since 1970.
func timeOf(n *jsontree.Node) time.Time {
	if n == nil {
		return time.Time{}
	}
	if s, ok := n.Text(); ok {
		if at, err := time.Parse(time.RFC3339Nano, s); err == nil && at.Year() > 1970 && at.Year() < 10000 {
			return at.UTC()
		}
		return time.Time{}
	}
	f, err := strconv.ParseFloat(string(n.Raw()), 64)
	if err != nil || n.Kind != jsontree.Number || f < 1e8 {
		return time.Time{}
	}
	for f > 1e11 {
		f /= 1000
	}
	return time.UnixMicro(int64(f * 1e6)).UTC()
}

// direct says which messages the client sent. What each label of a log means follows from
// the messages that have it: only clients call tools, and only servers ask. Without labels
// it follows from each message.
func direct(list []logged) {
	votes := map[string]int{}
	for i := range list {
		switch sideOf(list[i].node) {
		case "client":
			votes[list[i].label]++
		case "server":
			votes[list[i].label]--
		}
	}
	open := map[string]int{} // requests of the client, by id, without a response
	for i := range list {
		l := &list[i]
		id := playground.IDKey(l.node.Get("id"))
		switch side := sideOf(l.node); {
		case l.label != "" && len(votes) > 1 && votes[l.label] != 0:
			l.client = votes[l.label] > 0
		case side != "":
			l.client = side == "client"
		case playground.RPC{Node: l.node}.IsResponse():
			l.client = open[id] == 0 // it answers a request of the server
		default:
			l.client = !strings.HasPrefix(l.node.Get("method").Str(), "notifications/")
		}
		switch isResponse := (playground.RPC{Node: l.node}).IsResponse(); {
		case l.client && !isResponse && id != "":
			open[id]++
		case !l.client && isResponse && open[id] > 0:
			open[id]--
		}
	}
}

// sideOf returns the side that a message can only be from, or "" if both can send it.
func sideOf(n *jsontree.Node) string {
	switch method := n.Get("method").Str(); method {
	case "":
		if n.At("result", "resultType") != nil || n.At("result", "serverInfo") != nil ||
			n.At("result", "tools") != nil || n.At("result", "content").Elements() != nil {
			return "server"
		}
		return ""
	case playground.CreateMessage, playground.Elicit, playground.RootsList, playground.MessageNotified,
		"notifications/tools/list_changed", "notifications/prompts/list_changed",
		"notifications/resources/list_changed", "notifications/resources/updated",
		"notifications/elicitation/complete", "notifications/subscriptions/acknowledged":
		return "server"
	case "ping", playground.ProgressNotified, playground.CancelledNotified, "tasks/get", "tasks/cancel":
		return ""
	default:
		if strings.HasPrefix(method, "notifications/") &&
			method != "notifications/initialized" && method != "notifications/roots/list_changed" {
			return ""
		}
		return "client"
	}
}

// nameIn returns the name that the server of a recording gives itself.
func nameIn(list []logged) string {
	for _, l := range list {
		info := l.node.At("result", "serverInfo")
		if info == nil {
			info = l.node.At("result", "_meta", "io.modelcontextprotocol/serverInfo")
		}
		if name := info.Get("name").Str(); name != "" {
			return text.Visible(name, 80)
		}
	}
	return "Recorded lines"
}
