package picture

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const ms = time.Millisecond

// timed adds what a client measured to the newest event.
func (s *story) timed(t wire.Timing) *story {
	s.x.Log[len(s.x.Log)-1].Timing = &t
	return s
}

// timedStories are waterfalls of every kind, by name.
func timedStories() map[string]*story {
	measured := wire.Timing{DNS: ms, Connect: 2 * ms, TLS: 3 * ms, FirstByte: 24 * ms, Total: 40 * ms}
	list := stories()
	list["measured"] = foreign().start().
		result("", inputRequired("s", asks("a", "A?"))).timed(measured).
		wait(12*time.Second).answer("a", `{}`).result("", `{"resultType":"complete","content":[]}`).
		timed(wire.Timing{FirstByte: 38 * ms, Total: 40 * ms})
	list["stream"] = foreign().start().stream().timed(wire.Timing{FirstByte: 2 * ms, Total: 2 * ms}).
		wait(30 * ms)
	list["stream"].log(playground.Message, []byte("data: {\"jsonrpc\":\"2.0\",\"id\":1,"+
		"\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n"))
	list["no-connection"] = foreign().start().fail(wire.Refused, "connection refused").
		timed(wire.Timing{DNS: ms, Connect: ms, Total: 5 * time.Second})
	list["silent"] = foreign().start().fail(wire.TimeoutFirstByte, "silence").
		timed(wire.Timing{Connect: 2 * ms, Total: 5 * time.Second})
	list["polled"] = polled(3)
	list["twenty"] = long(20)
	return list
}

// polled is a task that says so often that it works.
func polled(times int) *story {
	status := `{"resultType":"complete","taskId":"t","status":"working","pollIntervalMs":1000,` +
		`"ttlMs":60000,` +
		`"createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z"}`
	s := foreign()
	s.x.Target.Capabilities = playground.Declare(playground.Declarable())
	s.start().result("", strings.Replace(status, `"complete"`, `"task"`, 1))
	for range times {
		s.wait(time.Second)
		s.round++
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","method":"tasks/get",`+
			`"params":{"taskId":"t"}}`, s.round)
		s.log(playground.Sent, []byte("POST /mcp HTTP/1.1\r\n\r\n"+body))
		s.wait(2 * ms)
		s.respond(200, "", fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","result":%s}`, s.round, status))
	}
	return s
}

