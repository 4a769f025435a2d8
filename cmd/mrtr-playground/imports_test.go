package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mrtr-playground/mrtr-playground/"

// row lists what a package may import: packages of the project ("x/..."
// includes x), and third parties by prefix.
type row struct {
	own   []string
	third []string
}

// pure are the packages without I/O, a clock or a store, in an order in which
// each may import those before it.
var pure = []string{
	"playground/jsontree", "playground/text", "playground/launch", "playground/state", "playground/spec",
	"playground/verdict", "playground/search", "playground/talk",
	"playground/wire", "playground/redact", "playground/form", "playground/document",
	"playground", "playground/cluster", "playground/server", "playground/doctor", "playground/question",
	"playground/rules", "playground/narrate", "playground/picture",
	"playground/lab", "playground/session", "playground/capture", "playground/export", "playground/share",
	"playground/mock",
	"playground/expect", "playground/gateway",
}

// before returns the pure packages that a pure package may import.
func before(name string) []string { return pure[:slices.Index(pure, name)] }

// pages returns the row of a package of pages: what they all import, and others of
// them.
func pages(others ...string) row {
	return row{
		append(others, "playground/...", "views/...", "static", "sampletools", "sampletools/seal"),
		[]string{"github.com/a-h/templ", "golang.org/x/sync/singleflight"},
	}
}

// kit returns the row of a package of the kit: the pure packages, and others of it.
func kit(others ...string) row {
	return row{append(others, pure...), []string{"github.com/a-h/templ"}}
}

// room returns the row of a package of views: the kit, the pure packages, and others.
func room(others ...string) row {
	return kit(append(others, "views/kit/...")...)
}

const sdk = "github.com/modelcontextprotocol/go-sdk/"

// language are the packages of playground/ that a sample may have in it: that of flows, and
// those that it needs.
var language = []string{
	"playground/jsontree", "playground/text", "playground/document", "playground/flow",
}

