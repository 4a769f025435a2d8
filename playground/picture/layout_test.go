package picture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/export"
)

// shape is anything that is drawn, with its estimated place.
type shape struct {
	what string
	box
	word bool
}

// shapes are all words, and all lines and marks that no word may touch.
func (l plan) shapes() []shape {
	var list []shape
	for _, h := range l.heads {
		list = append(list, shape{"heading " + h.text, h.box, true})
	}
	for i, r := range l.rows {
		if r.Round != 0 && !l.dense && (i == 0 || r.Round != l.rows[i-1].Round) {
			list = append(list, shape{"number", box{6, r.top + l.label - 10, 16, 12}, true})
		}
		for _, t := range r.texts {
			list = append(list, shape{fmt.Sprintf("row %d %q", i, t.text), t.box, true})
		}
		list = append(list, r.marks(l, i)...)
		if b := r.bubble; b.box.w > 0 {
			list = append(list, shape{fmt.Sprintf("row %d bubble %q", i, r.Speech), b.box, true})
		}
	}
	for _, line := range l.bracket {
		from, to := line.points[0], line.points[1]
		list = append(list, shape{"bracket", box{from.x, from.y - 1, to.x - from.x, 2}, false})
	}
	for _, x := range l.lanes {
		for _, s := range segments(l.top, l.height-4, l.gaps(x, true)) {
			list = append(list, shape{"lane", box{x - 1, s.from, 2, s.to - s.from}, false})
		}
	}
	return list
}

func (r row) marks(l plan, i int) []shape {
	if r.Kind == Now || r.Kind == Pause || r.Kind == Change {
		return nil
	}
	name := fmt.Sprintf("row %d ", i)
	list := []shape{{name + "arrow", box{min(r.x1, r.x2), r.y - 1, max(r.x1, r.x2) - min(r.x1, r.x2), 2},
		false}}
	list = append(list, shape{name + "head", box{r.x2 - 5, r.y - 4, 10, 8}, false})
	if r.State != "" {
		list = append(list, shape{name + "diamond", box{r.diamond - 7, r.y - 7, 14, 14}, false})
	}
	if r.mark.w > 0 {
		list = append(list, shape{name + "mark", r.mark, true})
	}
	if r.Via != 0 {
		list = append(list, shape{name + "via", box{l.lanes[r.Via] - 3.5, r.y - 3.5, 7, 7}, false})
	}
	return list
}

func (b box) touches(o box) bool {
	return b.x < o.right() && o.x < b.right() && b.y < o.bottom() && o.y < b.bottom()
}

// checkLayout fails when a word touches anything else, or leaves the picture.
func checkLayout(t *testing.T, name string, p Picture) {
	t.Helper()
	l := layout(p)
	all := l.shapes()
	for i, a := range all {
		if a.word && (a.x < 0 || a.right() > l.width || a.y < 0 || a.bottom() > l.height) {
			t.Errorf("%s: %s leaves the picture: %v of %v x %v", name, a.what, a.box, l.width, l.height)
		}
		for _, b := range all[i+1:] {
			if (a.word || b.word) && a.touches(b.box) {
				t.Errorf("%s: %s touches %s: %v %v", name, a.what, b.what, a.box, b.box)
			}
		}
	}
}

func TestNoLabelTouchesAnything(t *testing.T) {
	for name, s := range stories() {
		for _, width := range []int{240, 320, NarrowWidth, 440, DefaultWidth, 720, 1200} {
			checkLayout(t, fmt.Sprintf("%s at %d", name, width), s.draw(Options{Current: 1, Width: width}))
		}
	}
	for _, width := range []int{0, NarrowWidth, 900} {
		p := Landing()
		p.Width = width
		checkLayout(t, fmt.Sprintf("landing at %d", width), p)
		p = SignIn(signInSteps())
		p.Width = width
		checkLayout(t, fmt.Sprintf("sign-in at %d", width), p)
	}
}

