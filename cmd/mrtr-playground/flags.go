package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
)

const help = `MRTR Playground: see, learn and test MCP's multi round-trip requests.

usage: mrtr-playground [serve] [flags]         serve the pages
       mrtr-playground call [flags] URL [TOOL] make one call from the terminal
       mrtr-playground check URL -tool TOOL    test a server
       mrtr-playground client -- COMMAND ARGS  test a client
       mrtr-playground flow COMMAND FILE       run, check or export a flow
       mrtr-playground mcp                     serve a coding agent over stdio
       mrtr-playground health | version        is serve ready, and which one
       mrtr-playground keys rotate | retire    change the keys
       mrtr-playground claim                   open the work of local mode in
                                               a program for several
       mrtr-playground backup | restore FILE   copy the data, and get it back
       mrtr-playground help [COMMAND]          print the help of a command, or
                                               on the topics auth and limits

flags of serve, with their environment variables and defaults:
  -addr HOST:PORT      listen address; port 0 picks a free port
                       (MRTR_ADDR, 127.0.0.1:2322)
  -data DIR            directory of the database and the keys
                       (MRTR_DATA, a directory in your data home)
  -db FILE|URL         SQLite file, or PostgreSQL database:
                       postgres://USER:PASSWORD@HOST/NAME
                       (MRTR_DB, playground.db in -data)
  -replicas N          how many processes share the PostgreSQL database, which
                       divides rates and pools (MRTR_REPLICAS, 1)
  -replica-name NAME   ends the session ids of the samples' legacy clients, for
                       the proxy to route by (MRTR_REPLICA_NAME, host name)
  -base-url URL        URL at which others open this program (MRTR_BASE_URL)
  -stdio COMMAND       offer this command, a server on standard input; no shell
                       runs it; may be repeated (MRTR_STDIO, one a line)
  -trusted-network     serve other machines of a network, such as a lab or a
                       container, and call its servers (MRTR_TRUSTED_NETWORK)
  -allow-host NAME     answer to this name too, besides IP addresses, with
                       -trusted-network; may be repeated (MRTR_ALLOW_HOST)
  -public              serve the internet: enforces all limits, requires
                       -base-url (MRTR_PUBLIC)
  -trusted-proxy CIDR  trust X-Forwarded-For from this proxy; needs -base-url or
                       -trusted-network; may be repeated (MRTR_TRUSTED_PROXY)
  -deny CIDR           never call servers in this network; may be repeated
                       (MRTR_DENY)
  -limit NAME=VALUE    set a limit, for example pages=120/1m; may be repeated
                       (MRTR_LIMITS); "help limits" lists them
  -admin HOST:PORT     serve the operator here: who uses how much, purge and
                       block, /metrics; keep it private (MRTR_ADMIN, off)
  -log-format FORMAT   json or text (MRTR_LOG_FORMAT, json in public mode)
  -log-requests        log every request: route, status, time, never an address
                       or a query (MRTR_LOG_REQUESTS)
  -verbose             log how long each step of the start took (MRTR_VERBOSE)

Without -base-url, -trusted-network and -public, it is for one person on this
machine. With any of them, each browser has its own workspace.
Once ready, serve prints "listening on http://HOST:PORT" to standard output.
Logs go to standard error. Exit codes: 0 success, 1 failure, 2 usage error.
`

// defaultAddr is where serve listens.
const defaultAddr = "127.0.0.1:2322"

// options are the settings of serve.
type options struct {
	addr, data, db, baseURL, admin string
	mode                           app.Mode
	named                          bool // by -base-url, which every link has
	proxied                        bool // local mode takes requests through proxies: it has no one's work
	proxies, denied                networks
	hosts                          []string
	replicas                       int
	replicaName                    string
	limits                         limits
	log                            logSettings
	stdio                          commandWords
	given                          []launch.Flag                     // of the command line, without secrets
	callers                        func(rounds.Caller) rounds.Caller // changes what sends calls; may be nil
}

