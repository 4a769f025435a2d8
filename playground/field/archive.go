package field

import (
	"bytes"
	_ "embed" // for the archive
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

//go:embed field.zst
var archive []byte

// Names of entries of the archive that are no slugs.
const (
	factsEntry      = "facts"
	dictionaryEntry = "dictionary"
)

// dictionaryID is the id of the dictionary in the frames of recordings.
const dictionaryID = 2322

// Pack returns an archive of subjects and their recordings, files of package export by slug.
func Pack(list []Subject, recordings map[string][]byte) ([]byte, error) {
	facts, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("write facts: %w", err)
	}
	largest := map[Kind]string{}
	files := map[string][]byte{}
	for _, s := range list {
		data, ok := recordings[s.Slug]
		if !ok {
			continue
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, data); err != nil {
			return nil, fmt.Errorf("recording of %s: %w", s.Slug, err)
		}
		files[s.Slug] = compact.Bytes()
		if old := largest[s.Kind]; old == "" || compact.Len() > len(files[old]) {
			largest[s.Kind] = s.Slug
		}
	}
	var dictionary []byte
	for _, k := range Kinds() {
		dictionary = append(dictionary, files[largest[k]]...)
	}
	var b bytes.Buffer
	add := func(name string, data, dictionary []byte) error {
		options := []zstd.EOption{
			zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(maxWindow),
			zstd.WithEncoderConcurrency(1),
		}
		if len(dictionary) > 0 {
			options = append(options, zstd.WithEncoderDictRaw(dictionaryID, dictionary))
		}
		z, err := zstd.NewWriter(nil, options...)
		if err != nil {
			return fmt.Errorf("compress: %w", err)
		}
		frame := z.EncodeAll(data, nil)
		fmt.Fprintf(&b, "%s %d\n%s", name, len(frame), frame)
		return z.Close()
	}
	err = errors.Join(add(factsEntry, facts, nil), add(dictionaryEntry, dictionary, nil))
	for _, s := range list {
		if data, ok := files[s.Slug]; ok {
			err = errors.Join(err, add(s.Slug, data, dictionary))
		}
	}
	return b.Bytes(), err
}

// maxWindow bounds what reading one entry takes in memory, in bytes.
const maxWindow = 8 << 20

// entry returns an entry of the archive as it is compressed, and whether there is one.
func entry(name string) ([]byte, bool) {
	for rest := archive; len(rest) > 0; {
		var at string
		var size int
		head, tail, _ := bytes.Cut(rest, []byte("\n"))
		if n, err := fmt.Sscanf(string(head), "%s %d", &at, &size); n != 2 || err != nil || size > len(tail) {
			return nil, false // a test reads every entry
		}
		if at == name {
			return tail[:size], true
		}
		rest = tail[size:]
	}
	return nil, false
}

// read returns an entry of the archive, and whether there is one that can be read.
func read(name string, options ...zstd.DOption) ([]byte, bool) {
	frame, ok := entry(name)
	if !ok {
		return nil, false
	}
	z, err := zstd.NewReader(nil, append(options, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(maxWindow))...)
	if err != nil {
		return nil, false
	}
	defer z.Close()
	data, err := z.DecodeAll(frame, nil)
	return data, err == nil
}

// dictionary has what the recordings have in common.
var dictionary = sync.OnceValue(func() []byte {
	data, _ := read(dictionaryEntry)
	return data
})

// tokenPrefix begins the tokens of the recordings. A token that the program makes
// has no such beginning.
const tokenPrefix = "field-"

// Share returns the recording of a subject, as a share with a fixed token, and whether there
// is one.
func Share(token string) (share.Share, bool) {
	slug, ok := strings.CutPrefix(token, tokenPrefix)
	i := slices.IndexFunc(subjects(), func(s Subject) bool { return s.Slug == slug })
	if !ok || i < 0 {
		return share.Share{}, false
	}
	data, ok := read(slug, zstd.WithDecoderDictRaw(dictionaryID, dictionary()))
	if !ok {
		return share.Share{}, false
	}
	s := subjects()[i]
	day, _ := time.Parse(time.DateOnly, s.Day)
	return share.Share{Token: token, Title: s.Title(), Created: day, Data: data}, true
}

// Token returns the token of the recording of the subject, which need not have one.
func (s Subject) Token() string { return tokenPrefix + s.Slug }
