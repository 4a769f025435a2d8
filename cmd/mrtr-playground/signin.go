package main

import (
	"context"
	"crypto"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const signInHelp = `Signing in to a protected server, with call, check and test.

The server's 401 leads to metadata that names its authorization server. Problems
in the metadata of either server are printed.

{flags}

To use a token that you have: -header 'Authorization: Bearer ...'
`

// maxSignIns is how often one command signs in. A server that refuses the
// token again and again would ask for ever (basic/authorization, "Step-Up
// Authorization Flow").
const maxSignIns = 3

// signInTime is how long the user has to sign in.
const signInTime = 10 * time.Minute

// signInOptions are the settings of signing in.
type signInOptions struct {
	browser  bool
	id       string
	secret   string
	keyFile  string
	issuer   string
	keep     string // file
	signInOn bool   // whether the command may sign in
	anyway   []playground.Deviation
}

func (o *signInOptions) flags(f *flag.FlagSet) {
	f.BoolVar(&o.browser, "sign-in", false, "")
	f.StringVar(&o.id, "client-id", "", "")
	f.StringVar(&o.keyFile, "client-key", "", "")
	f.StringVar(&o.issuer, "issuer", "", "")
	f.StringVar(&o.keep, "keep", "", "")
	f.Func("anyway", "", o.addAnyway)
}

// addAnyway reads a value of -anyway.
func (o *signInOptions) addAnyway(s string) error {
	d := playground.Deviation(s)
	if !slices.Contains(playground.Deviations(), d) {
		return fmt.Errorf("%q is none of issuer, pkce and resource", s)
	}
	o.anyway = append(o.anyway, d)
	return nil
}

// check completes the options from the environment. The error is a usageError.
func (o *signInOptions) check(getenv func(string) string) error {
	o.signInOn = o.browser || o.id != ""
	if o.id == "" && (o.keyFile != "" || o.issuer != "") {
		return &usageError{"-client-key and -issuer need -client-id"}
	}
	if o.keep != "" && !o.signInOn {
		return &usageError{"-keep needs -sign-in or -client-id"}
	}
	if len(o.anyway) > 0 && !o.signInOn {
		return &usageError{"-anyway needs -sign-in or -client-id"}
	}
	if o.id != "" {
		o.secret = getenv("MRTR_CLIENT_SECRET")
	}
	if o.id != "" && !o.browser && o.secret == "" && o.keyFile == "" {
		return &usageError{
			"-client-id without -sign-in needs MRTR_CLIENT_SECRET in the environment, or -client-key"}
	}
	return nil
}

// signer signs a command in at the server that it talks to.
type signer struct {
	signInOptions
	sender auth.Sender
	public bool
	stderr io.Writer
	key    crypto.Signer
	tries  int
	// redirect is where the browser comes back to in the current sign-in.
	redirect string
	kept
}

// kept has the credentials that a sign-in retains for the next one.
type kept struct {
	Issuer  string                       `json:"issuer,omitempty"` // that gets the secret of the client
	Server  string                       `json:"server"`           // URL that the token is for
	Token   *auth.Token                  `json:"token"`
	Clients map[string]auth.Registration `json:"clients"` // by issuer
}

func newSigner(o signInOptions, sender auth.Sender, public bool, stderr io.Writer) (*signer, error) {
	s := &signer{signInOptions: o, sender: sender, public: public, stderr: stderr}
	if public && len(o.anyway) > 0 {
		return nil, &usageError{"-anyway and -public exclude each other"}
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	if o.keyFile == "" {
		return s, nil
	}
	text, err := os.ReadFile(o.keyFile)
	if err != nil {
		return nil, fmt.Errorf("read client key: %w", err)
	}
	if s.key, err = parseKey(text); err != nil {
		return nil, fmt.Errorf("read client key %s: %w", o.keyFile, err)
	}
	return s, nil
}

// load reads what an earlier command kept.
func (s *signer) load() error {
	s.Clients = map[string]auth.Registration{}
	if s.keep == "" {
		return nil
	}
	text, err := os.ReadFile(s.keep)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s.kept)
	}
	if err != nil {
		return fmt.Errorf("read kept tokens: %w", err)
	}
	if s.Clients == nil {
		s.Clients = map[string]auth.Registration{}
	}
	if s.Token != nil {
		for _, d := range s.Token.Deviations {
			fmt.Fprintf(s.stderr, "sign-in: the kept token is from a sign-in with %s (-anyway %s)\n",
				doctor.WordsOf(d).Name, d)
		}
	}
	return nil
}

// save keeps a token for a server, if the user wants that.
func (s *signer) save(server string, token *auth.Token) error {
	s.Server, s.Token = server, token
	s.Clients[token.Issuer] = token.Client
	if s.keep == "" {
		return nil
	}
	text, err := json.Marshal(s.kept)
	if err == nil {
		err = writePrivate(s.keep, text)
	}
	if err != nil {
		return fmt.Errorf("keep tokens: %w", err)
	}
	return nil
}

