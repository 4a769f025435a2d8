package narrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Call returns a summary in one sentence of a call that ended with a result:
// how many requests it took, who served them, and what carried the progress. It
// is empty for a call that goes on or ended in another way.
//
// It claims only what the record shows. That nothing was remembered between the
// requests is known of this program's samples alone, whose instances share no
// more than the keys that protect a state.
func Call(t playground.Target, f playground.Transcript) string {
	last := f.Last()
	if last == nil || f.Status != playground.StatusComplete || last.Kind != playground.OutcomeComplete ||
		last.IsError {
		return ""
	}
	c := call{sample: t.Sample != "", f: f, requests: requests(f)}
	switch {
	case slices.ContainsFunc(f.Rounds, func(r playground.Round) bool {
		return r.Task != nil || r.LegacyTask != nil
	}):
		return c.asTask()
	case last.Legacy:
		return c.heldOpen()
	}
	if s := c.changed(); s != "" {
		return s
	}
	return c.plain()
}

// call is a call that has ended with a result.
type call struct {
	sample   bool
	f        playground.Transcript
	requests int
}

// requests returns how many requests were sent for a call. Repeated polls count
// one by one.
func requests(f playground.Transcript) int {
	n := 0
	for _, r := range f.Rounds {
		for _, t := range append(r.Others[:len(r.Others):len(r.Others)], r.Trip) {
			if len(t.Request.Head) > 0 && !t.Copy {
				n += 1 + t.Repeats
			}
		}
	}
	return n
}

// heldOpen describes a call of a legacy server.
func (c call) heldOpen() string {
	asked := c.rounds(func(r playground.Round) bool { return len(r.Questions) > 0 })
	if asked == 0 {
		return "One call, answered at once."
	}
	return fmt.Sprintf("One call, held open while the server asked %s.", howOften(asked))
}

// asTask describes a call that became a task.
func (c call) asTask() string {
	n := capital(counted(c.requests, "request"), "") + ": the call"
	if c.f.Last().Legacy { // the requests of its session say nothing of the task
		n = "The call"
	}
	asked := c.rounds(func(r playground.Round) bool {
		return (r.Task != nil || r.LegacyTask != nil) && len(r.Questions) > 0
	})
	if asked == 0 {
		return n + " became a task, which the client polled."
	}
	return fmt.Sprintf("%s became a task, which asked %s while it worked.", n, howOften(asked))
}

// changed describes a call during which an instance went down, was drained or
// was upgraded, or "".
func (c call) changed() string {
	last := c.f.Last()
	finisher, version := last.ServedBy()
	if !c.sample || finisher == "" {
		return ""
	}
	finisher = text.Visible(finisher, 40)
	history := cluster.History(c.f)
	for i := len(history) - 1; i >= 0; i-- {
		h := history[i]
		r := c.f.Round(h.After)
		if r == nil || !r.Open() {
			continue
		}
		asker, was := r.ServedBy()
		verb := "asked"
		if r.Kind == playground.OutcomeRetry {
			verb = "yielded"
		}
		if asker != h.Instance && h.Do != cluster.Upgrade {
			continue
		}
		switch h.Do {
		case cluster.Kill:
			return fmt.Sprintf("Instance\u00a0%s %s and was killed. Instance\u00a0%s finished the call.",
				text.Visible(asker, 40), verb, finisher)
		case cluster.Stop:
			return fmt.Sprintf("Instance\u00a0%s %s and was drained. Instance\u00a0%s finished the call.",
				text.Visible(asker, 40), verb, finisher)
		case cluster.Upgrade:
			if _, first := c.f.Rounds[0].ServedBy(); first != version && was != "" {
				return fmt.Sprintf("Version\u00a0%s asked. Version\u00a0%s finished the call.",
					text.Visible(first, 40), text.Visible(version, 40))
			}
		}
	}
	return ""
}

// plain describes a call of one or more rounds in which nothing else happened.
func (c call) plain() string {
	n := capital(counted(c.requests, "request"), "")
	yields := c.rounds(func(r playground.Round) bool { return r.Kind == playground.OutcomeRetry })
	asked := c.rounds(func(r playground.Round) bool { return len(r.Questions) > 0 })
	instances := c.instances()
	switch {
	case yields > 0 && asked == 0 && instances > 1:
		return fmt.Sprintf("%s, %s: requestState carried the work from one to the next.", n,
			counted(instances, "instance"))
	case yields > 0 && asked == 0:
		return fmt.Sprintf("%s: requestState carried the work from one to the next.", n)
	case c.rounds(asksForLink) > 0:
		return n + ". What was entered on the server's page did not pass through the client."
	case asked == 0 && c.requests == 1:
		return "One request. The server asked for nothing more."
	case !c.sample:
		return n + ", each complete in itself."
	case instances > 1:
		return fmt.Sprintf("%s, %s, nothing remembered in between.", n, counted(instances, "instance"))
	}
	return n + ", nothing remembered in between."
}

// asksForLink reports whether a Round asks the user to open an address.
func asksForLink(r playground.Round) bool {
	return slices.ContainsFunc(r.Questions, func(q playground.Question) bool {
		return q.Mode() == "url"
	})
}

// instances returns how many instances of a sample served requests.
func (c call) instances() int {
	seen := map[string]bool{}
	for _, r := range c.f.Rounds {
		if name, _ := r.ServedBy(); name != "" {
			seen[name] = true
		}
	}
	return len(seen)
}

// rounds returns how many Rounds are of a kind.
func (c call) rounds(is func(playground.Round) bool) int {
	n := 0
	for _, r := range c.f.Rounds {
		if is(r) {
			n++
		}
	}
	return n
}

// small are numbers as words.
var small = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// counted returns a number and a noun: "three requests", "12 requests".
func counted(n int, noun string) string {
	words := text.Plural(n, noun)
	if n < len(small) {
		_, rest, _ := strings.Cut(words, " ")
		return small[n] + " " + rest
	}
	return words
}

func howOften(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	words, _, _ := strings.Cut(counted(n, "time"), " ")
	return words + " times"
}
