package demo

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

// inserted are the steps that an editor inserts, by their word.
var inserted = map[cluster.Operation]Step{
	cluster.Kill: {
		Button: "Kill the instance that asked", Title: "The instance that asked is gone.",
		Text: "Instance {asked} is down, and its question is still open. " +
			"Nothing is lost: the client holds the state.",
	},
	cluster.Stop: {
		Button: "Drain the instance that asked", Title: "It takes no new work.",
		Text: "Instance {asked} is drained: the balancer sends it no more requests.",
	},
	cluster.Upgrade: {
		Button: "Upgrade the instance that asked", Title: "You upgrade the very instance that asked.",
		Text: "The question is still open. Instance {asked} is now a new process that knows nothing of it.",
	},
}

// Insert returns the story with a step after step n that changes the instance that
// asked.
func (s Story) Insert(n int, o cluster.Operation) (Story, bool) {
	step, ok := inserted[o]
	if !ok || n < 1 || n > len(s.Steps) || len(s.Steps) == MaxSteps || s.IsRecorded() ||
		o == cluster.Upgrade && len(s.Versions) < 2 {
		return s, false
	}
	before := s.Steps[n-1]
	step.Act = Act{Kind: Alter, Do: o, To: Asker}
	if o == cluster.Upgrade {
		step.Act.Version = s.Versions[len(s.Versions)-1]
	}
	step.Expect, step.Fails, step.Asks = before.Expect, before.Fails, before.Asks
	s.Steps = slices.Insert(slices.Clone(s.Steps), n, step)
	return s.captioned(), true
}

// Remove returns the story without step n.
func (s Story) Remove(n int) (Story, bool) {
	if n < 1 || n > len(s.Steps) || len(s.Steps) == 1 {
		return s, false
	}
	s.Steps = slices.Delete(slices.Clone(s.Steps), n-1, n)
	return s.captioned(), true
}

// Raise returns the story with step n before the step that was before it.
func (s Story) Raise(n int) (Story, bool) {
	if n < 2 || n > len(s.Steps) {
		return s, false
	}
	s.Steps = slices.Clone(s.Steps)
	s.Steps[n-1], s.Steps[n-2] = s.Steps[n-2], s.Steps[n-1]
	return s.captioned(), true
}

// What happens to the call before MRTR, in one sentence for each act.
const (
	asksOpen   = "Instance {asked} asks on the open call. The answer must reach it again."
	reachesIt  = "Sticky routing takes the answer to instance {asked}."
	goesDown   = "Instance {asked} is down. The session was in its memory."
	isReplaced = "The same upgrade: instance {asked} is a new process without the session."
	keepsCall  = "Drained or not, instance {asked} must keep the call until it is done."
	getsLost   = "The answer gets a 404: no instance has the session. The call is lost."
)

var captions = []string{"", asksOpen, reachesIt, goesDown, isReplaced, keepsCall, getsLost}

// WithBefore returns the story with the same call before MRTR. sample is the server of
// that call; if it is empty, the story's own server is driven as it was in 2025.
func (s Story) WithBefore(sample string) Story {
	if sample == "" {
		sample = s.Sample
	}
	s.Before = Lane{Sample: sample, Instances: s.Instances, Acts: []Act{{Kind: Send}}}
	s.Steps = slices.Clone(s.Steps)
	shown := slices.ContainsFunc(s.Steps, func(p Step) bool { return p.Show == Legacy })
	if !shown && len(s.Steps) < MaxSteps {
		last := s.Steps[len(s.Steps)-1]
		s.Steps = append(s.Steps, Step{
			Button: "The same before MRTR", Act: Act{Kind: Replay}, Show: Legacy,
			Title:  "Before MRTR, the call stayed on one instance.",
			Text:   "In 2025 a question kept one call open, in the memory of one instance.",
			Expect: last.Expect, Fails: last.Fails, Asks: last.Asks,
		})
	}
	return s.captioned()
}

// WithoutBefore returns the story without the call before MRTR.
func (s Story) WithoutBefore() Story {
	s.Before = Lane{}
	s.Steps = slices.DeleteFunc(slices.Clone(s.Steps), func(p Step) bool { return p.Show == Legacy })
	for i := range s.Steps {
		s.Steps[i].Before = ""
	}
	return s
}

// captioned returns the story with a sentence for each act before MRTR. What the user
// wrote stays.
func (s Story) captioned() Story {
	if !s.HasBefore() {
		return s
	}
	sends, gone, lost := 0, false, false
	for i := range s.Steps {
		step := &s.Steps[i]
		caption := ""
		switch {
		case lost:
		case step.Act.Kind == Send:
			sends++
			caption = reachesIt
			if lost = gone; lost {
				caption = getsLost
			} else if sends == 1 {
				caption = asksOpen
			}
		case step.Act.Kind == Alter:
			gone = gone ||
				step.Act.To == Asker && step.Act.Do != cluster.Stop && step.Act.Do != cluster.Revive
			caption = map[cluster.Operation]string{
				cluster.Kill: goesDown, cluster.Upgrade: isReplaced, cluster.Stop: keepsCall,
			}[step.Act.Do]
		}
		if slices.Contains(captions, step.Before) {
			step.Before = caption
		}
	}
	s.Before.follow(s.Steps)
	if s.Before.Verdict == "" || s.Before.Verdict == lostVerdict || s.Before.Verdict == staysVerdict {
		s.Before.Verdict = staysVerdict
		if lost {
			s.Before.Verdict = lostVerdict
		}
	}
	return s
}

const (
	lostVerdict  = "The call is lost."
	staysVerdict = "The call stays on one instance."
)