// table has, for every package of the project, the packages that it may import.
// A new edge is explained in the commit that adds it.
var table = map[string]row{
	"playground/jsontree": {},
	"playground/usage":    {},
	"playground/text":     {},
	"playground/places":   {},
	// Finds pages of every kind by words. It knows no page.
	"playground/search": {},
	// The identity of a talk, apart from the stories that it shows.
	"playground/talk": {},
	// Who signs in.
	"playground/people": {own: []string{"playground/text"}},
	// The library of OpenID Connect. Keys are those of auth.
	"playground/oidc": {
		[]string{"playground/people", "playground/auth"}, []string{"github.com/zitadel/oidc/"},
	},
	// An identity provider of tests. Only tests import it.
	"playground/oidc/oidctest": {third: []string{"github.com/go-jose/go-jose/"}},
	// How commands that are shown begin.
	"playground/launch": {},
	// A recording that serves: the matching is pure, the endpoint speaks HTTP and lines.
	"playground/mock": {own: before("playground/mock")},
	"playground/mock/endpoint": {own: []string{
		"playground", "playground/mock", "playground/jsontree", "playground/text",
	}},
	// What stands between a client and a server: the judgement is pure, the upstream records at
	// the server, and the trial drives the calls.
	"playground/gateway": {own: before("playground/gateway")},
	"playground/gateway/upstream": {own: []string{
		"playground", "playground/wire", "playground/jsontree", "playground/redact",
	}},
	"playground/gateway/trial": {own: append([]string{"playground/drive", "playground/run"}, pure...)},
	// The one report of verdicts. It knows no rule.
	"playground/verdict": {own: []string{"playground/text", "playground/jsontree", "playground/spec"}},
	"playground/state":   {own: []string{"playground/text"}},
	"playground/spec":    {},
	"static":             {},
	"playground/wire": {
		[]string{"playground/text"},
		[]string{
			"code.dny.dev/ssrf", "golang.org/x/net/", "github.com/andybalholm/brotli",
			"github.com/klauspost/compress/zstd",
		},
	},
	// A form warns of fields with the name of a secret, of which redact has the
	// list.
	"playground/form": {
		[]string{"playground/jsontree", "playground/text", "playground/redact"}, []string{
			"github.com/hashicorp/golang-lru/", "github.com/santhosh-tekuri/jsonschema/",
			"golang.org/x/text/",
		},
	},
	"playground/redact": {own: []string{"playground/wire", "playground/jsontree"}},
	"playground/document": {
		[]string{"playground/jsontree", "playground/text"}, []string{"go.yaml.in/yaml/"},
	},
	// The source of a server: strings of other languages and the parser of Go.
	"playground/flow/code": {own: []string{"playground/jsontree", "playground/text", "playground/flow"}},
	// The language of flows. A server runs it, too: see TestImports_SamplesShareTheLanguage.
	// Of the library of expressions it has the parser only.
	"playground/flow": {language[:3], []string{"go.starlark.net/syntax"}},
	// The form of the editor.
	"playground/flow/edit": {own: []string{"playground/flow", "playground/document"}},
	// Checks of the editor with the client's validator, which no server shares.
	"playground/flow/review": {own: []string{"playground/flow", "playground/form", "playground/document"}},
	// Makes a flow of recorded calls, for the editor. It reads logs, and the reviewer says
	// what the language refuses.
	"playground/flow/recorded": {own: []string{
		"playground", "playground/document", "playground/flow", "playground/flow/review",
		"playground/form", "playground/jsontree", "playground/text",
	}},
	"playground/flow/preview": {own: []string{
		"playground", "playground/flow", "playground/wire", "playground/jsontree",
	}},
	// The spellings of secrets that the tests of every place that masks use.
	"playground/redact/redacttest": {},
	// The bad clients that the tests of every way to record one use.
	"playground/capture/capturetest": {own: []string{"playground/mcptest"}},
	"playground": {
		own: []string{"playground/wire", "playground/redact", "playground/jsontree"},
	},
	"playground/cluster": {own: before("playground/cluster")},
	"playground/server":  {before("playground/server"), []string{"github.com/yosida95/uritemplate/"}},
	// Why a connection or a sign-in failed. Of package auth it has the record, as plain values.
	"playground/doctor":   {own: before("playground/doctor")},
	"playground/question": {own: before("playground/question")},
	"playground/rules":    {own: before("playground/rules")},
	"playground/narrate":  {own: before("playground/narrate")},
	"playground/picture": {append(
		[]string{"static"}, before("playground/picture")...,
	), []string{"golang.org/x/image/"}},
	"playground/lab":     {own: before("playground/lab")},
	"playground/session": {before("playground/session"), []string{"golang.org/x/text/"}},
	"playground/capture": {own: before("playground/capture")},
	// Facts about real software, with their recordings as shares.
	"playground/field":  {pure, []string{"github.com/klauspost/compress/zstd"}},
	"playground/export": {own: before("playground/export")},
	"playground/share":  {own: before("playground/share")},
	"playground/expect": {own: before("playground/expect")},
	// Knows nothing of messages. On Windows a command is a job of the system.
	"playground/stdio":  {nil, []string{"golang.org/x/sys/windows"}},
	"playground/legacy": {[]string{"playground", "playground/wire", "playground/jsontree"}, []string{sdk}},
	"playground/auth": {
		[]string{"playground", "playground/wire", "playground/redact", "playground/text"},
		[]string{sdk, "golang.org/x/oauth2", "github.com/go-jose/go-jose/"},
	},
	"playground/run": {own: []string{
		"playground", "playground/server", "playground/wire", "playground/legacy", "playground/redact",
		"playground/jsontree", "playground/text", "playground/places",
	}},
	"playground/lines": {own: []string{
		"playground", "playground/jsontree", "playground/redact", "playground/run", "playground/server",
		"playground/stdio", "playground/text", "playground/wire",
	}},
	// A scriptable server of tests, which shares nothing with the judges of
	// servers. Only tests and their tools import it.
	"playground/mcptest":         {},
	"playground/lines/linestest": {own: []string{"playground/mcptest"}},
	"playground/drive":           {own: append([]string{"playground/run"}, pure...)},
	"playground/check":           {own: append([]string{"playground/drive"}, pure...)},
	// Stories are proposed from flows.
	"playground/demo": {own: append([]string{"playground/flow"}, pure...)},
	// The exercise judges with the verdicts of the lab.
	"playground/exercise": {own: pure},
	"playground/lesson":   {pure, []string{"github.com/yuin/goldmark", "github.com/alecthomas/chroma/"}},
	// The listing that readers take with them: the official SDK and nothing of
	// ours.
	"playground/lesson/listings/go":         {third: []string{sdk, "github.com/google/jsonschema-go/"}},
	"playground/lesson/listings/go/client":  {}, // without the SDK
	"playground/lesson/listings/go/lessons": {third: []string{sdk, "github.com/google/jsonschema-go/"}},
	"sampletools": {
		[]string{"sampletools/..."}, []string{
			sdk, "github.com/google/jsonschema-go/", "github.com/a-h/templ",
		},
	},
	// Runs servers that ask: the samples, and the playground's own.
	"sampletools/serve": {
		[]string{"sampletools/cluster", "sampletools/seal", "sampletools/tasks"}, []string{sdk},
	},
	// The library of the sample authorization server, and the one of JWTs that it
	// uses.
	"sampletools/authserver": {
		[]string{"sampletools/seal", "sampletools/page"},
		[]string{"github.com/zitadel/oidc/", "github.com/go-jose/go-jose/", "github.com/a-h/templ"},
	},
	"sampletools/authserver/authtest": {},

	"sampletools/again":      {},
	"sampletools/keyfile":    {},
	"sampletools/page":       {third: []string{"github.com/a-h/templ"}},
	"sampletools/seal":       {[]string{"sampletools/keyfile"}, nil},
	"sampletools/clienttest": {}, // its messages are written by hand
	// The one exception to the rule that a server shares nothing with its client. Both sides
	// read and run the language of flows, and two readings of it would differ. So one package
	// is shared that knows no message and no schema validator.
	"sampletools/flow": {
		[]string{
			"playground/flow", "sampletools/authserver", "sampletools/page", "sampletools/seal",
			"sampletools/serve",
		},
		[]string{"github.com/a-h/templ"},
	},
	"sampletools/cluster": {[]string{"sampletools/..."}, []string{sdk}},
	"sampletools/tasks":   {[]string{"sampletools/..."}, []string{sdk}},
	"e2e/peers":           {own: []string{"playground/mcptest"}},
	// The nouns, each with its SQL.
	"db": {own: []string{
		"db/engine", "playground", "playground/server", "playground/question", "playground/session",
		"playground/share", "playground/demo", "playground/talk", "playground/usage",
		"playground/capture", "playground/flow", "playground/people", "playground/mock",
		"playground/gateway",
	}},
	// Connections, transactions, leases and migrations. It knows no noun: of playground it has
	// the errors of storage.
	"db/engine": {
		[]string{"playground"}, []string{
			"github.com/mattn/go-sqlite3", "github.com/jackc/pgx/", "github.com/pressly/goose/",
			"github.com/gofrs/flock",
		},
	},
	// Reports statements to tests. Only tests import it.
	"db/engine/tap": {},
	// Starts PostgreSQL for tests by its own programs. Only tests import it.
	"db/pgtest": {},
	// The suite that every storage engine must pass. Only tests import it.
	"db/dbtest": {
		[]string{
			"db", "playground", "playground/wire", "playground/server", "playground/question",
			"playground/session",
			"playground/share", "playground/demo", "playground/talk", "playground/usage",
			"playground/capture", "playground/flow", "playground/people", "playground/mock",
			"playground/gateway",
		},
		[]string{"github.com/google/go-cmp/"},
	},
	// Packages that rooms share; the first ones know no subject.
	"views/kit/prose":     kit(),
	"views/kit/paths":     kit("sampletools"),
	"views/kit/selection": kit(),
	"views/kit/drawing": {
		[]string{"static", "playground/picture"},
		[]string{"github.com/a-h/templ", "github.com/boombuler/barcode"},
	},
	"views/kit/jsonview": kit("views/kit/prose"),
	"views/kit/control":  kit("views/kit/prose"),
	"views/kit/confirm":  kit(),
	"views/kit/layout":   kit("views/kit/confirm", "views/kit/prose", "static"),
	"views/kit/standing": kit("views/kit/prose", "views/kit/paths"),
	"views/kit/judged":   kit("views/kit/standing"),
	"views/kit/steps":    kit("views/kit/standing"),
	// The rooms, with the packages of data and the rooms before them that they show a
	// part of.
	"views":          {},
	"views/start":    room("playground/demo", "playground/flow"),
	"views/admin":    room("playground/usage", "playground/people", "static"),
	"views/person":   room(),
	"views/call":     room(),
	"views/question": room(),
	"views/wire":     room(),
	"views/board":    room("views/wire"),
	"views/share":    room("views/board"),
	"views/state":    room("views/wire", "sampletools/seal"),
	"views/signin":   room("views/wire"),
	"views/check": room(
		"views/board", "playground/exercise", "playground/lesson",
	),
	"views/result": room("views/wire"),
	"views/lab":    room("views/board"),
	"views/expect": room(),
	"views/exchange": room(
		"views/board", "views/lab", "views/question", "views/result", "views/signin", "views/state",
		"views/wire", "sampletools/seal",
	),
	"views/server": room(
		"views/call", "views/result", "views/signin", "views/start", "views/wire", "playground/lesson",
	),
	"views/doors": room(
		"views/client", "views/server", "views/start", "playground/lesson", "sampletools",
	),
	"views/settings": room("views/question", "playground/lesson"),
	"views/client": room(
		"views/board", "views/start", "views/wire", "sampletools",
	),
	"views/field":     room("playground/field"),
	"views/gateway":   room("views/check", "views/client", "views/server", "views/wire"),
	"views/recording": room("views/client"),
	"views/exercise": room(
		"views/client", "views/server", "views/settings", "playground/exercise", "playground/lesson",
	),
	"views/history": room(
		"views/board", "views/server", "views/start", "views/wire", "playground/lesson",
	),
	"views/learn": room("views/exchange", "views/signin", "playground/lesson"),
	"views/stage": room("views/share", "views/state", "playground/demo", "sampletools/seal"),
	"views/demo":  room("views/stage", "playground/demo", "playground/document", "playground/flow"),
	"views/reader": room(
		"views/board", "views/check", "views/exchange", "views/exercise", "views/history", "views/result",
		"views/share", "views/stage", "views/wire", "playground/demo", "playground/lesson",
		"sampletools/seal",
	),
	"views/flow": room(
		"views/question", "views/reader", "views/share", "views/wire", "playground/flow",
		"playground/flow/code", "playground/flow/edit", "playground/flow/preview",
		"playground/flow/recorded", "playground/flow/review", "sampletools",
	),
	// A page that is a file of its own: those of a reader with their style and script.
	"views/onefile": {
		append([]string{
			"views/exchange", "views/reader", "views/stage", "static", "sampletools/seal", "views/kit/...",
		}, pure...),
		[]string{"github.com/a-h/templ", "golang.org/x/net/html"},
	},
	// Checks pages by selector. Only tests import it.
	"views/htmltest": {third: []string{"github.com/andybalholm/cascadia", "golang.org/x/net/html"}},
	// Settings of MCP clients. It writes the command that starts the program.
	"playground/setup": {own: []string{"playground/jsontree", "playground/launch", "playground/text"}},
	// What can be done, without HTTP. What starts processes stays outside (see
	// TestImports_OnlyStdioStartsProcesses). It describes the samples, with their data.
	"playground/app": {
		append([]string{
			"playground/auth", "playground/check", "playground/drive", "playground/flow",
			"playground/flow/edit", "playground/flow/preview", "playground/flow/recorded",
			"playground/flow/review", "playground/gateway/trial", "playground/launch", "playground/places",
			"playground/run", "playground/setup",
			// stories, and the recordings of real software: tables of data
			"playground/demo", "playground/field",
			"playground/people",
			"playground/usage", "sampletools", "sampletools/seal",
		}, pure...),
		[]string{"golang.org/x/sync/singleflight", "golang.org/x/time/rate"},
	},
	// What all pages share, and the pages by subject. Each may import those before it
	// that it needs; web/site imports them all.
	"web": {
		[]string{"playground/...", "views/...", "static", "sampletools", "sampletools/seal"},
		[]string{
			"github.com/labstack/echo/", "github.com/gorilla/", "github.com/a-h/templ",
			"github.com/hashicorp/golang-lru/",
		},
	},
	// The router is with the parts before and above the rooms, which see a
	// web.Request.
	"web/guard": {
		pages("web").own, []string{"github.com/labstack/echo/", "github.com/klauspost/compress/gzhttp"},
	},
	"web/signin": pages("web"),
	"web/person": pages("web"),
	// It keeps verdicts.
	"web/doors":    {pages("web").own, []string{"github.com/hashicorp/golang-lru/"}},
	"web/server":   pages("web", "web/doors", "web/signin"),
	"web/check":    pages("web"),
	"web/lab":      pages("web"),
	"web/exchange": pages("web", "web/lab", "web/signin"),
	"web/demo":     pages("web"),
	"web/stage":    pages("web"),
	"web/start":    pages("web"),
	"web/field":    pages("web"),
	"web/history":  pages("web"),
	"web/search":   pages("web", "web/server"),
	"web/settings": pages("web"),
	"web/client":   pages("web", "web/doors"),
	"web/gateway":  pages("web", "web/doors"),
	// It keeps recordings as they were read.
	"web/recording": {pages("web").own, []string{"github.com/hashicorp/golang-lru/"}},
	"web/flow":      pages("web"),
	// A server of its own, on the SDK like the samples.
	"web/agent": {
		append(pages("web").own, "sampletools/serve", "sampletools/cluster", "sampletools/tasks"),
		append(pages().third, sdk),
	},
	"web/share": pages("web", "web/exchange"),
	"web/learn": pages("web", "web/exchange", "web/lab", "web/server"),
	"web/admin": pages("web"),
	"web/site": {
		[]string{"playground/...", "sampletools", "sampletools/seal", "web/..."},
		[]string{"github.com/labstack/echo/"},
	},
	// Starts whole sites for the tests of web. Only tests import it.
	"web/site/sitetest": {own: []string{
		"playground/...", "sampletools", "sampletools/seal", "db", "db/engine", "db/pgtest", "static",
		"views/htmltest", "web", "web/site",
	}},
	// measures real software and writes the files of playground/field
	"e2e/field": {own: append([]string{
		"playground/field", "playground/check", "playground/drive", "playground/run", "sampletools",
		"e2e/field/gateways",
	}, pure...)},
	"e2e/faults":         {}, // runs the tests of the others
	"e2e/faults/balance": {},
	"e2e/licenses":       {}, // reads the modules of the build
	// drives the program as visitors do
	"e2e/load": {own: []string{"db/pgtest", "e2e/site"}},
	// plays a crowd before several processes
	"e2e/replicas": {own: []string{"db/pgtest", "e2e/site"}},
	// what is started beside the program on a platform
	"e2e/platform": {[]string{"playground/lines/linestest"}, []string{"golang.org/x/sys/windows"}},
	// measures real gateways
	"e2e/field/gateways":        {own: []string{"playground/gateway", "playground/verdict"}},
	"e2e/field/gateways/bridge": {own: []string{"playground", "playground/wire"}},
	"e2e/field/gateways/measure": {
		own: []string{"e2e/field/gateways", "playground/gateway", "playground/verdict"},
	},
	"e2e/field/gateways/reverseproxy": {},
	// runs several processes behind a proxy
	"e2e/site": {},
	// is a site for the tests in Node
	"e2e/stand": {own: []string{"db/pgtest", "e2e/site"}},
	"cmd/mrtr-playground": {
		[]string{
			"playground/...", "sampletools/...", "db", "db/engine", "web", "web/admin", "web/agent",
			"web/site", "static",
		}, []string{"github.com/VictoriaMetrics/metrics"},
	},
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string // also those of its imports
}

