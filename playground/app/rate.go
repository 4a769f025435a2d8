package app

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate is how often something may happen: Burst times at once, and N times in
// Per from then on. Its text is "60/1m" or, with a burst other than N,
// "60/1m,30".
type Rate struct {
	N     int
	Per   time.Duration
	Burst int
}

// times returns n times r, with n times the burst.
func (r Rate) times(n int) Rate { return Rate{N: r.N * n, Per: r.Per, Burst: r.Burst * n} }

// over returns r for one of n processes that share the visitors evenly.
func (r Rate) over(n int) Rate {
	return Rate{N: r.N, Per: time.Duration(n) * r.Per, Burst: (r.Burst + n - 1) / n}
}

// refill returns how long an empty bucket takes to fill up; a bucket that was
// not used for that long equals a new one.
func (r Rate) refill() time.Duration {
	return r.Per * time.Duration(r.Burst) / time.Duration(r.N)
}

// MarshalText writes r as UnmarshalText reads it.
func (r Rate) MarshalText() ([]byte, error) {
	text := fmt.Sprintf("%d/%s", r.N, shortTime.Replace(r.Per.String()))
	if r.Burst != r.N {
		text += "," + strconv.Itoa(r.Burst)
	}
	return []byte(text), nil
}

// shortTime removes the zeros that a Duration ends with: 1h0m0s is 1h.
var shortTime = strings.NewReplacer("h0m0s", "h", "m0s", "m")

// UnmarshalText reads a Rate; every number in it is above zero.
func (r *Rate) UnmarshalText(text []byte) error {
	whole, burst, hasBurst := strings.Cut(string(text), ",")
	number, per, _ := strings.Cut(whole, "/")
	var err error
	if r.N, err = strconv.Atoi(number); err == nil {
		r.Per, err = time.ParseDuration(per)
	}
	if r.Burst = r.N; err == nil && hasBurst {
		r.Burst, err = strconv.Atoi(burst)
	}
	if err != nil || r.N <= 0 || r.Per <= 0 || r.Burst <= 0 {
		return fmt.Errorf("%q is not a rate such as 60/1m or 60/1m,30", text)
	}
	return nil
}

// mostKeys bounds the memory of buckets: they hold at most twice as many keys.
const mostKeys = 10_000

// Buckets limit events to a Rate per key. A key is dropped once its bucket is
// full again, which changes nothing for it. Under a flood of keys old buckets
// are dropped early to bound memory.
type Buckets[K comparable] struct {
	each Rate

	mu         sync.Mutex
	young, old map[K]*rate.Limiter // young ones were used since turned
	turned     time.Time
}

// NewBuckets returns Buckets without events.
func NewBuckets[K comparable](each Rate) *Buckets[K] { return newBuckets[K](each) }

func newBuckets[K comparable](each Rate) *Buckets[K] { return &Buckets[K]{each: each} }

// Reserve counts one event and returns 0, or returns how long to wait until the
// next one is allowed.
func (b *Buckets[K]) Reserve(key K, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	reservation := b.bucket(key, now).ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// Return takes back an event that was counted.
func (b *Buckets[K]) Return(key K, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bucket(key, now).ReserveN(now, -1)
}

// count returns how many keys were used a short time ago, and how many of them
// have to wait now.
func (b *Buckets[K]) count(now time.Time) (known, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, generation := range []map[K]*rate.Limiter{b.young, b.old} {
		for key, l := range generation {
			if young := b.young[key]; young != nil && young != l {
				continue // it was an old one before
			}
			known++
			waiting += count(l.TokensAt(now) < 1)
		}
	}
	return known, waiting
}

// bucket returns the bucket of a key. b.mu must be held.
func (b *Buckets[K]) bucket(key K, now time.Time) *rate.Limiter {
	if now.Sub(b.turned) >= b.each.refill() || len(b.young) >= mostKeys {
		b.young, b.old, b.turned = map[K]*rate.Limiter{}, b.young, now
	}
	l := b.young[key]
	if l == nil {
		l = b.old[key]
	}
	if l == nil {
		l = rate.NewLimiter(rate.Every(b.each.Per/time.Duration(b.each.N)), b.each.Burst)
	}
	b.young[key] = l
	return l
}
