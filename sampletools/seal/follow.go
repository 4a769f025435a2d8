package seal

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// lookEvery is how often the file of keys is looked at while states are made and
// opened. A state of an unknown key makes Keys look at once.
const lookEvery = 2 * time.Second

// follower reads a file again when it has changed.
type follower struct {
	path string

	mu     sync.Mutex
	seen   os.FileInfo // of what was read last
	looked time.Time
}

// read returns the keys of the file as it is now.
func (f *follower) read() (*keysets, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readLocked()
}

func (f *follower) readLocked() (*keysets, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, fmt.Errorf("read state keys: %w", err)
	}
	b, err := os.ReadFile(f.path)
	if err != nil {
		return nil, fmt.Errorf("read state keys: %w", err)
	}
	f.seen, f.looked = info, time.Now()
	return parseKeys(b, f.path)
}

// changed returns the keys of the file if it has changed since it was read, or
// nil. A file that cannot be read changes nothing: the keys in memory still
// work. Unless now, it looks only every lookEvery.
func (f *follower) changed(now bool) *keysets {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !now && time.Since(f.looked) < lookEvery {
		return nil
	}
	f.looked = time.Now()
	info, err := os.Stat(f.path)
	if err != nil || os.SameFile(info, f.seen) && info.ModTime().Equal(f.seen.ModTime()) {
		return nil
	}
	sets, err := f.readLocked()
	if err != nil {
		return nil
	}
	return sets
}

// current returns the keysets, those of the file if it has changed.
func (k *Keys) current() *keysets {
	if k.file != nil {
		if sets := k.file.changed(false); sets != nil {
			k.sets.Store(sets)
		}
	}
	return k.sets.Load()
}

// reload looks at the file at once and reports whether the keys have changed.
func (k *Keys) reload() bool {
	if k.file == nil {
		return false
	}
	sets := k.file.changed(true)
	if sets != nil {
		k.sets.Store(sets)
	}
	return sets != nil
}