func parseOptions(args []string, getenv func(string) string, stdout io.Writer) (options, error) {
	o := options{replicas: 1}
	var public, trusted bool
	var limits limitSettings
	err := cmp.Or(
		setEach(getenv, "MRTR_LIMITS", limits.add),
		setEach(getenv, "MRTR_TRUSTED_PROXY", o.proxies.add),
		setEach(getenv, "MRTR_DENY", o.denied.add),
		setEach(getenv, "MRTR_ALLOW_HOST", o.addHost),
		setEach(getenv, "MRTR_REPLICAS", o.setReplicas),
		o.stdio.setLines(getenv("MRTR_STDIO")),
	)
	if err != nil {
		return o, err
	}
	f := newFlags("serve")
	f.StringVar(&o.addr, "addr", cmp.Or(getenv("MRTR_ADDR"), defaultAddr), "")
	f.StringVar(&o.data, "data", getenv("MRTR_DATA"), "")
	f.StringVar(&o.db, "db", getenv("MRTR_DB"), "")
	f.StringVar(&o.baseURL, "base-url", getenv("MRTR_BASE_URL"), "")
	f.StringVar(&o.admin, "admin", getenv("MRTR_ADMIN"), "")
	f.BoolVar(&trusted, "trusted-network", parseBool(getenv("MRTR_TRUSTED_NETWORK")), "")
	f.BoolVar(&public, "public", parseBool(getenv("MRTR_PUBLIC")), "")
	f.Func("replicas", "", o.setReplicas)
	f.StringVar(&o.replicaName, "replica-name", getenv("MRTR_REPLICA_NAME"), "")
	f.StringVar(&o.log.format, "log-format", getenv("MRTR_LOG_FORMAT"), "")
	f.BoolVar(&o.log.requests, "log-requests", parseBool(getenv("MRTR_LOG_REQUESTS")), "")
	f.BoolVar(&o.log.verbose, "verbose", parseBool(getenv("MRTR_VERBOSE")), "")
	f.Func("trusted-proxy", "", o.proxies.add)
	f.Func("deny", "", o.denied.add)
	f.Func("stdio", "", o.stdio.add)
	f.Func("allow-host", "", o.addHost)
	f.Func("limit", "", limits.add)
	if err := parseFlags(f, args, stdout, help); err != nil {
		return o, err
	}
	o.given = given(f, args)
	if o.data == "" {
		o.data = dataHome(getenv)
	}
	o.baseURL = strings.TrimSuffix(o.baseURL, "/")
	o.named = o.baseURL != ""
	o.mode = o.modeOf(public, trusted)
	if o.limits = limits.on(defaultLimits()); o.mode == app.Local {
		o.limits = limits.on(localLimits())
	}
	if o.replicas > 1 && o.replicaName == "" {
		host, err := os.Hostname()
		if err != nil {
			return o, fmt.Errorf("name this replica: %w", err)
		}
		o.replicaName = notInName.ReplaceAllString(host, "-")
	}
	return o, o.check(public)
}

// notInName matches what the name of a replica cannot have.
var notInName = regexp.MustCompile(`[^A-Za-z0-9-]`)

// setReplicas reads the number of -replicas.
func (o *options) setReplicas(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a number of processes", text)
	}
	o.replicas = n
	return nil
}

// addHost reads a name of -allow-host.
func (o *options) addHost(name string) error {
	if name == "" || strings.ContainsAny(name, ":/ ") {
		return fmt.Errorf("%q is not the name of a host, such as playground.lab", name)
	}
	o.hosts = append(o.hosts, name)
	return nil
}

// setEach sets the values of a repeatable flag from an environment variable.
func setEach(getenv func(string) string, name string, set func(string) error) error {
	for _, one := range strings.Fields(getenv(name)) {
		if err := set(one); err != nil {
			return &usageError{fmt.Sprintf("%s: %v", name, err)}
		}
	}
	return nil
}

