package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestLimits_CanAllBeSet: each name reaches a number of its own.
func TestLimits_CanAllBeSet(t *testing.T) {
	seen := map[limits]string{}
	usual := defaultLimits()
	usual.table().VisitAll(func(f *flag.Flag) {
		l := defaultLimits()
		value := "77"
		switch f.Value.(flag.Getter).Get().(type) {
		case time.Duration:
			value = "77s"
		case *app.Rate:
			value = "77/7s,7"
		}
		if err := l.set(f.Name + "=" + value); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if other := seen[l]; other != "" || l == usual {
			t.Errorf("%s sets nothing, or the same as %q", f.Name, other)
		}
		seen[l] = f.Name
	})
}

func TestLimits_DefaultsAreTheDocumentedOnes(t *testing.T) {
	l := defaultLimits()
	if l.pages != app.DefaultLimits() || l.answers != wire.DefaultLimits() {
		t.Errorf("%+v", l)
	}
	for name, want := range map[string]string{
		"pages": "60/1m,30", "calls": "20/1m", "shares": "10/1h", "wrong-links": "30/10m",
		"crowd":     "5",
		"followers": "500", "followers-in-all": "2000", "follow-pages": "600/1s,1200",
		"calls-of-workspace": "2", "calls-of-address": "4", "calls-to-host": "8", "calls-in-all": "64",
		"workspace-idle":    "720h0m0s",
		"request-head-time": "5s", "request-time": "15s", "request-idle": "1m0s", "request-stall": "30s",
		"request-head": "32768", "request-body": "524288",
		"session-size": "2097152", "share-size": "1048576", "drain": "20s",
	} {
		if f := l.table().Lookup(name); f == nil || f.DefValue != want {
			t.Errorf("%s is not %s: %+v", name, want, f)
		}
	}
}

