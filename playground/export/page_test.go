package export

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pageWith returns a page with the recording of a session, after other elements.
func pageWith(t *testing.T, s Session) (page, file []byte) {
	t.Helper()
	file, err := JSON(s)
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte("<!DOCTYPE html>\n<html><body><p>&lt;script&gt;</p>"), Embed(file)...), file
}

func TestPage_RoundTrip(t *testing.T) {
	for _, word := range append(hostile(), "</script>", "<!--<script>", "--!>", "]]>", "\u2028\u2029",
		`<script type="application/json" id="recording">{}</script>`) {
		page, file := pageWith(t, sessionWith(word))
		if inside := bytes.TrimSuffix(page[bytes.Index(page, []byte(recordingStart))+len(recordingStart):],
			[]byte(recordingEnd)); bytes.ContainsAny(inside, "<>&\u2028\u2029") {
			t.Errorf("%q can end the element", word)
		}
		for _, data := range [][]byte{page, append([]byte("\xef\xbb\xbf\r\n"), page...)} {
			back, err := Import(data, maxBytes)
			if err != nil {
				t.Fatalf("%q: %v", word, err)
			}
			again, err := JSON(back)
			if err != nil || !bytes.Equal(again, file) {
				t.Errorf("%q came back changed: %v\n%s", word, err, cmp.Diff(string(file), string(again)))
			}
		}
	}
}

func TestPage_ThatIsNoneIsRefusedInWords(t *testing.T) {
	good, file := pageWith(t, sessionWith("word"))
	for name, page := range map[string]string{
		"another page":    "<!doctype html><title>x</title>",
		"cut off":         string(good[:len(good)-20]),
		"without doctype": string(good[bytes.Index(good, []byte("<html>")):]),
	} {
		_, err := Import([]byte(page), maxBytes)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "a web page without a recording") {
			t.Errorf("%s: %v", name, err)
		}
	}
	large := append(bytes.Clone(good), bytes.Repeat([]byte(" "), len(file))...)
	if _, err := Import(large, len(good)); err != nil {
		t.Errorf("the limit is not that of the recording: %v", err)
	}
	if _, err := Import(good, 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large recording: %v", err)
	}
}
