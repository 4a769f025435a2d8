package picture

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
)

func drawCard(t *testing.T, c Card) (image.Image, []byte) {
	t.Helper()
	data, err := c.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img, data
}

func TestCard_HasTheSizeOfAPreviewWhateverItsTitle(t *testing.T) {
	for _, title := range []string{"update_work_item", "", "見出し \u202e<script>",
		strings.Repeat("very long words ", 40)} {
		img, data := drawCard(t, Card{Title: title, Line: "3 rounds to Azure DevOps (sample), complete",
			Foot: "a recording", Pictures: []Picture{Landing()}})
		if b := img.Bounds(); b.Dx() != CardWidth || b.Dy() != CardHeight {
			t.Errorf("%q: %v", title, b)
		}
		if len(data) > 200<<10 {
			t.Errorf("%q: %d bytes", title, len(data))
		}
	}
}

func TestCard_LooksAsBefore(t *testing.T) {
	for name, p := range map[string]Picture{"card.png": Landing(),
		"card-reset.png": stories()["reset"].draw(Options{})} {
		img, data := drawCard(t,
			Card{Title: "update_work_item", Line: "3 rounds to Azure DevOps (sample), complete",
				Foot: "a recording", Pictures: []Picture{p}})
		path := "testdata/" + name
		if *update {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, err := png.Decode(bytes.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		if n := differentPixels(before, img); n > 100 {
			t.Errorf("%s: %d pixels changed (run with -update if they should)", name, n)
		}
	}
}

// differentPixels counts the pixels that differ visibly: processors round the
// last bit of an edge differently.
func differentPixels(a, b image.Image) int {
	count := 0
	for y := range CardHeight {
		for x := range CardWidth {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if max(r1, r2)-min(r1, r2)+max(g1, g2)-min(g1, g2)+max(b1, b2)-min(b1, b2) > 0x3000 {
				count++
			}
		}
	}
	return count
}

// The words of a card are whole if there is a size at which they are.
func TestCard_WordsAreWhole(t *testing.T) {
	const claim, words = "Kill the server that asked. The call still completes.",
		"Three requests, two instances, nothing remembered in between."
	for _, c := range []Card{
		{Title: claim, Line: words}, {Title: words, Line: "Bug #4522 resolved as Duplicate of Bug #4301."},
		{Title: "Short", Line: words},
	} {
		size, title, below := c.words(CardHeight - cardEdge - 26)
		got := strings.Join(title, " ") + "|" + strings.Join(below, " ")
		if got != c.Title+"|"+c.Line || c.Title == "Short" && size < 46 {
			t.Errorf("size %v: %q", size, got)
		}
	}
	long := strings.Repeat("word ", 200)
	_, title, below := Card{Title: long, Line: long}.words(500)
	if len(title) > 4 || len(below) > 4 || !strings.HasSuffix(title[len(title)-1], "…") {
		t.Errorf("%q, %q", title, below)
	}
}