// writePrivate replaces a file by one that only its user can read.
func writePrivate(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".keep-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// parseKey returns the private key in a PEM file of PKCS #8, PKCS #1 or SEC 1.
func parseKey(text []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("it is not a PEM file")
	}
	for _, parse := range []func([]byte) (any, error){
		x509.ParsePKCS8PrivateKey,
		func(b []byte) (any, error) { return x509.ParsePKCS1PrivateKey(b) },
		func(b []byte) (any, error) { return x509.ParseECPrivateKey(b) },
	} {
		if key, err := parse(block.Bytes); err == nil {
			if signer, ok := key.(crypto.Signer); ok {
				return signer, nil
			}
		}
	}
	return nil, errors.New("it is not a private key for signing")
}

// registration returns the registration at an authorization server that the
// options name, or that of an earlier sign-in of this command.
func (s *signer) registration(issuer string) (auth.Registration, bool) {
	if s.id == "" || strings.HasPrefix(s.id, "https://") {
		r, ok := s.Clients[issuer]
		return r, ok
	}
	return auth.Registration{
		Kind: auth.Preregistered, Issuer: s.bound(issuer), ID: s.id, Secret: s.secret, Key: s.key,
	}, true
}

// bound returns the authorization server that the client ID belongs to. Without
// -issuer a secret or a key binds it to the first one that is met: the server
// that is called must not choose another one for them later.
func (s *signer) bound(issuer string) string {
	if s.issuer != "" || s.secret == "" && s.key == nil {
		return s.issuer
	}
	if s.Issuer == "" {
		s.Issuer = issuer
		fmt.Fprintf(s.stderr, "sign-in: the client authenticates at %s; -issuer makes sure of that\n",
			text.Visible(issuer, 200))
	}
	return s.Issuer
}

// errRefusedAgain is of a server that accepts no token of a sign-in.
var errRefusedAgain = errors.New("the server still refuses the token")

// after signs in if the answer of the server asks for it, and returns the target
// with the token. It returns false if there is nothing to sign in for.
func (s *signer) after(ctx context.Context, t playground.Target, head wire.Head) (playground.Target, bool,
	error) {
	challenge, asked := auth.ChallengeIn(head)
	if !asked || !s.signInOn {
		return t, false, nil
	}
	if s.tries++; s.tries > maxSignIns {
		return t, false, fmt.Errorf("%w after %d sign-ins", errRefusedAgain, maxSignIns)
	}
	ctx = wire.WithTrust(ctx, t.Trust)
	token, err := s.signIn(ctx, t.URL, challenge)
	if err != nil {
		return t, false, err
	}
	old := s.Token
	if s.Server != t.URL || !challenge.StepUp() {
		old = nil
	}
	if old != nil {
		*token = token.Replacing(*old)
	}
	if err := s.save(t.URL, token); err != nil {
		return t, false, err
	}
	if old != nil {
		s.warn(s.client("").RevokeReplaced(ctx, t.URL, *old, *token))
	}
	return withToken(t, *token), true, nil
}

// fresh returns the target with the token for it, refreshed if it has expired.
func (s *signer) fresh(ctx context.Context, t playground.Target) (playground.Target, error) {
	if s.Token == nil || s.Server != t.URL {
		return t, nil
	}
	if !s.Token.Expired(time.Now()) || s.Token.Refresh == "" {
		return withToken(t, *s.Token), nil
	}
	_, token := s.client("").Refresh(wire.WithTrust(ctx, t.Trust), t.URL, *s.Token)
	if token == nil {
		return t, nil // the server will ask for a sign-in
	}
	return withToken(t, *token), s.save(t.URL, token)
}

// narrow returns the header field with a token that has fewer scopes than the
// one for the target, or none.
func (s *signer) narrow(ctx context.Context, t playground.Target) []wire.Field {
	if s.Token == nil || s.Server != t.URL {
		return nil
	}
	_, narrow, kept := s.client("").Narrow(wire.WithTrust(ctx, t.Trust), t.URL, *s.Token)
	if narrow == nil {
		return nil
	}
	if err := s.save(t.URL, &kept); err != nil {
		fmt.Fprintln(s.stderr, err)
	}
	return []wire.Field{narrow.Field()}
}

// withToken returns the target with the token in its header.
func withToken(t playground.Target, token auth.Token) playground.Target {
	field := token.Field()
	t.Header = slices.DeleteFunc(slices.Clone(t.Header), func(f wire.Field) bool {
		return strings.EqualFold(f.Name, field.Name)
	})
	t.Header = append(t.Header, field)
	return t
}

