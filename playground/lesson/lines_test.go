package lesson_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Every lesson has its lines in every language. Those about building have
// complete listings instead, and the one about flows has a flow.
func TestLines_AreThereAndShort(t *testing.T) {
	for _, l := range book(t).Lessons {
		var names []string
		for _, x := range l.Lines {
			names = append(names, x.Name)
			lines := strings.Split(strings.TrimSuffix(x.Source, "\n"), "\n")
			if len(lines) > 20 || len(lines) < 4 {
				t.Errorf("%s, %s: %d lines", l.Slug, x.Name, len(lines))
			}
			for _, line := range lines {
				if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > 88 {
					t.Errorf("%s, %s: %d columns: %s", l.Slug, x.Name, n, line)
				}
			}
			if !strings.Contains(x.HTML(), `class="c-`) || x.About == "" || x.Checked == "" {
				t.Errorf("%s, %s is not complete", l.Slug, x.Name)
			}
		}
		want := []string{"Go", "TypeScript", "Python", "C#"}
		if len(l.Listings) > 0 || isOfFlow(l) {
			want = nil
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s has lines in %v, want %v", l.Slug, names, want)
		}
	}
}

// isOfFlow reports whether the server of a lesson is a flow, which has no code.
func isOfFlow(l lesson.Lesson) bool { return strings.HasPrefix(l.Live.Sample, "flow-") }

// TestGoLines_DoWhatTheyShow runs the whole program of which the lessons show
// lines, as two instances behind a load balancer and as one with users.
func TestGoLines_DoWhatTheyShow(t *testing.T) {
	program := buildListing(t, "./listings/go/lessons")
	key, shared := strings.Repeat("k", 32), t.TempDir()
	common := []string{"-shared", shared}
	urls := map[string]string{
		"a": startListing(t, program, key, append(common, "-version", "1")...),
		"b": startListing(t, program, key, append(common, "-version", "2")...),
		"c": startListing(t, program, key,
			append(common, "-users", "demo-alice=alice,demo-bob=bob,demo-guest=guest")...),
	}
	flows := readFlows(t)
	for _, l := range book(t).Lessons {
		if len(l.Listings) == 0 && l.Slug != "http" && flows[l.Slug] == nil && !isOfFlow(l) {
			t.Errorf("lesson %s has no flow", l.Slug)
		}
	}
	for slug, steps := range flows {
		t.Run(slug, func(t *testing.T) {
			f := flow{urls, &actor{T: t, caller: wire.New(wire.Config{}), clock: &clock{}}}
			for _, step := range steps {
				f.where = slug + ", " + step
				f.do(step)
			}
		})
	}
}

// The lines of the lesson about HTTP are a client. It calls the server of the
// other lines. Python runs where it is at hand.
func TestLines_ClientByHand(t *testing.T) {
	program := buildListing(t, "./listings/go/lessons")
	url := startListing(t, program, strings.Repeat("k", 32))
	clients := map[string]*exec.Cmd{"Go": exec.Command(program, "-call", url)}
	if python, err := exec.LookPath("python3"); err == nil {
		clients["Python"] = exec.Command(python, "listings/python/client.py", url)
	}
	for name, client := range clients {
		out, err := client.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		first, second, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		if !strings.HasPrefix(first, "200 ") || !strings.Contains(first, `"resultType":"input_required"`) {
			t.Errorf("%s, first round: %s", name, first)
		}
		if !strings.HasPrefix(second, "200 ") || !strings.Contains(second, "Hello, Ada!") {
			t.Errorf("%s, second round: %s", name, second)
		}
	}
}

// The Python programs compile, where Python is at hand.
func TestPythonListings_Compile(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	files, err := filepath.Glob("listings/python/*.py")
	if err != nil || len(files) < 2 {
		t.Fatalf("%v: %v", files, err)
	}
	const compile = `import sys
for name in sys.argv[1:]:
    compile(open(name).read(), name, "exec")`
	args := append([]string{"-c", compile}, files...)
	if out, err := exec.Command(python, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// readFlows returns the steps of testdata/lines.txt by slug.
func readFlows(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	flows, slug := map[string][]string{}, ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "== "); ok {
			slug = name
		} else if line != "" && !strings.HasPrefix(line, "#") {
			flows[slug] = append(flows[slug], line)
		}
	}
	return flows
}

// flow is an actor whose servers are processes.
type flow struct {
	urls map[string]string
	*actor
}

func (f flow) do(step string) {
	f.Helper()
	verb, rest, _ := strings.Cut(step, " ")
	switch verb {
	case "call":
		instance, rest, _ := strings.Cut(rest, " ")
		name, args, _ := strings.Cut(rest, " ")
		f.open(f.urls[instance], name, args)
	case "to":
		f.x.Target.URL = f.urls[rest]
	case "spare":
		f.edit("requestState", jsontree.Quote(f.spareBits(f.last().StateText())))
	case "older":
		instance, rest, _ := strings.Cut(rest, " ")
		name, args, _ := strings.Cut(rest, " ")
		f.older(f.urls[instance], name, args)
	case "visit":
		res, err := http.Post(f.last().Questions[0].Params.Get("url").Str(), "", nil)
		f.must(err)
		res.Body.Close()
	case "post":
		instance, rest, _ := strings.Cut(rest, " ")
		f.postTo(f.urls[instance], rest)
	case "get":
		instance, path, _ := strings.Cut(rest, " ")
		f.getFrom(f.urls[instance] + path)
	case "expect":
		if rest == "refused" {
			rest = "error -32602"
		}
		f.expect(rest)
	default:
		f.actor.do(lesson.Step{Where: step, Verb: verb, Rest: rest})
	}
}

// older makes a call as a client of 2025-11-25 does that has no session.
func (f flow) older(url, name, args string) {
	f.Helper()
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name +
		`","arguments":` + args + `}}`
	req, err := http.NewRequestWithContext(f.Context(), http.MethodPost, url, strings.NewReader(call))
	f.must(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	res, err := http.DefaultClient.Do(req)
	f.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	f.must(err)
	f.got, err = jsontree.Parse(body, jsontree.Limits{})
	f.must(err)
}

// postTo sends a plain HTTP request to a program.
func (f flow) postTo(url, rest string) {
	f.Helper()
	path, text, _ := strings.Cut(rest, " ")
	if f.got.Get("state").Str() != "" {
		message := f.got.Get("message").Str()
		text = strings.NewReplacer("$state", f.got.Get("state").Str(), "$number",
			message[strings.LastIndex(message, " ")+1:]).Replace(text)
	}
	res, err := http.Post(url+path, "application/json", bytes.NewReader([]byte(text)))
	f.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	f.must(err)
	f.got, err = jsontree.Parse(body, jsontree.Limits{})
	f.must(err)
	f.status = res.StatusCode
}

// getFrom reads a document of a program.
func (f flow) getFrom(url string) {
	f.Helper()
	res, err := http.Get(url)
	f.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	f.must(err)
	f.got, err = jsontree.Parse(body, jsontree.Limits{})
	f.must(err)
}

// spareBits changes bits of the last character that Base64 doesn't use.
func (f flow) spareBits(state string) string {
	if len(state)%4 == 0 {
		f.fail("the last character of %s has no spare bits", state)
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(letters, state[len(state)-1])
	return state[:len(state)-1] + string(letters[last^1])
}

// buildListing compiles a program of the listings once per test.
func buildListing(t *testing.T, pkg string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short builds no program")
	}
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return program
}