func TestWaterfall_SplitsTheTimeOfARound(t *testing.T) {
	for _, c := range []struct {
		name string
		want []Span
	}{
		{"measured", []Span{{Connecting, 6 * ms}, {Waiting, 24 * ms}, {Receiving, 10 * ms}}},
		{"stream", []Span{{Waiting, 2 * ms}, {Streaming, 30 * ms}}},
		{"no-connection", []Span{{Connecting, 5 * time.Second}}},
		{"silent", []Span{{Connecting, 2 * ms}, {Waiting, 4998 * ms}}},
		{"devops", []Span{{Unsplit, 40 * ms}}},
	} {
		bar := timedStories()[c.name].timing(Options{}).Bars[0]
		if diff := cmp.Diff(c.want, bar.Spans); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	polls := polled(3).timing(Options{}).Bars
	last := polls[len(polls)-1]
	if last.Polls != 3 || len(last.Spans) != 1 || last.Spans[0].Phase != Polling {
		t.Errorf("three polls: %+v", last)
	}
}

func TestWaterfall_SpansAddUp(t *testing.T) {
	for name, s := range timedStories() {
		for _, b := range s.timing(Options{}).Bars {
			sum := time.Duration(0)
			for _, span := range b.Spans {
				sum += span.Took
			}
			if b.Break == "" && !b.Running && sum != b.Took {
				t.Errorf("%s, round %d: %v of %v", name, b.Round, sum, b.Took)
			}
		}
	}
}

func TestWaterfall_SumInOneLine(t *testing.T) {
	for name, want := range map[string]string{
		"ready":    "Nothing was sent yet",
		"pending":  "1 round: one request still running",
		"measured": "2 rounds: 62 ms server, 12 s you, 18 ms network",
		"stream":   "1 round: 32 ms server",
		"done":     "3 rounds: 107 s you, 120 ms not split",
		"polled":   "2 rounds: 40 ms not split, 2.1 s polling, 1 s between requests",
	} {
		got := strings.ReplaceAll(timedStories()[name].timing(Options{}).Sum(), "\u00a0", " ")
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestWaterfall_TextSaysWhatIsDrawn(t *testing.T) {
	got := strings.ReplaceAll(strings.Join(timedStories()["measured"].timing(Options{}).Text(), "\n"),
		"\u00a0", " ")
	want := `Round 1 took 40 ms (connecting 6.0 ms, waiting 24 ms, receiving 10 ms): asks for a.
You thought for 12 s.
Round 2 took 40 ms (waiting 38 ms, receiving 2.0 ms): complete.
2 rounds: 62 ms server, 12 s you, 18 ms network.`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// timingWidths are those that pages use.
var timingWidths = []int{WideTiming, MediumTiming, NarrowTiming}

func TestWaterfall_EverythingHasRoom(t *testing.T) {
	for name, s := range timedStories() {
		for _, width := range timingWidths {
			p := s.timing(Options{Width: width}).place()
			for _, b := range p.bars {
				for _, l := range b.texts {
					if l.box.x < barIndent-1 || l.box.right() > p.width || b.x2 > p.width-durationGap+1 {
						t.Errorf("%s at %d: %q from %v to %v", name, width, l.text, l.box.x, l.box.right())
					}
				}
				if b.Break != "" && strings.HasSuffix(b.texts[0].text, "…") {
					t.Errorf("%s at %d: the length of the pause is cut: %q", name, width, b.texts[0].text)
				}
				if len(b.texts) == 2 && b.texts[0].box.right() > p.left {
					t.Errorf("%s at %d: %q is over the bars", name, width, b.texts[0].text)
				}
			}
			ticks := p.ticks()
			for i, tick := range ticks {
				half := textWidth(tick.label, smallSize) / 2
				if tick.x+half > p.width {
					t.Errorf("%s at %d: the tick %s leaves the picture", name, width, tick.label)
				}
				if i > 0 && ticks[i-1].x+textWidth(ticks[i-1].label, smallSize)/2 > tick.x-half {
					t.Errorf("%s at %d: the ticks %s and %s touch", name, width, ticks[i-1].label, tick.label)
				}
			}
		}
	}
}

// A span is as wide as its time, on the scale of the axis, and the axis has a
// break exactly where it has a pause.
func TestWaterfall_IsToScaleButForBreaks(t *testing.T) {
	for name, s := range timedStories() {
		p := s.timing(Options{}).place()
		sum := time.Duration(0)
		breaks := 0
		for _, b := range p.bars {
			if b.Break != "" {
				if sum != p.breaks[breaks] {
					t.Errorf("%s: break %d is at %v of the axis, the pause at %v", name, breaks,
						p.breaks[breaks], sum)
				}
				breaks++
				continue
			}
			if !b.Running && sum > 0 && math.Abs(p.at(sum+1)-b.x1) > 0.01 {
				t.Errorf("%s: round %d begins at %v, its time is at %v", name, b.Round, b.x1, p.at(sum+1))
			}
			if want := b.Took.Seconds() * p.second; !b.Running && math.Abs(b.x2-b.x1-want) > 0.01 {
				t.Errorf("%s: round %d is %v wide, want %v", name, b.Round, b.x2-b.x1, want)
			}
			sum += b.Took
		}
		if breaks != len(p.breaks) || p.end() > p.width-durationGap+0.01 {
			t.Errorf("%s: %d breaks for %d pauses, end %v", name, len(p.breaks), breaks, p.end())
		}
	}
}

func TestAxis_NamesRoundTimesWithUnits(t *testing.T) {
	for _, c := range []struct {
		sum  time.Duration
		room float64
		want string
	}{
		{40 * ms, 600, "0 5 ms 10 ms 15 ms 20 ms 25 ms 30 ms 35 ms 40 ms"},
		{1300 * time.Microsecond, 600, "0 0.2 ms 0.4 ms 0.6 ms 0.8 ms 1 ms 1.2 ms"},
		{1300 * time.Microsecond, 120, "0 1 ms"},
		{90 * time.Second, 300, "0 20 s 40 s 60 s 80 s"},
		{10 * time.Minute, 600, "0 1 min 2 min 3 min 4 min 5 min 6 min 7 min 8 min 9 min 10 min"},
		{3 * time.Hour, 200, "0 1 h 2 h 3 h"},
		{7, 200, "0 0.007 µs"},
		{0, 600, ""},
	} {
		a := newAxis([]Bar{{Took: c.sum}}, 0, c.room)
		var labels []string
		for _, tick := range a.ticks() {
			labels = append(labels, strings.ReplaceAll(tick.label, "\u00a0", " "))
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v in %v: %s, want %s", c.sum, c.room, got, c.want)
		}
	}
}

func TestWaterfall_SVGOfEveryWidth(t *testing.T) {
	for name, s := range timedStories() {
		for _, width := range timingWidths {
			timing := s.timing(Options{Current: 2, Link: rounds}).At(width)
			svg := timing.SVG()
			checkSVG(t, fmt.Sprintf("%s at %d", name, width), svg)
			breaks := 0
			for _, b := range timing.Bars {
				if b.Break != "" {
					breaks++
				}
			}
			if got := strings.Count(string(svg), `class="pic-break"`); got != breaks {
				t.Errorf("%s: %d breaks drawn, want %d", name, got, breaks)
			}
		}
	}
}
