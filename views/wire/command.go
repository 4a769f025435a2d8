package wire

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Command is the part of the page of a server about its command.
type Command struct {
	Words     string // as a user types it
	Known     bool   // this program was started with it
	Running   bool   // a process of it has not ended
	Restart   string // path of the form that starts it again; empty if connecting does that
	Processes []string
	Stderr    Stderr
	Stray     []string // lines that belong to no request
	Missed    int      // how many came before them
}

// Stderr is the standard error of a command.
type Stderr struct {
	Text string // empty for nothing
	Cut  bool   // more came before it
	Live string // path of the page that shows it, while more can come; empty if it is at its end
}

// LastLine returns the last line of the text, which often says why a command ended.
func (s Stderr) LastLine() string {
	lines := strings.Split(strings.TrimSpace(s.Text), "\n")
	return text.Visible(strings.TrimSpace(lines[len(lines)-1]), maxLastLine)
}

// refreshed are the attributes of an element that is replaced again and again by what
// selector finds on the page at path; none if path is empty.
func refreshed(path, selector string) templ.Attributes {
	if path == "" {
		return nil
	}
	return templ.Attributes{
		"hx-get": path, "hx-trigger": "every 2s", "hx-select": selector, "hx-swap": "outerHTML",
		"hx-push-url": "false",
	}
}

// How much a page shows of a command.
const (
	maxProcesses = 5
	maxStray     = 20
	maxStrayText = 300
	maxLastLine  = 300
)

// NewCommand returns the part of the page of the server t about its command, or
// nil if it is none. c is zero if this program was not started with the
// command.
func NewCommand(t playground.Target, c server.Command, now time.Time) *Command {
	if !t.IsCommand() {
		return nil
	}
	out := &Command{
		Words: cmp.Or(c.Name, t.Name), Known: c.URL != "", Restart: "/servers/" + t.ID + "/restart",
		Stderr: Stderr{Text: text.Lines(c.Written(time.Time{}, time.Time{}), text.NoLimit), Cut: c.Cut},
		Missed: c.Missed,
	}
	for _, p := range slices.Backward(c.Processes[max(0, len(c.Processes)-maxProcesses):]) {
		out.Processes = append(out.Processes, processWords(p, now))
	}
	out.Running = slices.ContainsFunc(c.Processes, func(p server.Process) bool { return p.Ended == "" })
	first := max(0, len(c.Stray)-maxStray)
	out.Missed += first
	for _, e := range c.Stray[first:] {
		line := strings.TrimSuffix(string(wire.Split(e.Data).Body), "\n")
		if e.Kind == playground.Sent {
			line = "answered: " + line
		}
		out.Stray = append(out.Stray, text.Visible(line, maxStrayText))
	}
	return out
}

// processWords says in one line what a process is doing.
func processWords(p server.Process, now time.Time) string {
	words := fmt.Sprintf("Run %d, ", p.N)
	if p.Session {
		words += "for one session, "
	}
	words += prose.Ago(now.Sub(p.Started)) + ": "
	if p.Ended == "" {
		return words + "running"
	}
	if status, exited := strings.CutPrefix(p.Ended, "exit status "); exited {
		return words + "exited with status " + status
	}
	return words + text.Visible(p.Ended, 300)
}

// NewStderr returns the standard error of a command during a call.
func NewStderr(c server.Command, f playground.Transcript, created time.Time) Stderr {
	until := time.Time{}
	if last := f.Last(); last != nil && f.Status.Ended() {
		until = last.Ended.Add(lateStderr)
	}
	written := text.Lines(c.Written(created, until), text.NoLimit)
	cut := c.Cut && len(c.Stderr) > 0 && c.Stderr[0].At.After(created)
	return Stderr{Text: written, Cut: cut}
}

// lateStderr is how long after its end a call may have caused what a command writes to
// standard error, which has no order with its output.
const lateStderr = time.Second
