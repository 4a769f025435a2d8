package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// flagRow describes one flag. Defaults and variables (readFlags), the help of commands
// (helpOf) and the page .deploy/flags.md come from the rows, so a flag is described only
// here. Beside that, its command declares it, to say where the value goes (mustFit).
type flagRow struct {
	name  string
	value string // what help writes for the value; empty for a switch
	kind  kind
	help  string   // a sentence without its end
	more  string   // follows the variable and the default in help; begins with a mark
	def   string   // default, as the flag reads it
	words string   // what help says in place of def
	env   string   // variable that sets it, unless the command line does
	in    []string // commands that have it
	under string   // help text that lists it, if not that of the commands; see inText
}

// kind says how the values of a flag are read.
type kind int

const (
	once            kind = iota // one value; the last one counts
	repeated                    // each value counts; in a variable, white space stands between them
	repeatedCommand             // each value counts and is a command; in a variable, each has a line
)

// inText is the field under of a flag that the text of its help describes itself.
const inText = "-"

// flagTable has every flag of every command. A name has a row for each meaning, with
// different commands. Help lists the flags of a command in this order.
var flagTable = []flagRow{
	{name: "addr", value: "HOST:PORT", help: "listen address; port 0 picks a free port",
		env: "MRTR_ADDR", def: defaultAddr, in: []string{"serve"}},
	{name: "addr", value: "HOST:PORT", help: "address of the program that is asked",
		env: "MRTR_ADDR", def: defaultAddr, in: []string{"health"}},
	{name: "addr", value: "HOST:PORT", help: "listen address",
		def: "127.0.0.1:0", words: "127.0.0.1:0, a free port", in: []string{"flow run"}, under: inText},
	{name: "addr", value: "HOST:PORT", help: "listen address",
		def: "127.0.0.1:0", words: "127.0.0.1:0, a free port", in: []string{"mock"}},
	{name: "lines", help: "answer on standard input and output, a message a line, for a client that " +
		"starts its server", in: []string{"mock"}},
	{name: "ignore", value: "PARTS", help: "what does not count when a request is compared: meta, " +
		"arguments, answers, state, separated by commas", def: "meta", in: []string{"mock"}},
	{name: "addr", value: "HOST:PORT", help: "listen address of the upstream",
		def: "127.0.0.1:0", words: "127.0.0.1:0, a free port", in: []string{"gateway"}},
	{name: "stdio", value: "COMMAND", help: "the gateway is this command, which is started with {url} " +
		"in place of the address of the upstream and speaks on standard input", in: []string{"gateway"}},
	{name: "wait", value: "DURATION", help: "how long to wait for the gateway to list the tools of the " +
		"upstream", def: "30s", in: []string{"gateway"}},
	{name: "timeout", value: "DURATION", help: "how long one answer may take", def: "10s",
		in: []string{"gateway"}},
	{name: "to", value: "FORMAT", help: "format to write: go, typescript, python, yaml or json",
		in: []string{"flow export"}, under: inText},
	{name: "out", value: "PATH", help: "directory for source, new or empty (named after the tool); " +
		"file for yaml and json (standard output)", in: []string{"flow export"}, under: inText},
	{name: "data", value: "DIR", help: "directory of the database and the keys",
		env: "MRTR_DATA", words: "a directory in your data home", in: []string{"serve", "backup", "restore"}},
	{name: "data", value: "DIR", help: "directory of the database and the keys, which no other running " +
		"program uses; without it, recordings are deleted at the end", in: []string{"mcp"}},
	{name: "data", value: "DIR", help: "the directory of the keys",
		env: "MRTR_DATA", words: "as for serve",
		more: ", unless MRTR_COOKIE_KEY or MRTR_COOKIE_KEY_FILE is set", in: []string{"claim"}},
	{name: "data", value: "DIR", help: "the directory of the keys",
		env: "MRTR_DATA", words: "as for serve",
		more: ". Files named by MRTR_COOKIE_KEY_FILE and MRTR_STATE_KEYS_FILE are changed too",
		in:   []string{"keys"}},
	{name: "db", value: "FILE|URL", help: "SQLite file, or PostgreSQL database: " +
		"postgres://USER:PASSWORD@HOST/NAME",
		env: "MRTR_DB", words: "playground.db in -data", in: []string{"serve"}},
	{name: "db", value: "FILE", help: "the SQLite file",
		env: "MRTR_DB", words: "playground.db in -data", in: []string{"backup", "restore"}},
	{name: "max-size", value: "BYTES", help: "the largest database to unpack",
		def: strconv.Itoa(maxDatabase), words: "64 GiB", in: []string{"restore"}},
	{name: "replicas", value: "N", help: "how many processes share the PostgreSQL database, which divides " +
		"rates and pools", env: "MRTR_REPLICAS", def: "1", in: []string{"serve"}},
	{name: "replica-name", value: "NAME", help: "ends the session ids of the samples' legacy clients, for " +
		"the proxy to route by", env: "MRTR_REPLICA_NAME", words: "host name", in: []string{"serve"}},
	{name: "base-url", value: "URL", help: "URL at which others open this program",
		env: "MRTR_BASE_URL", in: []string{"serve"}},
	{name: "base-url", value: "URL", help: "where the program is opened",
		env: "MRTR_BASE_URL", words: "localhost at the port of MRTR_ADDR", in: []string{"claim"}},
	{name: "stdio", value: "COMMAND", kind: repeatedCommand,
		help: "offer this command, a server on standard input; no shell runs it",
		env:  "MRTR_STDIO", in: []string{"serve"}},
	{name: "stdio", value: "COMMAND", kind: repeatedCommand, help: "let the agent check and call this " +
		"command, a server on standard input; no shell runs it", in: []string{"mcp"}},
	{name: "room", value: "HOST:PORT|off", help: "where phones follow a talk of local mode; without HOST, " +
		"on this machine's network", env: "MRTR_ROOM", def: defaultRoom, in: []string{"serve"}},
	{name: "trusted-network", help: "serve other machines of a network, such as a lab or a container, and " +
		"call its servers", env: "MRTR_TRUSTED_NETWORK", in: []string{"serve"}},
	{name: "allow-host", value: "NAME", kind: repeated, help: "answer to this name too, besides IP " +
		"addresses, with -trusted-network", env: "MRTR_ALLOW_HOST", in: []string{"serve"}},
	{name: "public", help: "serve the internet, on any address; requires -base-url",
		env: "MRTR_PUBLIC", in: []string{"serve"}},
	{name: "trusted-proxy", value: "CIDR", kind: repeated, help: "trust X-Forwarded-For from this proxy; " +
		"needs -base-url or -trusted-network", env: "MRTR_TRUSTED_PROXY", in: []string{"serve"}},
	{name: "allow-network", value: "NETWORK", kind: repeated, help: "call servers in this network too, " +
		"over https, or over http too if http: stands before it: http:10.0.0.0/8. A loopback, link-local " +
		"or metadata address, this program and its database must be named alone",
		env: "MRTR_ALLOW_NETWORK", in: []string{"serve"}, under: "team"},
	{name: "deny", value: "CIDR", kind: repeated, help: "never call servers in this network",
		env: "MRTR_DENY", in: []string{"serve"}, under: "team"},
	{name: "oidc-issuer", value: "URL",
		help: "people sign in with OpenID Connect: the issuer, as it spells " +
			"itself", env: "MRTR_OIDC_ISSUER", in: []string{"serve"}, under: "team"},
	{name: "oidc-client", value: "ID", help: "the client ID by which the issuer knows this program",
		env: "MRTR_OIDC_CLIENT", in: []string{"serve"}, under: "team"},
	{name: "oidc-key", value: "FILE", help: "the private key (PEM) with which the client authenticates, in " +
		"place of a secret (private_key_jwt)", env: "MRTR_OIDC_KEY", in: []string{"serve"}, under: "team"},
	{name: "oidc-require", value: "CLAIM=VALUE", kind: repeated,
		help: "let in only whose ID token has this " +
			"value of a claim, or has it among its values: hd=example.com, groups=mcp",
		env: "MRTR_OIDC_REQUIRE", in: []string{"serve"}, under: "team"},
	{
		name:  "user-header",
		value: "NAME",
		help: "in place of OpenID Connect: the header in which the proxy of " +
			"-trusted-proxy names the person. From anyone else it is ignored",
		env:   "MRTR_USER_HEADER",
		in:    []string{"serve"},
		under: "team",
	},
	{name: "links", value: "WHO", help: "who may read shared recordings by link: everyone, or people who " +
		"sign in", env: "MRTR_LINKS", def: "everyone", in: []string{"serve"}, under: "team"},

	{name: "each", help: "run the command for each scenario, each at its own address",
		in: []string{"client"}},
	{name: "proxy", value: "URL", help: "put the address in front of this server, and judge by the rules " +
		"alone; its own violations do not change the exit code", in: []string{"client"}},
	{name: "trust-certificate", value: "FINGERPRINT", help: "accept the -proxy server's certificate with " +
		"this fingerprint, which client prints", in: []string{"client"}},
	{name: "stdio", value: "COMMAND", help: "the client starts this program in place of COMMAND, its " +
		"server: it starts COMMAND, passes every line on unchanged, and reports on standard error. " +
		"See the page /test", in: []string{"client"}},
	{name: "only", value: "ID,...", help: "judge only these scenarios, requirements or rules; the server " +
		"lists, and -each runs, only their scenarios", in: []string{"client"}},
	{name: "skip", value: "ID,...", help: "leave these out; the page /learn/specification has the ids of " +
		"requirements, and the report has those of rules", in: []string{"client"}},
	{name: "timeout", value: "DURATION", help: "end the command after this time", def: "60s",
		more: "; what it has started may go on. With -each, each run has it", in: []string{"client"}},

	{name: "prompt", value: "PROMPT", help: "get this prompt", in: []string{"call"}},
	{name: "resource", value: "URI", help: "read this resource; ARGUMENTS expand a URI template",
		in: []string{"call"}},
	{name: "tool", value: "TOOL", help: "check with this tool", in: []string{"check"}, under: inText},
	{name: "prompt", value: "PROMPT", help: "check with this prompt", in: []string{"check"}, under: inText},
	{name: "resource", value: "URI", help: "check with this resource; -args expand a URI template",
		in: []string{"check"}, under: inText},
	{name: "args", value: "JSON", help: "the arguments, an object", def: "{}",
		words: "made up from the tool's schema", in: []string{"check"}},
	{name: "answers", value: "FILE|JSON", help: `answers by key: {"key": {"field": value}, ...}; a ` +
		`whole answer such as {"action":"decline"} is sent unchanged. A question of a server from before ` +
		"2026-07-28 has no key; it is named by one of its fields or its method. Other questions get the " +
		"schema's defaults or placeholder values; required booleans and URLs are asked for on the terminal",
		in: []string{"call"}},
	{name: "answers", value: "FILE|JSON", help: "answers by key, as for call; other questions get defaults",
		in: []string{"check"}},
	{name: "url", value: "URL", help: "call this server, in place of the one in the file",
		in: []string{"test"}},
	{name: "stdio", value: "COMMAND", help: "in place of URL: start this server; no shell runs it",
		in: []string{"call", "check", "test"}},
	{name: "method", value: "METHOD", help: "the method, in place of -prompt and -resource",
		in: []string{"call"}},
	{name: "header", value: "'N: V'", kind: repeated, help: "an additional header, such as your token",
		in: []string{"call", "check", "test", "gateway"}},
	{name: "person", value: "'N: V'", kind: repeated, help: "the same header for a second person, who " +
		"tries the state of the first", in: []string{"check"}},
	{name: "other", value: "TOOL", help: "a second tool, called without arguments with that state",
		in: []string{"check"}},
	{name: "wait", value: "DURATION", help: "how long to wait for a state to expire", def: "10s",
		more: "; if you set it, also for a state that shows no expiry", in: []string{"check"}},
	{name: "capabilities", value: "JSON", help: "the client capabilities to declare",
		in: []string{"call", "check"}},
	{name: "era", value: "ERA", help: "modern (2026-07-28) or legacy; by default it is found out",
		in: []string{"call", "check"}},
	{name: "trust-certificate", value: "FINGERPRINT", help: "accept only this certificate (sha256: and " +
		"64 digits)", in: []string{"call", "check", "test", "gateway"}},
	{name: "rounds", value: "N", help: "stop after N rounds", def: strconv.Itoa(playground.MaxRounds),
		in: []string{"call"}},
	{name: "timeout", value: "DURATION", help: "longest wait for a response (30s), for a next poll (1h)",
		in: []string{"call", "test"}},
	{name: "timeout", value: "DURATION", help: "longest wait for a response, and between polls of a task",
		def: "10s", more: "; the check takes at most 90 times that, and -wait", in: []string{"check"}},

	{name: "limit", value: "NAME=VALUE", kind: repeated, help: `set a limit of "help limits"`,
		env: "MRTR_LIMITS", in: []string{"serve", "call", "check", "test", "client", "gateway", "mcp"}},

	{name: "admin", value: "HOST:PORT", help: "serve the operator here: who uses how much, purge and " +
		"block, /metrics; keep it private", env: "MRTR_ADMIN", words: "off", in: []string{"serve"}},
	{name: "log-format", value: "FORMAT", help: "json or text",
		env: "MRTR_LOG_FORMAT", words: "json in public mode", in: []string{"serve"}},
	{name: "log-requests", help: "log every request: route, status, time, never an address or a query",
		env: "MRTR_LOG_REQUESTS", in: []string{"serve"}},
	{name: "verbose", help: "log how long each step of the start took",
		env: "MRTR_VERBOSE", in: []string{"serve"}},

	{name: "exercise", help: "check the exercise at the end of the lessons, the tool book_table, and " +
		"print its list of requirements", in: []string{"check"}},
	{name: "format", value: "FORMAT", help: "print the report as text (default), json with all bytes, " +
		"junit with one test per check and rule, or md (Markdown)",
		in: []string{"check", "client", "gateway"}},
	{name: "format", value: "FORMAT", help: "print the report as text (default), json with all bytes, " +
		"junit with one test per condition, or md (Markdown)", in: []string{"test"}},
	{name: "json", help: "the same as -format json", in: []string{"check"}, under: inText},
	{name: "junit", help: "the same as -format junit", in: []string{"check"}, under: inText},
	{name: "report", value: "FILE", kind: repeated, help: "also write it to FILE, in the format of its " +
		"ending: .json, .md, .txt or .xml (JUnit)", in: []string{"check", "test", "client", "gateway"}},
	{name: "baseline", value: "REPORT", help: `what failed in this .json report too is old: "help baseline"`,
		in: []string{"check", "client", "gateway"}},
	{name: "edit", value: "FILE", help: `edit one request, and send nothing after it: {"round": 2, ` +
		`"headers": {"Mcp-Name": null}, "body": {"params": {"requestState": "x"}}}. ` +
		"null leaves a header or member out; a body that is a string is sent exactly",
		in: []string{"call"}},
	{name: "replay", value: "FILE", help: "make the calls of an exported .json file again, with the " +
		"recorded answers, and print the differences", in: []string{"call"}},
	{name: "trace", help: "send a new trace, with a span for each request", in: []string{"call"}},
	{name: "json", help: "print one JSON document", in: []string{"call"}},
	{name: "public", help: "call only public addresses, as with serve -public",
		in: []string{"call", "check", "test"}},
	{name: "sign-in", help: `sign in if the server asks for it; "help auth" has more`,
		in: []string{"call", "check", "test"}},

	{name: "sign-in", help: "sign in with a browser: the URL to open is printed, and the browser is " +
		"redirected to this machine", under: "auth"},
	{name: "client-id", value: "ID", help: "the client ID that the authorization server knows, or the " +
		"https URL of a client ID metadata document. The secret is read from the environment, " +
		"MRTR_CLIENT_SECRET. Without -sign-in the client signs in for itself (client credentials)",
		in: []string{"call", "check", "test"}, under: "auth"},
	{name: "client-key", value: "FILE", help: "the private key (PEM) with which the client authenticates, " +
		"in place of a secret (private_key_jwt)", in: []string{"call", "check", "test"}, under: "auth"},
	{name: "issuer", value: "URL", help: "the authorization server that -client-id belongs to; the ID is " +
		"sent to no other", in: []string{"call", "check", "test"}, under: "auth"},
	{name: "keep", value: "FILE", help: "keep the tokens, and the client's ID and secret, in FILE, which " +
		"only you can read, and use them the next time", in: []string{"call", "check", "test"},
		under: "auth"},
	{name: "anyway", value: "issuer|pkce|resource", help: "go on although the issuer differs, or the " +
		"metadata " +
		"lists no PKCE; or leave out the parameter resource; each gives up a protection, which is printed; " +
		"may be repeated", in: []string{"call", "check", "test"}, under: "auth"},
}