// hostile are words that servers of strangers may use.
func hostile() []string {
	return []string{
		"", " ", "\u202eevil\u202c", strings.Repeat("W", 10_000), strings.Repeat("word ",
			2_000), "\x00\x1b[31m\x7f\r\n\t",
		"<script>alert(1)</script>", `"'&<>`, "]]>", "__proto__", "\ufdfd\ufdfd\ufdfd", "𒐫𒈙", "🙂👩‍👩‍👧‍👦",
		strings.Repeat("a\u0301\u0302\u0303\u0304", 300),
		"日本語の質問はどこで終わりますか", "\xff\xfe\xed\xa0\x80", "end", "a;b#c:d%%{init}", "\u2028\u2029\u200b\ufeff",
		"ｆｕｌｌｗｉｄｔｈ", "\u00ad\u00a0\u3000",
	}
}

func randomPicture(r *rand.Rand) Picture {
	words := hostile()
	word := func() string { return visible(words[r.IntN(len(words))]) }
	p := Picture{Title: word(), Width: 240 + r.IntN(900), Current: r.IntN(4), Dense: r.IntN(2) == 0}
	for range 2 + r.IntN(7) {
		p.Lanes = append(p.Lanes, randomLane(r, word))
	}
	kinds := []Kind{Call, Reply, Notice, Pause, Now, Change}
	marks := []Mark{NoMark, Done, Wrong, Broken}
	for i := range 1 + r.IntN(12) {
		from := r.IntN(len(p.Lanes))
		s := Step{Kind: kinds[r.IntN(len(kinds))], Round: i / 3, From: from,
			To: (from + 1 + r.IntN(len(p.Lanes)-1)) % len(p.Lanes), Label: word(), Sentence: word()}
		if r.IntN(2) == 0 {
			s.State = word()
		}
		s.Mark = marks[r.IntN(len(marks))]
		if p.Dense && from != you && s.To != you && (s.Kind == Call || s.Kind == Reply) {
			s.Speech = word()
		}
		p.Steps = append(p.Steps, s)
	}
	return p
}

func randomLane(r *rand.Rand, word func() string) Lane {
	if r.IntN(2) == 0 {
		return InstanceLane(Instance{word(), word()})
	}
	return Lane{Name: word(), Note: word()}
}

func TestNoLabelTouchesAnythingWhateverServersSay(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 322))
	for i := range 500 {
		p := randomPicture(r)
		checkLayout(t, fmt.Sprintf("picture %d", i), p)
		if t.Failed() {
			t.Fatalf("%+v", p)
		}
	}
}

func TestWrapNeverExceedsItsRoom(t *testing.T) {
	for _, text := range hostile() {
		for _, width := range []float64{20, 60, 150} {
			for _, line := range wrap(visible(text), labelSize, width, 3) {
				if textWidth(line, labelSize) > width || !utf8.ValidString(line) {
					t.Errorf("wrap %.20q at %v: %q is %v wide", text, width, line, textWidth(line, labelSize))
				}
			}
		}
	}
}

// headings are the texts above the lanes.
func (l plan) headings() []string {
	var list []string
	for _, h := range l.heads {
		list = append(list, h.text)
	}
	return list
}

func TestLayout_HeadingsAreWholeAtEveryWidthInUse(t *testing.T) {
	for _, c := range []struct {
		instances string
		width     int
		want      string
	}{
		{"a:v1,b:v1", DefaultWidth, "You Client Balancer Instance a v1 Instance b v1"},
		{"a:v1,b:v1", NarrowWidth, "You Client a v1 b v1 Balancer Instances"},
		{"a:v1", NarrowWidth, "You Client Balancer Instance a v1"},
		{"a:v1,b:v2,c:dead", NarrowWidth, "You Client a v1 b v2 c down Balancer Instances"},
		{"a:v1,b:v2,c:dead", DefaultWidth,
			"You Client Balancer Instance a v1 Instance b v2 Instance c down"},
		{"a:v1,b:v1,c:v1,d:dead,e:v1,f:v1", NarrowWidth,
			"You Client a v1 b v1 c v1 d down e v1 f v1 Balancer Instances"},
		{"a:v1,b:v1,c:v1,d:dead,e:v1,f:v1", DefaultWidth,
			"You Client a v1 b v1 c v1 d down e v1 f v1 Balancer Instances"},
	} {
		p := newStory("azure-devops", "http://x/mcp?instances="+
			c.instances).start().draw(Options{Width: c.width})
		if got := strings.Join(layout(p).headings(), " "); got != c.want {
			t.Errorf("%s at %d: %s, want %s", c.instances, c.width, got, c.want)
		}
		checkLayout(t, fmt.Sprintf("%s at %d", c.instances, c.width), p)
	}
}