func TestImports_FollowTheTable(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, known := table[name]
		if !known {
			t.Errorf("package %s is not in the table", name)
			continue
		}
		for _, path := range p.Imports {
			short, own := strings.CutPrefix(path, module)
			byPrefix := func(prefix string) bool { return strings.HasPrefix(path, prefix) }
			switch {
			case own && !matches(allowed.own, short),
				!own && strings.Contains(path, ".") && !slices.ContainsFunc(allowed.third, byPrefix):
				t.Errorf("%s must not import %s", name, short)
			}
		}
	}
}

// A sample shares nothing with the client that judges it, directly or through another
// package, but the language of flows, without the client's validator of JSON Schema.
func TestImports_SamplesShareTheLanguage(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if name != "sampletools" && !strings.HasPrefix(name, "sampletools/") {
			continue
		}
		var shared []string
		for _, path := range p.Deps {
			if short, own := strings.CutPrefix(path, module); own && strings.HasPrefix(short, "playground") {
				shared = append(shared, short)
			}
			if strings.HasPrefix(path, "github.com/santhosh-tekuri/jsonschema") {
				t.Errorf("%s brings the validator of the client with it", name)
			}
		}
		slices.Sort(shared)
		switch want := slices.Sorted(slices.Values(language)); name {
		case "sampletools", "sampletools/flow":
			if !slices.Equal(shared, want) {
				t.Errorf("%s has %s in it, want %s", name, shared, want)
			}
		default:
			if shared != nil {
				t.Errorf("%s has %s in it", name, shared)
			}
		}
	}
}

