package lesson

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// SpotPath is the address of Spot the fault. That of an item is SpotPath, a
// slash and its number.
const SpotPath = "/learn/spot-the-fault"

// Item is one recorded exchange of Spot the fault, with the options for the
// fault of the server. Script made the recording; tests run it again and
// compare.
type Item struct {
	Title     string
	Name      string // of the file with the recording
	Lesson    string // slug
	Sentence  string // id of the sentence of the specification that decides
	Situation string // HTML
	HTTP      bool   // the heads are shown
	Script    Script
	Options   []Claim
	Recording Recording
	Turns     []Turn
	masks     [][2]string
}

// Claim is one option: something that may be wrong with the server.
type Claim struct {
	Text  string // inline HTML
	Rule  string // id of the rule that would be broken; Nothing, or "" if no rule judges it
	Right bool
	Why   string // inline HTML
}

// Nothing stands for the rule of a Claim that nothing is wrong.
const Nothing = "nothing"

// Turn is one message of an Item as the page shows it.
type Turn struct {
	Server bool
	Status string // HTTP status, as in "200 OK"; empty for a request
	Before int    // number of notifications before it on its stream, which are not shown
	HTML   string
}

// Recording is a recorded exchange in a file.
type Recording struct {
	Declared json.RawMessage `json:"declared"` // client capabilities
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params"`
	Log      []recordedEvent `json:"log"`
}

type recordedEvent struct {
	Kind playground.EventKind `json:"kind"`
	Conn int                  `json:"conn,omitempty"`
	Data string               `json:"data"`
}

// recorded is the time of the first event of every Recording.
var recorded = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

// Exchange returns the recorded exchange. Its events are one second apart.
func (r Recording) Exchange() playground.Exchange {
	x := playground.Exchange{
		ID: "x",
		Target: playground.Target{Name: "the server", URL: "https://mcp.example/mcp",
			Capabilities: r.Declared},
		Call: playground.Call{Method: r.Method, Params: r.Params},
	}
	for i, e := range r.Log {
		x.Log = append(x.Log, playground.Event{Seq: i + 1, At: recorded.Add(time.Duration(i) * time.Second),
			Conn: e.Conn, Kind: e.Kind, Data: []byte(e.Data)})
	}
	return x
}

// Right returns the right option.
func (i Item) Right() Claim {
	return i.Options[slices.IndexFunc(i.Options, func(c Claim) bool { return c.Right })]
}

//go:embed recordings
var recordings embed.FS

// recordingPath returns the path of the file of a recording.
func recordingPath(name string) string { return "recordings/" + name + ".json" }

// parseSpot parses the items and reads their recordings.
func (m markdown) parseSpot(text string) ([]Item, error) {
	list, err := m.parseScripts(text)
	for n := range list {
		if err := list[n].read(recordings); err != nil {
			return nil, fmt.Errorf("%s: %w", list[n].Title, err)
		}
	}
	return list, err
}

// parseScripts parses the items, without recordings.
func (m markdown) parseScripts(text string) ([]Item, error) {
	var list []Item
	for _, section := range sections(text) {
		i, err := m.parseItem(section)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", i.Title, err)
		}
		list = append(list, i)
	}
	return list, nil
}

func (m markdown) parseItem(section string) (Item, error) {
	head, body, _ := strings.Cut(section, "\n")
	i := Item{Title: strings.TrimSpace(head)}
	prose, blocks, err := cutBlocks(body, "item", "record", "option")
	if err != nil {
		return i, err
	}
	if i.Situation, err = m.html(prose); err != nil {
		return i, err
	}
	for _, b := range blocks {
		switch b.kind {
		case "item":
			err = i.settings(b.text)
		case "record":
			i.Script, err = parseSteps(1, b)
		case "option":
			err = m.addClaim(&i, b)
		}
		if err != nil {
			return i, err
		}
	}
	return i, i.check()
}

// settings reads the lines "name: NAME", "lesson: SLUG", "sentence: ID", "show:
// http" and "mask: WORD -> WORD".
func (i *Item) settings(text string) error {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "name":
			i.Name = value
		case "lesson":
			i.Lesson = value
		case "sentence":
			i.Sentence = value
		case "show":
			i.HTTP = value == "http"
		case "mask":
			from, to, ok := strings.Cut(value, " -> ")
			if !ok {
				return fmt.Errorf("mask without an arrow: %s", line)
			}
			i.masks = append(i.masks, [2]string{from, to})
		default:
			return fmt.Errorf("unknown setting %q", key)
		}
	}
	return nil
}