// variable is an environment variable without a flag.
type variable struct {
	name, help string
	in         []string // commands that read it, or set it for the command that they run
}

// variables has every environment variable of the program that flagTable does not have.
var variables = []variable{
	{"MRTR_OIDC_SECRET", "secret of the client of -oidc-client", []string{"serve"}},
	{"MRTR_CLIENT_SECRET", "secret of the client with -client-id", []string{"call", "check", "test"}},
	{seal.EnvKeys, "keys that protect the states of samples", []string{"serve"}},
	{seal.EnvKeysFile, "file with these keys (" + seal.FileName + " in -data)",
		[]string{"serve", "keys"}},
	{envCookieKeys, "keys that sign cookies", []string{"serve", "claim"}},
	{envCookieKeysFile, "file with these keys (" + cookieKeysName + " in -data)",
		[]string{"serve", "claim", "keys"}},
	{"MRTR_SERVER_URL", "set for the command of client: address of the server", []string{"client"}},
	{"MRTR_SCENARIO", "set for the command of client: the scenario to do, empty for any",
		[]string{"client"}},
}

// rowsOf returns the flags of a command.
func rowsOf(command string) []flagRow {
	return slices.DeleteFunc(slices.Clone(flagTable), func(r flagRow) bool {
		return !slices.Contains(r.in, command)
	})
}

