//go:build linux

package replicas

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/e2e/site"
)

// testSite is a Site with its database.
type testSite struct {
	*site.Site
	database string
	cluster  *pgtest.Cluster
}

// startSite starts a Site with further flags of serve.
func startSite(t *testing.T, flags ...string) *testSite {
	t.Helper()
	if _, err := site.FindNginx(); err != nil && os.Getenv("MRTR_NEED_POSTGRES") == "" {
		t.Skip(err)
	}
	cluster := pgtest.Start(t)
	dir := t.TempDir()
	o := site.Options{
		Program: filepath.Join(dir, "mrtr-playground"), Config: "../../.deploy/nginx.conf",
		Dir: dir, Database: cluster.URL("postgres"),
		Flags: append([]string{
			"-limit", "drain-delay=1s", "-limit", "calls=600/1m", "-limit", "pages=3000/1m",
			"-limit", "parts=3000/1m", "-limit", "checks=30", "-limit", "samples=3000/1m",
		}, flags...),
	}
	if os.Getenv("MRTR_REPLICAS_LOG") != "" {
		o.Log = os.Stderr
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", o.Program, "../../cmd/mrtr-playground")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	s, err := site.Start(context.WithoutCancel(t.Context()), o) // Stop ends it, which is a cleanup
	check(t, err)
	t.Cleanup(s.Stop)
	return &testSite{s, o.Database, cluster}
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
