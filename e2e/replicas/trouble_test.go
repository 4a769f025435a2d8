package replicas

import (
	"context"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// trouble kills, freezes and replaces one process after the other, and restarts the
// database, until ctx ends. It leaves everything running.
func trouble(ctx context.Context, t *testing.T, s *testSite, seen *report) {
	t.Helper()
	wait := func(atLeast, atMost time.Duration) { _ = pause(ctx, atLeast+rand.N(atMost-atLeast)) }
	for n := 0; ctx.Err() == nil; n++ {
		wait(time.Second, 3*time.Second)
		r := s.Replicas[rand.IntN(len(s.Replicas))]
		kind := []string{"killed", "frozen", "replaced", "killed", "database restarted"}[n%5]
		switch kind {
		case "killed":
			r.Kill()
			wait(time.Second, 2*time.Second)
			check(t, r.Start(t.Context()))
		case "frozen":
			check(t, r.Process.Signal(syscall.SIGSTOP))
			wait(2*time.Second, 15*time.Second) // a lease ends after ten
			check(t, r.Process.Signal(syscall.SIGCONT))
		case "replaced":
			check(t, r.Process.Signal(syscall.SIGTERM))
			if err := r.Wait(); err != nil {
				t.Errorf("a replica that was told to end: %v", err)
			}
			check(t, r.Start(t.Context()))
		case "database restarted":
			check(t, s.cluster.Stop())
			wait(time.Second, 2*time.Second)
			check(t, s.cluster.Start())
		}
		seen.add(&seen.troubles, kind)
		for !r.IsReady() && pause(t.Context(), 50*time.Millisecond) == nil {
		}
	}
}
