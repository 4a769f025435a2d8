package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// SavedCall is a call that the user keeps under a name, to make it again. It
// holds no secrets.
type SavedCall struct {
	ID, Title string
	Target    string          // slug of a sample, or id of one of the user's servers
	Kind      string          // "tool", "prompt", "resource" or "template"
	Name      string          // as on the wire; of a resource its URI, of a template the URI template
	Arguments json.RawMessage // JSON object; empty for a resource
	Omitted   []string        // names of the arguments that were left out because they hold a secret
	Level     string          // log level asked for, or ""
	Wait      string          // timeout in seconds, or "" for the default
	Created   time.Time
	Server    string // name of the server, for lists; "" for a sample
}

// Complete reports whether the call can be made as it is saved: no argument was
// left out.
func (c SavedCall) Complete() bool { return len(c.Omitted) == 0 }

// Summary returns the arguments in one line, as CallSummary does.
func (c SavedCall) Summary() string {
	if len(c.Arguments) == 0 {
		return ""
	}
	params := jsontree.ObjectOf(jsontree.Pair{Key: "arguments", Value: c.Arguments})
	return CallSummary(playground.Call{Params: params})
}

// CheckedKey returns the key of the checks of a server, which is the key of no call.
func CheckedKey(target string) string { return "check " + target }

// CalledKey returns a short key of the called thing: the same for calls of one
// method with the same name or URI at the same target. It is "" if the params
// name nothing.
func CalledKey(target string, c playground.Call) string {
	name := c.Name()
	if target == "" || name == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(target + "\x00" + c.Method + "\x00" + name))
	return hex.EncodeToString(sum[:16])
}
