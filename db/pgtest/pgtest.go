// Package pgtest starts PostgreSQL for tests: a cluster of its own in a temporary
// folder, reached by a socket in the same folder. Nothing that the machine
// already has is used or changed, but for the programs of PostgreSQL.
//
// A test binary has one cluster, which starts with the first test that needs it.
// Its TestMain ends with os.Exit(pgtest.Run(m)), which stops it.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// need is the variable that makes tests fail where PostgreSQL is not installed.
const need = "MRTR_NEED_POSTGRES"

// shared is the cluster of the test binary.
var shared struct {
	sync.Mutex
	cluster  *Cluster
	err      error
	template string // its database that the others are copies of
	count    atomic.Int64
}

// Run runs the tests of a binary, stops the cluster if one was started, and
// returns the exit code.
func Run(m *testing.M) int {
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster != nil {
		if err := shared.cluster.remove(); err != nil {
			fmt.Fprintln(os.Stderr, "stop PostgreSQL:", err)
			return max(code, 1)
		}
	}
	return code
}

// Database returns the URL of a new database of the shared cluster. It is a copy
// of a template, which prepare filled once; prepare gets the URL of the empty
// template and leaves no connection to it open. Every test of a binary passes the
// same prepare.
//
// The test is skipped with -short, and if PostgreSQL is not installed; then it fails
// instead if MRTR_NEED_POSTGRES is 1.
func Database(t testing.TB, prepare func(ctx context.Context, url string) error) string {
	t.Helper()
	c := sharedCluster(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.template == "" {
		const name = "template_of_tests"
		if err := c.create(t.Context(), name, ""); err != nil {
			t.Fatal(err)
		}
		if err := prepare(t.Context(), c.URL(name)); err != nil {
			t.Fatal(err)
		}
		shared.template = name
	}
	return c.newDatabase(t, shared.template)
}

// Empty returns the URL of a new database of the shared cluster without any
// table. It skips or fails as Database does.
func Empty(t testing.TB) string {
	t.Helper()
	return sharedCluster(t).newDatabase(t, "")
}

// Query returns what psql prints for a query of a database: its rows, one in a
// line, columns between |.
func Query(t testing.TB, where, query string) string {
	t.Helper()
	out, err := sharedCluster(t).output(t.Context(), "psql", "-XAt", "-c", query, where)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Dump returns everything that is in a database. In bytes, what is ASCII is shown
// as it is.
func Dump(t testing.TB, where string) []byte {
	t.Helper()
	out, err := sharedCluster(t).output(t.Context(), "pg_dump", where)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// newDatabase creates a database that is dropped when the test ends.
func (c *Cluster) newDatabase(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprintf("test%d", shared.count.Add(1))
	if err := c.create(t.Context(), name, template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.drop(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	return c.URL(name)
}

// sharedCluster returns the running cluster of the test binary.
func sharedCluster(t testing.TB) *Cluster {
	t.Helper()
	skipShort(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster == nil && shared.err == nil {
		shared.cluster, shared.err = start()
	}
	check(t, shared.err)
	return shared.cluster
}

func skipShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short starts no PostgreSQL")
	}
}

// check skips the test, or fails it, after an error of start.
func check(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errNotInstalled) && os.Getenv(need) != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Start returns a cluster that only this test uses, so that it may stop it. It
// skips or fails as Database does.
func Start(t testing.TB) *Cluster {
	t.Helper()
	skipShort(t)
	c, err := start()
	check(t, err)
	t.Cleanup(func() {
		if err := c.remove(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// StartCluster returns a cluster for what is no test, and a function that ends it
// and removes its data.
func StartCluster() (c *Cluster, end func() error, err error) {
	if c, err = start(); err != nil {
		return nil, nil, err
	}
	return c, c.remove, nil
}

// URL returns the URL of a database of the cluster; postgres is one that every
// cluster has.
func (c *Cluster) URL(database string) string {
	u := url.URL{
		Scheme: "postgres", Path: "/" + database,
		RawQuery: url.Values{"host": {c.dir}, "user": {superuser}}.Encode(),
	}
	return u.String()
}
