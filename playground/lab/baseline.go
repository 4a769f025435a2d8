package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// compare sets Worked, and Compared to the right call and its end. The
// experiments may go on from a call with another choice than the first one
// made: an answer that is made up there does not mean that the call does not
// work.
func (r *Report) compare(base playground.Transcript, first playground.Exchange) {
	last := base.Last()
	if last == nil {
		r.Compared = "The right call was not sent."
		return
	}
	began := first.FoldOwn()
	r.Worked = worked(base) || worked(began)
	call := "Baseline: the correct call, " + nameOfCall(r.Call)
	if r.elsewhere(base) {
		call += fmt.Sprintf(", %s %s. The experiments go on from the same call with another choice",
			controlEnd(began), text.Plural(len(began.Rounds), "round"))
	}
	if n := r.evidence.repeats(base); n > 1 && base.Status.Ended() {
		call += fmt.Sprintf(", made %d times", n)
	}
	end := controlEnd(base)
	if r.elsewhere(base) {
		end = "which " + end
	}
	r.Compared = fmt.Sprintf("%s, %s %s.", call, end, text.Plural(len(base.Rounds), "round"))
	if key := pageNotOpened(base); key != "" {
		r.Compared += fmt.Sprintf(
			" A check opens no page, so %q was declined when the server asked it again.",
			text.Visible(key, maxKey))
	}
	if r.Control.Imported {
		r.Compared += " Imported: this recording came from a file or a link."
	}
}

// elsewhere reports whether the right call works, but not with the choice that the
// experiments go on from.
func (r *Report) elsewhere(base playground.Transcript) bool { return r.Worked && !worked(base) }

// worked reports whether a call is complete and its tool reports no error. Declining counts
// where it says that the page was not opened, which the call waits for.
func worked(f playground.Transcript) bool {
	complete := f.Status == playground.StatusComplete ||
		f.Status == playground.StatusDeclined && pageNotOpened(f) != ""
	return complete && !f.ToolError()
}

// pageNotOpened returns the key of the question in URL mode that was declined when the
// server asked it again after it was accepted, or "".
func pageNotOpened(f playground.Transcript) string {
	for _, r := range f.Rounds {
		before := f.Round(r.N - 1)
		if before == nil {
			continue
		}
		for _, q := range before.Questions {
			if q.Mode() == "url" && actionFor(before.Decision, q.Key) == "accept" &&
				actionFor(r.Decision, q.Key) == "decline" {
				return q.Key
			}
		}
	}
	return ""
}

// actionFor returns the action of the answer to a question, or "".
func actionFor(d playground.Decision, key string) string {
	for _, a := range d.Answers {
		if a.Key == key {
			return a.Action()
		}
	}
	return ""
}

// controlEnd returns how the right call ended, before the number of its rounds.
func controlEnd(base playground.Transcript) string {
	switch {
	case base.ToolError():
		return "ended with a tool error after"
	case worked(base):
		return "completed in"
	case base.Status.Ended():
		return string(base.Status) + " after"
	}
	return fmt.Sprintf("is %s after", base.Status)
}

// nameOfCall returns the method and the name of a call.
func nameOfCall(c playground.Call) string {
	return strings.TrimSpace(c.Method + " " + text.Visible(c.Name(), maxKey))
}

// notWorking returns how the call ended that the experiments go on from, and the
// question to answer if a placeholder can be the reason.
func (r *Report) notWorking(base playground.Transcript) string {
	call := "The right call"
	if r.elsewhere(base) {
		call = "The call with the other choice"
	}
	last := *base.Last()
	said := call + " ended with " + string(base.Status) + "."
	switch {
	case last.Open() && base.Status == playground.StatusWaiting:
		said = fmt.Sprintf("%s stopped after round %d: no answer fits what it asked (%s).", call, last.N,
			narrate.Names(keysOf(last)))
	case base.ToolError():
		said = call + " ended with a tool error" + quotedError(*base.Last())
	case base.Status == playground.StatusCapped:
		said = fmt.Sprintf("%s did not end within %d rounds.%s", call, playground.MaxRounds, askedAgain(base))
	case stoppedPolling(base) != "":
		said = call + " became a task whose end was not seen. " + stoppedPolling(base)
	case base.Last().Detail != "":
		said = call + " failed. " + sentence(base.Last().Detail)
	}
	var keys []string // of the questions to blame; nil for all
	if base.Status == playground.StatusCapped {
		keys = keysOf(last) // those asked again and again, and not those answered long before
	}
	for _, asked := range base.Rounds {
		after := base.Round(asked.N + 1)
		if after == nil || !asked.Open() || !mayBlameAnswer(last) || asksOn(base, *after) {
			continue
		}
		if key, ok := placeholderIn(asked, *after, keys); ok {
			return fmt.Sprintf("%s The answer to %q looks like a placeholder. "+
				"Give an answer to that question.", said, text.Visible(key, maxKey))
		}
	}
	if !mayBlameAnswer(last) {
		return said
	}
	return said + " Other arguments or answers would allow more checks."
}

// asksOn reports whether a call never ended although the server took an answer: the
// Round after it asks something else.
func asksOn(base playground.Transcript, after playground.Round) bool {
	before := base.Round(after.N - 1)
	again := func(key string) bool { return slices.Contains(keysOf(after), key) }
	return base.Status == playground.StatusCapped && before != nil &&
		!slices.ContainsFunc(keysOf(*before), again)
}

// askedAgain returns a sentence about a last Round that asks what an earlier one did, or
// "".
func askedAgain(base playground.Transcript) string {
	last := base.Last()
	for _, r := range base.Rounds[:len(base.Rounds)-1] {
		if keys := keysOf(*last); len(keys) > 0 && slices.Equal(keysOf(r), keys) {
			return fmt.Sprintf(" Round %d asked what round %d did (%s).", last.N, r.N, narrate.Names(keys))
		}
	}
	return ""
}

// keysOf returns the keys of the questions of a Round.
func keysOf(r playground.Round) []string {
	keys := make([]string, len(r.Questions))
	for i, q := range r.Questions {
		keys[i] = q.Key
	}
	return keys
}

// stoppedPolling returns why the task of a call was polled no more, or "". What the
// server says of the cancellation that may follow is another matter.
func stoppedPolling(base playground.Transcript) string {
	n := len(base.Rounds) - 1
	if n > 0 && base.Rounds[n].Decision.Action == playground.ActionStop &&
		base.Rounds[n].Kind != playground.OutcomeAck {
		n--
	}
	return narrate.StoppedPolling(base.Rounds[n])
}

// quotedError returns the end of a sentence with the words of a tool about its
// error, if there are any.
func quotedError(r playground.Round) string {
	words := text.Visible(strings.TrimSpace(r.FirstText()), maxError)
	if words == "" {
		return "."
	}
	if end := sentence(words); end != words {
		return `: "` + words + `".`
	}
	return `: "` + words + `"`
}

// maxError is the longest text of a tool's error in a sentence, in characters.
const maxError = 200

// sentence returns words, which may end with those of a server, with an end that a
// sentence can follow.
func sentence(words string) string {
	if words == "" || strings.ContainsAny(words[len(words)-1:], ".!?:") || strings.HasSuffix(words, "…") {
		return words
	}
	return words + "."
}

func failureDetail(base playground.Transcript) string {
	last := base.Last()
	switch {
	case last == nil:
		return "The call was not sent."
	case last.Detail != "":
		return last.Detail
	}
	return "The right call did not end with a response that the experiments could be compared with."
}