func (s *signer) client(redirect string) auth.Client {
	c := auth.Client{
		Sender: s.sender, Name: "MRTR Playground", Redirect: redirect, Offline: true, Strict: s.public,
		Now: time.Now,
	}
	if strings.HasPrefix(s.id, "https://") {
		c.Document = func(string) (string, bool) { return s.id, false }
	}
	return c
}

// signIn returns a token for the server at a URL.
func (s *signer) signIn(ctx context.Context, url string, challenge auth.Challenge) (*auth.Token, error) {
	known := auth.Known{Registered: s.registration, Anyway: s.anyway}
	if s.Token != nil && s.Server == url {
		known.Scopes = s.Token.Requested
	}
	if !s.browser {
		in, token := s.client("").Credentials(ctx, url, challenge, known)
		return token, s.tell(in, token)
	}
	back, err := newCallback(s.stderr)
	if err != nil {
		return nil, err
	}
	defer back.close()
	s.redirect = back.url
	client := s.client(back.url)
	in := client.Begin(ctx, url, challenge, known)
	if in.Stage != auth.Ready {
		return nil, s.tell(in, nil)
	}
	back.expect(in.Private.State)
	fmt.Fprintf(s.stderr, "Sign in with your browser at\n%s\n", text.Visible(in.Authorize, len(in.Authorize)))
	address, query, err := back.wait(ctx)
	if err != nil && ctx.Err() == nil {
		lost := s.examined(in)
		lost.Lost = true
		return nil, s.lost(lost)
	}
	if err != nil {
		return nil, err
	}
	token := client.Return(ctx, in, address, query)
	return token, s.tell(in, token)
}

// tell prints the warnings of a sign-in, or what was tried if there is no token. The error is
// then errQuiet, because the list says why.
func (s *signer) tell(in *auth.SignIn, token *auth.Token) error {
	if token != nil {
		for _, d := range in.Deviations {
			fmt.Fprintf(s.stderr, "sign-in: %s %s\n", doctor.WordsOf(d).Did, doctor.WordsOf(d).GivesUp)
		}
		s.warn(in)
		return nil
	}
	return s.lost(s.examined(in))
}

// examined returns a sign-in as the doctor reads it.
func (s *signer) examined(in *auth.SignIn) doctor.SignIn {
	d := app.Examined(in, s.redirect)
	d.AnyPort = true
	return d
}

// lost prints what was tried in a sign-in that failed.
func (s *signer) lost(in doctor.SignIn) error {
	return printTried(s.stderr, "signing in failed", in.List())
}

// examine prints what was tried if connecting failed. It returns errQuiet in that case: the list
// says why.
func (s *signer) examine(t playground.Target, c server.Connection) error {
	if list := doctor.Connection(t, c, reachOf(s.public)); c.Status == server.ConnectFailed && list != nil {
		return printTried(s.stderr, "connecting failed", list)
	}
	return nil
}

// printTried prints what was tried. It returns errQuiet: the list says why.
func printTried(stderr io.Writer, what string, list doctor.List) error {
	fmt.Fprintf(stderr, "%s; what was tried, in order:\n", what)
	if err := list.WriteText(stderr); err != nil {
		return err
	}
	return errQuiet
}

// warn prints the warnings of a sign-in.
func (s *signer) warn(in *auth.SignIn) {
	for _, w := range in.Warnings() {
		fmt.Fprintf(s.stderr, "sign-in: %s\n", w.Says)
	}
}

// discover connects to the server of a target, and signs in if it asks for
// that.
func (s *signer) discover(ctx context.Context, engine rounds.Config, t playground.Target) (
	playground.Target, server.Connection, error) {
	t, err := s.fresh(ctx, t)
	if err != nil {
		return t, server.Connection{}, err
	}
	for {
		end := awaiting(s.stderr, t)
		c := drive.Discover(ctx, engine, t)
		end()
		refused, _ := c.Failed()
		next, again, err := s.after(ctx, t, refused.Head)
		if errors.Is(err, errRefusedAgain) {
			list := doctor.Connection(t, c, reachOf(s.public)).AfterSignIn(t)
			_ = printTried(s.stderr, "connecting failed", list)
		}
		if err != nil || !again {
			return t, c, err
		}
		t = next
	}
}

// silentTime is how long a command may be silent before the terminal names the
// awaited message.
const silentTime = 2 * time.Second

// awaiting names the awaited message on stderr if a command is silent: one from
// before 2026-07-28 may ignore a first message that is not initialize. It stops
// at end.
func awaiting(stderr io.Writer, t playground.Target) (end func()) {
	if !t.IsCommand() || t.Era != "" { // a chosen era is not found out
		return func() {}
	}
	timer := time.AfterFunc(silentTime, func() {
		fmt.Fprintln(stderr, "waiting for an answer to server/discover; if there is none, initialize is "+
			"tried (-limit answer-first-byte=5s makes the wait shorter)")
	})
	return func() { timer.Stop() }
}
