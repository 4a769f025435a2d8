//go:build linux

// Command stand runs three replicas of the program on one PostgreSQL database behind nginx, as
// .deploy shows it, until its input ends. It is for the tests in Node, which cannot start
// PostgreSQL as another user.
//
//	go run ./e2e/stand -program bin/mrtr-playground -port 12345 -- -oidc-issuer http://127.0.0.1:4000 …
//
// It prints a line of JSON: where the site is, and each replica. MRTR_OIDC_SECRET, if it is set,
// goes on to the replicas.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/e2e/site"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "stand:", err)
		os.Exit(1)
	}
}

// where is what it prints.
type where struct {
	Origin   string   `json:"origin"`   // of the site, behind nginx
	Replicas []string `json:"replicas"` // URLs
}

func run(ctx context.Context, args []string) (err error) {
	o := site.Options{Log: os.Stderr}
	flags := flag.NewFlagSet("stand", flag.ContinueOnError)
	flags.StringVar(&o.Program, "program", "bin/mrtr-playground", "the `file` of the program")
	flags.StringVar(&o.Config, "config", ".deploy/nginx.conf", "the `file` of the configuration of nginx")
	flags.StringVar(&o.Port, "port", "", "the port of nginx; a free one without it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.Flags = flags.Args()
	if secret := os.Getenv("MRTR_OIDC_SECRET"); secret != "" {
		o.Env = []string{"MRTR_OIDC_SECRET=" + secret}
	}
	cluster, end, err := pgtest.StartCluster()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	o.Database = cluster.URL("postgres")
	if o.Dir, err = os.MkdirTemp("", "mrtr-stand-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Dir)) }()
	s, err := site.Start(ctx, o)
	if err != nil {
		return err
	}
	defer s.Stop()
	at := where{Origin: s.Origin}
	for _, r := range s.Replicas {
		at.Replicas = append(at.Replicas, r.URL())
	}
	if err := json.NewEncoder(os.Stdout).Encode(at); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