// modeOf returns the mode. A program on loopback is for one person, unless it has a
// public URL or a proxy in front of it: then other people reach it, too. A proxy without
// a URL or a trusted network is refused: visitors come by a name that is not known.
func (o options) modeOf(public, trusted bool) app.Mode {
	switch {
	case public:
		return app.Public
	case trusted:
		return app.Trusted
	case o.baseURL != "" || len(o.proxies) > 0:
		return app.Public
	}
	return app.Local
}

// check returns an error for options that would be unsafe. Behind a proxy, public mode
// needs no -public.
func (o options) check(public bool) error {
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return &usageError{fmt.Sprintf("-addr %q is not HOST:PORT", o.addr)}
	}
	if strings.Contains(o.db, "://") && !db.IsPostgresURL(o.db) { // it may contain a password
		return &usageError{"-db is neither a file nor a URL that begins with postgres:// or postgresql://"}
	}
	if o.replicas > 1 && !db.IsPostgresURL(o.db) {
		return &usageError{"-replicas needs a database that processes can share: -db postgres://..."}
	}
	if notInName.MatchString(o.replicaName) || len(o.replicaName) > 63 {
		return &usageError{"-replica-name takes up to 63 letters, digits and hyphens"}
	}
	if o.replicas > 1 && o.baseURL == "" {
		return &usageError{"-replicas requires -base-url, the URL at which visitors reach any of them"}
	}
	if public && !strings.HasPrefix(o.baseURL, "https://") {
		return &usageError{"-public requires -base-url https://... for links and cookies"}
	}
	if o.mode != app.Trusted && !public && !isLoopback(host) {
		return &usageError{fmt.Sprintf("-addr %s is reachable from other machines. "+
			"Add -trusted-network if you trust them, or -public if you don't", o.addr)}
	}
	if err := o.checkStdio(); err != nil {
		return err
	}
	if o.mode == app.Public && o.baseURL == "" {
		return &usageError{"-trusted-proxy requires -base-url, the URL at which visitors reach the proxy, " +
			"for links and sign-ins. In a network that you trust, add -trusted-network instead"}
	}
	return o.log.check()
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.IsLoopback()
}

func newFlags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// parseMixed reads flags before, between and after the other words, which it
// returns. With -help it prints text and returns errHelp.
func parseMixed(f *flag.FlagSet, args []string, stdout io.Writer, text string) (words []string, err error) {
	for {
		err := f.Parse(args)
		switch {
		case errors.Is(err, flag.ErrHelp):
			_, _ = io.WriteString(stdout, text)
			return nil, errHelp
		case err != nil:
			return nil, &usageError{fmt.Sprintf("%s: %v; -help lists the flags", f.Name(), err)}
		case f.NArg() == 0:
			return words, nil
		}
		words, args = append(words, f.Arg(0)), f.Args()[1:]
	}
}

// parseFlags is parseMixed for a command that takes no other words.
func parseFlags(f *flag.FlagSet, args []string, stdout io.Writer, text string) error {
	words, err := parseMixed(f, args, stdout, text)
	if err == nil && len(words) > 0 {
		err = &usageError{fmt.Sprintf("%s takes no arguments, got %q", f.Name(), words)}
	}
	return err
}

// errHelp ends a command after its help was printed.
var errHelp = errors.New("help")

func parseBool(s string) bool {
	on, _ := strconv.ParseBool(s)
	return on
}

// dataHome returns the directory for this program's data in the user's home.
func dataHome(getenv func(string) string) string {
	if dir := getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "mrtr-playground")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "data"
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "mrtr-playground")
	case "windows":
		return filepath.Join(cmp.Or(getenv("LOCALAPPDATA"), home), "mrtr-playground")
	}
	return filepath.Join(home, ".local", "share", "mrtr-playground")
}
