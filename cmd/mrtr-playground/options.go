package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
)

// defaultAddr is where serve listens.
const defaultAddr = "127.0.0.1:2322"

// options are the settings of serve.
type options struct {
	addr, data, db, baseURL, admin string
	mode                           app.Mode
	named                          bool // by -base-url, which every link has
	proxied                        bool // local mode takes requests through proxies: it has no one's work
	proxies, denied                networks
	allowed                        allowed
	hosts                          []string
	replicas                       int
	replicaName                    string
	limits                         limits
	log                            logSettings
	stdio                          commandWords
	team                           teamOptions
	room                           string                            // for phones: HOST:PORT, or noRoom
	given                          []launch.Flag                     // of the command line, without secrets
	callers                        func(rounds.Caller) rounds.Caller // changes what sends calls; may be nil
}

func parseOptions(args []string, getenv func(string) string, stdout io.Writer) (options, error) {
	var o options
	var public, trusted bool
	var limits limitSettings
	f := newFlags("serve")
	f.StringVar(&o.addr, "addr", "", "")
	f.StringVar(&o.data, "data", "", "")
	f.StringVar(&o.db, "db", "", "")
	f.StringVar(&o.baseURL, "base-url", "", "")
	f.StringVar(&o.admin, "admin", "", "")
	f.BoolVar(&trusted, "trusted-network", false, "")
	f.BoolVar(&public, "public", false, "")
	f.Func("replicas", "", o.setReplicas)
	f.StringVar(&o.replicaName, "replica-name", "", "")
	f.StringVar(&o.log.format, "log-format", "", "")
	f.BoolVar(&o.log.requests, "log-requests", false, "")
	f.BoolVar(&o.log.verbose, "verbose", false, "")
	f.Func("trusted-proxy", "", o.proxies.add)
	f.Func("allow-network", "", o.allowed.add)
	f.StringVar(&o.team.issuer, "oidc-issuer", "", "")
	f.StringVar(&o.team.client, "oidc-client", "", "")
	f.StringVar(&o.team.keyFile, "oidc-key", "", "")
	f.Func("oidc-require", "", o.team.addClaim)
	f.StringVar(&o.team.header, "user-header", "", "")
	f.StringVar(&o.team.links, "links", "", "")
	f.Func("deny", "", o.denied.add)
	f.Func("stdio", "", o.stdio.add)
	f.StringVar(&o.room, "room", "", "")
	f.Func("allow-host", "", o.addHost)
	f.Func("limit", "", limits.add)
	if err := readOnlyFlags(f, args, getenv, stdout); err != nil {
		return o, err
	}
	o.team.secret = getenv("MRTR_OIDC_SECRET")
	o.given = given("serve", args)
	if data := getenv("MRTR_DATA"); data != "" && o.data == data { // another shell may not have it
		o.given = withFlag(o.given, launch.Flag{Name: "data", Value: data})
	}
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

// withFlag returns the flags with one more, unless they have one of its name.
func withFlag(flags []launch.Flag, f launch.Flag) []launch.Flag {
	if slices.ContainsFunc(flags, func(g launch.Flag) bool { return g.Name == f.Name }) {
		return flags
	}
	return append(flags, f)
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
func (o *options) check(public bool) error {
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return &usageError{fmt.Sprintf("-addr %q is not HOST:PORT", o.addr)}
	}
	if strings.Contains(o.db, "://") && !engine.IsPostgresURL(o.db) { // it may contain a password
		return &usageError{"-db is neither a file nor a URL that begins with postgres:// or postgresql://"}
	}
	if o.replicas > 1 && !engine.IsPostgresURL(o.db) {
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
	if o.mode != app.Trusted && !public && !o.team.signsIn() && !isLoopback(host) {
		return &usageError{fmt.Sprintf("-addr %s is reachable from other machines. "+
			"Add -trusted-network if you trust them, -public if you don't, "+
			"or a sign-in, such as -oidc-issuer", o.addr)}
	}
	if err := o.checkTeam(); err != nil {
		return err
	}
	if len(o.allowed) > 0 && !o.mode.Shared() {
		return &usageError{"-allow-network is for a program that several people use: " +
			"on your own machine, any server may be called"}
	}
	if err := errors.Join(o.checkStdio(), o.checkRoom()); err != nil {
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

// newFlags returns a set for the flags of a command, without any. The command declares
// those that flagTable has for it. Texts, defaults and variables come from there.
func newFlags(command string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// readFlags gives the flags of a command their defaults, reads their variables, and then
// the flags before, between and after the other words of args, which it returns. With
// -help it prints the help of the command and returns errHelp.
func readFlags(
	f *flag.FlagSet, args []string, getenv func(string) string, stdout io.Writer,
) (words []string, err error) {
	rows := rowsOf(f.Name())
	mustFit(f, rows)
	for _, r := range rows {
		if err := r.set(f.Lookup(r.name), getenv); err != nil {
			return nil, err
		}
	}
	for {
		err := f.Parse(args)
		switch {
		case errors.Is(err, flag.ErrHelp):
			_, _ = io.WriteString(stdout, helpOf(f.Name()))
			return nil, errHelp
		case err != nil:
			return nil, &usageError{fmt.Sprintf("%s: %v; -help lists the flags", f.Name(), err)}
		case f.NArg() == 0:
			return words, nil
		}
		words, args = append(words, f.Arg(0)), f.Args()[1:]
	}
}

// mustFit panics unless a command declares the flags of its rows, so that its first use in a
// test finds a difference.
func mustFit(f *flag.FlagSet, rows []flagRow) {
	declared, listed := map[string]bool{}, map[string]bool{} // by name: is it a switch?
	f.VisitAll(func(d *flag.Flag) {
		b, ok := d.Value.(interface{ IsBoolFlag() bool })
		declared[d.Name] = ok && b.IsBoolFlag()
	})
	for _, r := range rows {
		listed[r.name] = r.isSwitch()
	}
	if !maps.Equal(declared, listed) || len(listed) != len(rows) {
		panic(fmt.Sprintf("%s declares the flags %v, and flagTable has %v", f.Name(), declared, listed))
	}
}

// readOnlyFlags is readFlags for a command that takes no other words.
func readOnlyFlags(
	f *flag.FlagSet, args []string, getenv func(string) string, stdout io.Writer,
) error {
	words, err := readFlags(f, args, getenv, stdout)
	if err == nil && len(words) > 0 {
		err = &usageError{fmt.Sprintf("%s takes no arguments, got %q", f.Name(), words)}
	}
	return err
}

// errHelp ends a command after its help was printed.
var errHelp = errors.New("help")

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