// The address of a server is whole where the lanes leave little room for it.
func TestLayout_AddressesAreWhole(t *testing.T) {
	for _, host := range []string{
		"127.0.0.1:40979", "localhost:3000", "mcp.example.com:8443",
		"a-long-name.of-a-service.example.com:8443",
		"[2001:db8:1234:5678:9abc:def0:1234:5678]:8443", strings.Repeat("x", 63) + ".example",
	} {
		for _, width := range []int{NarrowWidth, DefaultWidth} {
			p := newStory("", "http://"+host+"/mcp").start().draw(Options{Width: width})
			got := strings.Join(layout(p).headings()[3:], "")
			if want := host; got != want {
				t.Errorf("%s at %d: %q", host, width, layout(p).headings())
			}
			checkLayout(t, fmt.Sprintf("%s at %d", host, width), p)
		}
	}
}

// recorded are the pictures of all recordings that the tests of the pages use.
func recorded(t *testing.T) map[string]Picture {
	t.Helper()
	files, err := filepath.Glob("../../views/testdata/storybook/recordings/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	pictures := map[string]Picture{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := export.Import(data, 2<<20)
		if err != nil {
			continue // not a saved session
		}
		for i, x := range s.Exchanges {
			pictures[fmt.Sprint(filepath.Base(file), " ", i)] = Of(x, x.Fold(), Options{})
		}
	}
	if len(pictures) < len(files) {
		t.Fatalf("%d pictures of %d files", len(pictures), len(files))
	}
	return pictures
}

// No word of a server or of the picture is cut in the recorded calls, except
// for one that is longer than any label.
func TestLayout_NarrowCutsNothing(t *testing.T) {
	pictures := recorded(t)
	for name, s := range stories() {
		pictures[name] = s.draw(Options{})
	}
	for name, p := range pictures {
		l := layout(p.Narrow())
		checkLayout(t, name, p.Narrow())
		if cut := strings.Join(l.headings(), " "); strings.Contains(cut, "…") {
			t.Errorf("%s: a heading is cut: %s", name, cut)
		}
		for _, r := range l.rows {
			if len(r.texts) == 0 || len([]rune(r.Label)) > 60 {
				continue
			}
			for _, text := range r.texts {
				if strings.Contains(text.text, "…") && !strings.Contains(r.Label+r.State, "…") {
					t.Errorf("%s: %q is cut: %q", name, r.Label, text.text)
				}
			}
		}
	}
}

// TestLayout_BubblesBreakNoWord: an answer of one word stands whole beside two
// instances, also on a phone.
func TestLayout_BubblesBreakNoWord(t *testing.T) {
	for _, width := range []int{NarrowWidth, 560} {
		l := layout(Picture{
			Width: width, Dense: true,
			Lanes: []Lane{
				{Name: youName}, {Name: clientName}, {Name: "Instance a", Note: "v1", Instance: "a"},
				{Name: "Instance b", Note: "v1", Instance: "b"},
			},
			Steps: []Step{{Kind: Call, Round: 1, From: client, To: entry, Label: "x", Speech: "Duplicate"}},
		})
		if lines := l.rows[0].bubble.lines; len(lines) != 1 || lines[0].text != "Duplicate" {
			t.Errorf("at %v: %+v", width, lines)
		}
	}
}

func TestLayout_NoTextIsSmallerThanTwelveUnits(t *testing.T) {
	for class := range rules {
		if size := styleOf(class).size; size < 12 {
			t.Errorf("%s: %v", class, size)
		}
	}
}
