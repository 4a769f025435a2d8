package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// tokenEnv is an environment with two variables.
func tokenEnv(name string) string {
	return map[string]string{"TOKEN": "t0ken", "CITY": `Ro"me`}[name]
}

// TestValues_Object: a value is on the command line, in a file, or comes on standard input
// once; variables stand in its strings only, and an error has its place and its cause.
func TestValues_Object(t *testing.T) {
	dir := t.TempDir()
	file, broken := filepath.Join(dir, "args.json"), filepath.Join(dir, "broken.json")
	for path, text := range map[string]string{file: `{"from": "file"}`, broken: "{\n  \"a\": 1,\n}"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for value, want := range map[string]string{
		`{"a":1.50}`:             `{"a":1.50}`,
		"@" + file:               `{"from": "file"}`,
		"-":                      `{"from": "input"}`,
		"@-":                     `{"from": "input"}`,
		`{"to":"${CITY}"}`:       `{"to":"Ro\"me"}`,
		`{"${CITY}":"$${CITY}"}`: `{"${CITY}":"${CITY}"}`,
		`{"a":"${NONE}"}`:        "error: -args: the environment variable NONE is not set, or empty",
		"@" + broken:             "error: -args, " + broken + ", must be a JSON object: line 3, column 1: ",
		"@" + dir + "/nothing":   "error: -args: open " + dir + "/nothing",
		`{"a": 1,, "b": 2}`:      "error: -args must be a JSON object: line 1, column 9: ",
		"[1]":                    "error: it begins with [",
	} {
		v := newValues(tokenEnv)
		v.in = strings.NewReader(`{"from": "input"}`)
		got, err := v.object("-args", value)
		if reason, wantsErr := strings.CutPrefix(want, "error: "); wantsErr {
			if err == nil || !strings.Contains(err.Error(), reason) || exitCode(err,
				io.Discard) != exitUsage {
				t.Errorf("%s: %s, %v", value, got, err)
			}
			continue
		}
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", value, got, err)
		}
	}
	v := newValues(tokenEnv)
	v.in = strings.NewReader("{}")
	_, first := v.object("-args", "-")
	_, second := v.object("-answers", "@-")
	if first != nil || second == nil || !strings.Contains(second.Error(), "-args has read it") {
		t.Errorf("%v, %v", first, second)
	}
}

// TestValues_Headers: a header can be in a file with others, and has variables.
func TestValues_Headers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "headers")
	if err := os.WriteFile(file, []byte("A: 1\r\n\nAuthorization: Bearer ${TOKEN}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var list []wire.Field
	add := newValues(tokenEnv).headers("-header", &list)
	for _, value := range []string{"X-Token: ${TOKEN}", "@" + file} {
		if err := add(value); err != nil {
			t.Fatal(err)
		}
	}
	want := []wire.Field{{Name: "X-Token", Value: "t0ken"}, {Name: "A", Value: "1"},
		{Name: "Authorization", Value: "Bearer t0ken"}}
	for i, f := range want {
		if i >= len(list) || list[i] != f {
			t.Errorf("%+v, want %+v", list, want)
			break
		}
	}
	if err := add("A: ${NONE}"); err == nil || !strings.Contains(err.Error(), "NONE") {
		t.Errorf("a variable that is not set: %v", err)
	}
	if err := add("@" + file + "x"); err == nil {
		t.Error("a file that is not there is no error")
	}
}

// TestValues_OfCommands: call, check and test take values from standard input, from files and
// from the environment, and the server gets them.
func TestValues_OfCommands(t *testing.T) {
	var got mcptest.Message
	var token string
	server := mcptest.Start(t, mcptest.Script(func(m mcptest.Message, r *http.Request) mcptest.Answer {
		token = r.Header.Get("Authorization")
		if m.Method != "tools/call" {
			return mcptest.Listed(`"tools":[{"name":"book","inputSchema":{"type":"object"}}]`)
		}
		got = m
		return mcptest.Text("done")
	}))
	file := filepath.Join(t.TempDir(), "book.json")
	if err := os.WriteFile(file, []byte(`{"format":"mrtr-playground/expectation","version":1,"name":"book",`+
		`"call":{"method":"tools/call","params":{"name":"book","arguments":{"to":"${CITY}"}}},"rounds":[],`+
		`"result":{"outcome":"complete"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	header := []string{"-header", "Authorization: Bearer ${TOKEN}"}
	for name, args := range map[string][]string{
		"call": {"call", "-era", "modern", server, "book", "-"},
		"test": {"test", file, "-url", server},
	} {
		got, token = mcptest.Message{}, ""
		c := exec.Command(os.Args[0], append(args, header...)...)
		c.Env = append(os.Environ(), clientMode+"=self", "TOKEN=t0ken", `CITY=Rome`)
		c.Stdin = strings.NewReader(`{"to": "${CITY}"}`)
		out, err := c.CombinedOutput()
		if err != nil || token != "Bearer t0ken" || !strings.Contains(string(got.Params.Arguments),
			`"Rome"`) {
			t.Errorf("%s: %v, token %q, %s\n%s", name, err, token, got.Params.Arguments, out)
		}
	}
	for name, args := range map[string][]string{
		"call": {"call", server, "book", `{"a":"${NONE}"}`}, "test": {"test", file, "-url", server},
		"check":       {"check", server, "-tool", "book", "-args", `{"a":"${NONE}"}`},
		"a header":    {"check", server, "-tool", "book", "-header", "A: ${NONE}"},
		"the answers": {"call", server, "book", "-answers", `{"a":{"b":"${NONE}"}}`},
	} {
		var out bytes.Buffer
		err := run(t.Context(), args, patient, &out, io.Discard)
		variable := "NONE"
		if name == "test" {
			variable = "CITY"
		}
		if exitCode(err, io.Discard) != exitUsage || !strings.Contains(err.Error(), variable) {
			t.Errorf("%s without the variable: %v", name, err)
		}
	}
}