func TestOnlyDBKnowsSQL(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		knows := []string{"db", "db/engine", "web/site/sitetest"}
		if slices.Contains(p.Imports, "database/sql") && !slices.Contains(knows, name) {
			t.Errorf("%s imports database/sql", p.ImportPath)
		}
		shows := name == "playground/app" || strings.HasPrefix(name, "views/") && name != "views/htmltest"
		if shows && slices.Contains(p.Imports, "net/http") {
			t.Errorf("%s must not do HTTP of its own", name)
		}
	}
}

// Nothing that comes over HTTP can start a process: one package does, and only the
// command line reaches it, and the sites of tests, which no part of the program imports.
// The others with os/exec are tools of tests.
func TestImports_OnlyStdioStartsProcesses(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		tool := strings.HasPrefix(name, "e2e/") || name == "db/pgtest" || name == "playground/stdio" ||
			name == "playground/lines/linestest"
		if slices.Contains(p.Imports, "os/exec") && !tool {
			t.Errorf("%s starts processes", name)
		}
		for reached, from := range map[string][]string{
			"playground/stdio":  {"cmd/mrtr-playground", "playground/lines"},
			"playground/lines":  {"cmd/mrtr-playground", "web/site/sitetest"},
			"web/site/sitetest": {},
		} {
			if slices.Contains(p.Imports, module+reached) && !slices.Contains(from, name) {
				t.Errorf("%s imports %s", name, reached)
			}
		}
	}
}

