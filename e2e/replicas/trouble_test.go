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
func trouble(ctx context.Context, t *testing.T, s *site, seen *report) {
	t.Helper()
	wait := func(atLeast, atMost time.Duration) { _ = pause(ctx, atLeast+rand.N(atMost-atLeast)) }
	for n := 0; ctx.Err() == nil; n++ {
		wait(time.Second, 3*time.Second)
		r := s.replicas[rand.IntN(len(s.replicas))]
		kind := []string{"killed", "frozen", "replaced", "killed", "database restarted"}[n%5]
		switch kind {
		case "killed":
			r.end()
			wait(time.Second, 2*time.Second)
			r.start(t)
		case "frozen":
			check(t, r.cmd.Process.Signal(syscall.SIGSTOP))
			wait(2*time.Second, 15*time.Second) // a lease ends after ten
			check(t, r.cmd.Process.Signal(syscall.SIGCONT))
		case "replaced":
			check(t, r.cmd.Process.Signal(syscall.SIGTERM))
			if err := r.cmd.Wait(); err != nil {
				t.Errorf("a replica that was told to end: %v", err)
			}
			r.start(t)
		case "database restarted":
			check(t, s.cluster.Stop())
			wait(time.Second, 2*time.Second)
			check(t, s.cluster.Start())
		}
		seen.add(&seen.troubles, kind)
		for !r.isReady() && pause(t.Context(), 50*time.Millisecond) == nil {
		}
	}
}
