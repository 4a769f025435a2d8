package field

import (
	"bufio"
	"bytes"
	_ "embed" // for the archive
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

//go:embed field.zst
var archive []byte

// Pack returns an archive of subjects and their recordings, files of package export by slug.
func Pack(list []Subject, recordings map[string][]byte) ([]byte, error) {
	facts, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("write facts: %w", err)
	}
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(zstd.MaxWindowSize>>3), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	lines := [][]byte{facts}
	for _, s := range list {
		if data, ok := recordings[s.Slug]; ok {
			var compact bytes.Buffer
			compact.WriteString(s.Slug + " ")
			if err := json.Compact(&compact, data); err != nil {
				return nil, fmt.Errorf("recording of %s: %w", s.Slug, err)
			}
			lines = append(lines, compact.Bytes())
		}
	}
	if _, err := z.Write(append(bytes.Join(lines, []byte("\n")), '\n')); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return b.Bytes(), nil
}

// maxArchive bounds what the archive takes in memory while it is read, in bytes.
const maxArchive = 64 << 20

// find returns the first line of the archive, for the empty slug, or the recording of a
// subject, and whether there is one.
func find(slug string) (line []byte, found bool, err error) {
	z, err := zstd.NewReader(bytes.NewReader(archive), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(maxArchive), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, false, fmt.Errorf("open the archive: %w", err)
	}
	defer z.Close()
	in := bufio.NewReader(z)
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, fmt.Errorf("read the archive: %w", err)
		}
		if slug == "" {
			return line, true, nil
		}
		if name, data, ok := bytes.Cut(line, []byte(" ")); !first && ok && string(name) == slug {
			return data, true, nil
		}
	}
}

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
	data, ok, err := find(slug)
	if err != nil || !ok {
		return share.Share{}, false
	}
	s := subjects()[i]
	day, _ := time.Parse(time.DateOnly, s.Day)
	return share.Share{Token: token, Title: s.Title(), Created: day, Data: data}, true
}

// Token returns the token of the recording of the subject, which need not have one.
func (s Subject) Token() string { return tokenPrefix + s.Slug }