// What only tests use is in no part of the program.
func TestImports_TestHelpersAreForTests(t *testing.T) {
	helper := regexp.MustCompile(`^(e2e/.*|.*/(authtest|capturetest|dbtest|htmltest|linestest|mcptest|` +
		`pgtest|redacttest|sitetest))$`)
	for _, p := range packages(t) {
		if helper.MatchString(strings.TrimPrefix(p.ImportPath, module)) {
			continue
		}
		for _, path := range p.Imports {
			if short, own := strings.CutPrefix(path, module); own && helper.MatchString(short) {
				t.Errorf("%s imports %s", p.ImportPath, short)
			}
		}
	}
}

// Templates call methods by name, so the linker keeps every exported method of
// every type as soon as one is executed: 4.5 MB of the program.
func TestImports_NoTemplatesOfTheStandardLibrary(t *testing.T) {
	for _, p := range packages(t) {
		for _, path := range []string{"text/template", "html/template"} {
			if slices.Contains(p.Imports, path) {
				t.Errorf("%s imports %s; use templ", p.ImportPath, path)
			}
		}
	}
}

func matches(allowed []string, path string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		if tree, ok := strings.CutSuffix(a, "/..."); ok {
			return path == tree || strings.HasPrefix(path, tree+"/")
		}
		return path == a
	})
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