// namesOf returns the names of the flags of a command.
func namesOf(command string) []string {
	var names []string
	for _, r := range rowsOf(command) {
		names = append(names, r.name)
	}
	return names
}

// isSwitch reports whether the flag has no value.
func (r flagRow) isSwitch() bool { return r.value == "" }

// set gives a flag its default, and then what its variable has.
func (r flagRow) set(f *flag.Flag, getenv func(string) string) error {
	if r.def != "" && r.kind == once {
		if err := f.Value.Set(r.def); err != nil {
			return err
		}
	}
	if r.env == "" {
		return nil
	}
	for _, value := range r.split(getenv(r.env)) {
		if _, err := strconv.ParseBool(value); err != nil && r.isSwitch() {
			return &usageError{fmt.Sprintf("%s: %q is neither true nor false", r.env, value)}
		}
		if err := f.Value.Set(value); err != nil {
			return &usageError{r.env + ": " + err.Error()}
		}
	}
	return nil
}

// split returns the values in a variable; none if it is empty.
func (r flagRow) split(text string) []string {
	switch {
	case strings.TrimSpace(text) == "":
		return nil
	case r.kind == repeated:
		return strings.Fields(text)
	case r.kind == repeatedCommand:
		return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
			return strings.TrimSpace(line) == ""
		})
	}
	return []string{text}
}