func TestLimits_InvalidOneIsNamed(t *testing.T) {
	l := defaultLimits()
	for _, text := range []string{"", "=", "pages", "pages=", "pages=0/1m", "checks=0", "checks=-1",
		"drain=0s", "drain=20", "calls=20,5"} {
		err := l.set(text)
		if name, _, _ := strings.Cut(text, "="); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestLimits_TimeOfAClient: -timeout, -limit and the environment set the same time, and
// the one nearest to the user counts.
func TestLimits_TimeOfAClient(t *testing.T) {
	env := func(name string) string { return map[string]string{"MRTR_LIMITS": "command-time=7m"}[name] }
	for _, c := range []struct {
		args string
		env  func(string) string
		want time.Duration
	}{
		{"", noEnv, time.Minute}, {"", env, 7 * time.Minute},
		{"-limit command-time=5m", noEnv, 5 * time.Minute},
		{"-limit command-time=5m", env, 5 * time.Minute},
		{"-limit command-time=5m -timeout 3m", env, 3 * time.Minute},
	} {
		o, err := parseClient(append(strings.Fields(c.args), "--", "true"), c.env, io.Discard)
		if err != nil || o.timeout != c.want {
			t.Errorf("%q: %s, %v, want %s", c.args, o.timeout, err, c.want)
		}
	}
}

// TestLimits_TimesOfAnAnswer: -timeout sets the times of an answer, but none that -limit or
// the environment sets, be it to the usual value.
func TestLimits_TimesOfAnAnswer(t *testing.T) {
	usual := wire.DefaultLimits()
	first := "answer-first-byte=" + usual.FirstByte.String()
	total := "answer-total=" + usual.Total.String()
	env := func(name string) string { return map[string]string{"MRTR_LIMITS": first}[name] }
	for _, c := range []struct {
		args         string
		env          func(string) string
		first, whole time.Duration
	}{
		{"-timeout 7s", noEnv, 7 * time.Second, 21 * time.Second},
		{"-timeout 7s -limit " + first, noEnv, usual.FirstByte, 21 * time.Second},
		{"-limit " + total + " -timeout 7s", noEnv, 7 * time.Second, usual.Total},
		{"-timeout 7s", env, usual.FirstByte, 21 * time.Second},
		{"-timeout 7s -limit answer-first-byte=9s", env, 9 * time.Second, 21 * time.Second},
	} {
		words := strings.Fields(c.args)
		call, err := parseCall(append(words, "http://x", "t"), c.env, io.Discard)
		if got := call.answerLimits(); err != nil || got.FirstByte != c.first || got.Total != c.whole {
			t.Errorf("call %s: %s and %s, %v", c.args, got.FirstByte, got.Total, err)
		}
		check, err := parseCheck(append(words, "-tool", "t", "http://x"), c.env, io.Discard)
		if got := check.answerLimits(); err != nil || got.FirstByte != c.first || got.Total != c.whole {
			t.Errorf("check %s: %s and %s, %v", c.args, got.FirstByte, got.Total, err)
		}
	}
}

// TestLimits_PageIsTheTable: the page has each limit of the table, its default
// and its value in local mode. With -update, it is written.
func TestLimits_PageIsTheTable(t *testing.T) {
	usual, local := defaultLimits(), localLimits()
	alone, short := local.table(), strings.NewReplacer("h0m0s", "h", "m0s", "m")
	var b strings.Builder
	b.WriteString("# Limits\n\n" +
		"Each limit has a name, with which `-limit NAME=VALUE` sets it, or `MRTR_LIMITS`, several " +
		"with spaces between. `serve`, `call`, `check`, `client` and `mcp` take them. Sizes are " +
		"in bytes; a rate is `N/TIME` or `N/TIME,BURST`, such as `120/1m`. Rates, `calls-…`, " +
		"`storage…` and `workspace-idle` apply in every mode but local, `storage-local` only there, " +
		"and `drain-delay` only in public mode. In local mode, `wrong-links` and `follow-pages` hold " +
		"for the phones of a talk.\n\n" +
		"| name | meaning | default |\n|---|---|---|\n")
	usual.table().VisitAll(func(f *flag.Flag) {
		value := "`" + short.Replace(f.DefValue) + "`"
		if own := alone.Lookup(f.Name).DefValue; own != f.DefValue {
			value += ", for one person `" + short.Replace(own) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Usage, value)
	})
	b.WriteString("\n## By whom requests count\n\nWho sends a request is found out once, before anything " +
		"is done for it. A cookie is free, so it counts for its address as well. A network of IPv6 (/48) " +
		"has four times the limit of an address. What the operator blocks is refused within a second at " +
		"every process.\n\n" +
		"| who | requests | calls in progress and started | open at once | stored |\n|---|---|---|---|---|\n")
	for i, r := range app.OwnerRows() {
		if int(r.Kind) != i {
			t.Errorf("row %d is of kind %d", i, r.Kind)
		}
		row := fmt.Sprintf("| %s | %s | %s | %s | %s |\n", r.Who, r.Requests, r.Calls, r.Open, r.Stored)
		for j, name := range strings.Split(row, "`") {
			if j%2 == 1 && alone.Lookup(name) == nil {
				t.Errorf("%s: there is no limit %q", r.Who, name)
			}
		}
		b.WriteString(row)
	}
	golden(t, "../../../.deploy/limits.md", b.String())
}

// TestLimits_OfAnswersWinOverTimeout: a time that -limit sets holds for every response that a
// command waits for, also where the command has a default of its own, as check has.
func TestLimits_OfAnswersWinOverTimeout(t *testing.T) {
	o, err := parseCheck([]string{
		"-tool", "t", "-limit", "answer-first-byte=1h", "http://127.0.0.1:1/",
	}, func(string) string { return "" }, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if l := o.limitsFor(o.timeout); l.FirstByte != time.Hour || l.Total != 3*o.timeout {
		t.Errorf("first byte %v, total %v", l.FirstByte, l.Total)
	}
}
