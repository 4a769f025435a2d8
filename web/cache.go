package web

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// Bounds of the cache of files, in bytes.
const (
	cacheSize  = 32 << 20
	cacheEntry = 4 << 20 // larger files are not kept
)

// Digest identifies what a file is made from.
type Digest [sha256.Size]byte

// Cache keeps files that were made, the newest up to cacheSize.
type Cache struct {
	mu    sync.Mutex
	files map[Digest][]byte
	order []Digest // oldest first
	size  int
}

// File returns the file of a digest, made only if the cache does not have it.
func (f *Cache) File(key Digest, made func() ([]byte, error)) ([]byte, error) {
	f.mu.Lock()
	data, ok := f.files[key]
	f.mu.Unlock()
	if ok {
		return data, nil
	}
	data, err := made()
	if err == nil && len(data) <= cacheEntry {
		f.keep(key, data)
	}
	return data, err
}

func (f *Cache) keep(key Digest, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.files == nil {
		f.files = map[Digest][]byte{}
	}
	if _, ok := f.files[key]; ok {
		return
	}
	f.files[key] = data
	f.order = append(f.order, key)
	for f.size += len(data); f.size > cacheSize; {
		f.size -= len(f.files[f.order[0]])
		delete(f.files, f.order[0])
		f.order = f.order[1:]
	}
}

// DigestOfFile returns the digest of a file of a session with the choices of
// its snapshot. The parts that a file is made from are in it with their lengths,
// so that different sessions have different digests.
func DigestOfFile(n session.Session, o share.Options, suffix string) Digest {
	h := sha256.New()
	Add(h, suffix, n.Title, n.Note, fmt.Sprint(n.Imported))
	choices, _ := json.Marshal(o) // strings and booleans
	Add(h, string(choices))
	for _, x := range n.Exchanges {
		AddExchange(h, x)
	}
	var d Digest
	h.Sum(d[:0])
	return d
}

// AddExchange adds to a digest all that files show of an exchange.
func AddExchange(h hash.Hash, x playground.Exchange) {
	origin := ""
	if x.Origin != nil {
		origin = fmt.Sprintf("%s %d", x.Origin.Exchange, x.Origin.Round)
	}
	target, _ := json.Marshal(struct {
		ID, Sample, Name, URL, Capabilities string
		Header                              any
		Era                                 playground.Era
	}{x.Target.ID, x.Target.Sample, x.Target.Name, x.Target.URL, string(x.Target.Capabilities),
		x.Target.Header, x.Target.Era})
	Add(h, x.ID, x.Session, origin, x.Created.String(), string(target), x.Call.Method,
		string(x.Call.Params), string(x.Call.Tool), x.Call.Wait.String())
	for _, e := range x.Log {
		timing, _ := json.Marshal(e.Timing)
		Add(h, fmt.Sprint(e.Seq, e.Conn, e.At.UnixNano()), string(e.Kind), string(timing))
		addBytes(h, e.Data)
	}
}

// Add adds texts to a digest, each with its length.
func Add(h hash.Hash, texts ...string) {
	for _, text := range texts {
		addBytes(h, []byte(text))
	}
}

func addBytes(h hash.Hash, b []byte) {
	fmt.Fprintf(h, "%d:", len(b))
	h.Write(b)
}