// addClaim adds a text and an explanation, separated by "---". The info string
// is the rule, with "right" before it for the right option.
func (m markdown) addClaim(i *Item, b block) error {
	text, why, ok := strings.Cut(b.text, "---\n")
	if !ok {
		return fmt.Errorf("option %q: want text and explanation", b.text)
	}
	rule, right := strings.CutPrefix(b.info, "right")
	c := Claim{Rule: strings.TrimSpace(rule), Right: right}
	var err error
	if c.Text, err = m.inline(strings.TrimSpace(text)); err != nil {
		return err
	}
	c.Why, err = m.inline(strings.TrimSpace(why))
	i.Options = append(i.Options, c)
	return err
}

func (i Item) check() error {
	right := 0
	for _, c := range i.Options {
		if c.Right {
			right++
		}
		if c.Text == "" || c.Why == "" {
			return fmt.Errorf("an option has no text or no explanation")
		}
	}
	if right != 1 || len(i.Options) != 4 {
		return fmt.Errorf("want four options, exactly one of them right")
	}
	if i.Name == "" || len(i.Script) == 0 {
		return fmt.Errorf("want a name and a script")
	}
	if _, ok := i.Requirement(); !ok {
		return fmt.Errorf("the specification has no sentence %q", i.Sentence)
	}
	return nil
}

// Requirement returns the sentence of the specification that decides.
func (i Item) Requirement() (spec.Sentence, bool) {
	for _, s := range spec.Sentences() {
		if s.ID == i.Sentence {
			return s, true
		}
	}
	return spec.Sentence{}, false
}

// read reads the recording and renders its messages.
func (i *Item) read(files fs.FS) error {
	data, err := fs.ReadFile(files, recordingPath(i.Name))
	if err != nil {
		return fmt.Errorf("read recording: %w", err)
	}
	if err := json.Unmarshal(data, &i.Recording); err != nil {
		return fmt.Errorf("read recording %s: %w", i.Name, err)
	}
	return i.render()
}

// render renders the messages of the recording.
func (i *Item) render() error {
	for n, r := range playground.Fold(i.Recording.Exchange().Log).Rounds {
		var declared json.RawMessage // shown once
		if n == 0 {
			declared = i.Recording.Declared
		}
		request, err := wire.ParseHead(r.Request.Head)
		if err != nil {
			return fmt.Errorf("head of request %d: %w", n+1, err)
		}
		head := "POST /mcp HTTP/1.1" + fields(request, requestFields)
		body, err := trimmed(r.Sent, "params", declared)
		if err != nil {
			return err
		}
		if err := i.addTurn(Turn{}, head, body); err != nil {
			return err
		}
		notifications := 0
		for _, m := range r.Messages {
			if !m.IsResponse() {
				notifications++
				continue
			}
			status := fmt.Sprintf("%d %s", r.Head.Status, http.StatusText(r.Head.Status))
			head := "HTTP/1.1 " + status + fields(r.Head, responseFields)
			if body, err = trimmed(m.Node, "result", nil); err != nil {
				return err
			}
			if err := i.addTurn(Turn{Server: true, Status: status, Before: notifications},
				head, body); err != nil {
				return err
			}
		}
	}
	return nil
}

var (
	requestFields  = []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"}
	responseFields = []string{"Content-Type"}
)

// fields returns those fields of a head that it has, one per line.
func fields(h wire.Head, names []string) string {
	var b strings.Builder
	for _, name := range names {
		if value := h.Get(name); value != "" {
			b.WriteString("\n" + name + ": " + value)
		}
	}
	return b.String()
}

// trimmed returns a message with "…" for the content of _meta of the given
// member, apart from the declared capabilities, if any.
func trimmed(n *jsontree.Node, member string, declared json.RawMessage) (string, error) {
	inner := n.Get(member)
	if inner == nil || !inner.Has("_meta") {
		return string(n.Raw()), nil
	}
	meta := `{"…": "…"}`
	if declared != nil {
		meta = `{"io.modelcontextprotocol/clientCapabilities": ` + string(declared) + `, "…": "…"}`
	}
	value, err := jsontree.Set(inner.Raw(), jsontree.Pair{Key: "_meta", Value: json.RawMessage(meta)})
	if err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	whole, err := jsontree.Set(n.Raw(), jsontree.Pair{Key: member, Value: value})
	if err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	return string(whole), nil
}

// addTurn renders a message with the masks and adds it.
func (i *Item) addTurn(t Turn, head, body string) error {
	for _, m := range i.masks {
		head, body = strings.ReplaceAll(head, m[0], m[1]), strings.ReplaceAll(body, m[0], m[1])
	}
	var err error
	if i.HTTP {
		t.HTML, err = httpMessage("", head+"\n\n"+body)
	} else {
		t.HTML, err = message("", body)
	}
	i.Turns = append(i.Turns, t)
	return err
}
