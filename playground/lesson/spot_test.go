package lesson_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

var update = flag.Bool("update", false, "write the recordings of Spot the fault")

// TestSpot_RecordingsAreWhatTheSamplesSend runs the script of each item. With
// -update it writes the recordings. States differ from run to run, so only
// which of them are equal is compared.
func TestSpot_RecordingsAreWhatTheSamplesSend(t *testing.T) {
	for _, i := range items(t) {
		t.Run(i.Name, func(t *testing.T) {
			a := newActor(t)
			for _, step := range i.Script {
				a.where = i.Name + ", " + step.Where
				a.do(step)
			}
			got := lesson.NewRecording(a.x)
			path := filepath.Join("recordings", i.Name+".json")
			if *update {
				writeRecording(t, path, got)
				return
			}
			want, now := normalized(t, i.Recording), normalized(t, got)
			if want != now {
				t.Errorf("%s differs from what the sample sends now; look at the difference and "+
					"write it with -update.\nrecorded:\n%s\nnow:\n%s", path, want, now)
			}
		})
	}
}

// items returns the items of Spot the fault, without recordings for -update.
func items(t *testing.T) []lesson.Item {
	t.Helper()
	if !*update {
		return book(t).Spot
	}
	list, err := lesson.SpotScripts()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func writeRecording(t *testing.T, path string, r lesson.Recording) {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

var (
	stateValue = regexp.MustCompile(`"requestState":"([^"]*)"`)
	dateField  = regexp.MustCompile(`(?m)^Date: .*$`)
)

// normalized returns the log of a recording with numbers for states and without
// the date of responses.
func normalized(t *testing.T, r lesson.Recording) string {
	t.Helper()
	var states []string
	var b strings.Builder
	for _, e := range r.Log {
		text := dateField.ReplaceAllString(strings.ReplaceAll(e.Data, "\r", ""), "Date: now")
		for _, m := range stateValue.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(states, m[1]) {
				states = append(states, m[1])
			}
		}
		b.WriteString(string(e.Kind) + "\n" + text + "\n")
	}
	text := b.String()
	for n, s := range states {
		text = strings.ReplaceAll(text, `"requestState":"`+s+`"`, fmt.Sprintf(`"requestState":"state %d"`, n))
	}
	return regexp.MustCompile(`Content-Length: \d+`).ReplaceAllString(text, "Content-Length: n")
}

// TestSpot_RulesAgree compares the options with the findings about the server:
// an option names a broken rule exactly if it is right, and nothing is wrong
// exactly if no rule is broken.
func TestSpot_RulesAgree(t *testing.T) {
	for _, i := range book(t).Spot {
		broken := serverFaults(i)
		for n, c := range i.Options {
			known := slices.ContainsFunc(rules.All(), func(r rules.Rule) bool { return r.ID == c.Rule })
			switch {
			case c.Rule == lesson.Nothing:
				unjudged := i.Right().Rule == ""
				if c.Right != (len(broken) == 0 && !unjudged) {
					t.Errorf("%s: nothing is wrong: %t; the rules say %v", i.Title, c.Right, broken)
				}
			case c.Rule == "":
				if !c.Right || len(broken) > 0 {
					t.Errorf("%s, option %d has no rule; the rules say %v", i.Title, n+1, broken)
				}
			case !known:
				t.Errorf("%s, option %d names the unknown rule %q", i.Title, n+1, c.Rule)
			case c.Right != slices.Contains(broken, c.Rule):
				t.Errorf("%s, option %d: marked %t; the rules say %v", i.Title, n+1, c.Right, broken)
			}
		}
		s, _ := i.Requirement()
		for _, id := range broken {
			if !slices.Contains(s.Rules, id) {
				t.Errorf("%s: the sentence %s is judged by %v; broken is %v", i.Title, i.Sentence,
					s.Rules, broken)
			}
		}
	}
}

// serverFaults returns the rules about the server that a recording breaks.
func serverFaults(i lesson.Item) []string {
	var list []string
	for _, f := range rules.Judge(i.Recording.Exchange()) {
		if f.Side == rules.Server && (f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory) {
			list = append(list, f.Rule)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A fault that no rule judges shows in the messages: the user declined, and the
// tool reports success.
func TestSpot_DeclineIsIgnored(t *testing.T) {
	for _, i := range book(t).Spot {
		if i.Right().Rule != "" {
			continue
		}
		last := playground.Fold(i.Recording.Exchange().Log).Last()
		if !strings.Contains(string(last.Sent.Raw()), `"action":"decline"`) ||
			last.Kind != playground.OutcomeComplete || last.Result.Has("isError") {
			t.Errorf("%s: %s", i.Title, last.Sent.Raw())
		}
	}
}

// TestSpot_IsVaried: eight of the ten are faults of naughty, each another one;
// in two nothing is wrong. Titles and messages do not name the fault.
func TestSpot_IsVaried(t *testing.T) {
	seen, faults, fine, places := map[string]bool{}, 0, 0, map[int]bool{}
	for _, i := range book(t).Spot {
		right := i.Right()
		switch {
		case right.Rule == lesson.Nothing:
			fine++
		case strings.HasPrefix(i.Script[1].Rest, "naughty "):
			faults++
		}
		if right.Rule != lesson.Nothing && seen[right.Rule] {
			t.Errorf("%s: a second fault of %s", i.Title, right.Rule)
		}
		seen[right.Rule] = true
		places[slices.Index(i.Options, right)] = true
		tool := i.Recording.Exchange().Fold().Rounds[0].Sent.At("params", "name").Str()
		for _, turn := range i.Turns {
			if strings.Contains(turn.HTML, "naughty") || right.Rule != lesson.Nothing &&
				strings.Contains(turn.HTML, tool) {
				t.Errorf("%s names the fault: %s", i.Title, turn.HTML)
			}
		}
		if len(i.Turns) < 2 {
			t.Errorf("%s has %d messages", i.Title, len(i.Turns))
		}
	}
	if faults != 8 || fine != 2 || len(places) < 3 {
		t.Errorf("%d faults, %d without; %d places of the right option", faults, fine, len(places))
	}
}

func TestSpotAnswers(t *testing.T) {
	list := book(t).Spot
	for text, want := range map[string]string{
		"1234000021":             "1234000021",
		"":                       "0000000000",
		"123":                    "0000000000",
		"12340000211":            "0000000000",
		"1x5-\x00\xff9a04":       "1000000004",
		strings.Repeat("9", 10):  "0000000000",
		strings.Repeat("1", 1e6): "0000000000",
	} {
		if got := lesson.ParseSpotAnswers(text, list).String(); got != want {
			t.Errorf("%.20q: %s, want %s", text, got, want)
		}
	}
}
