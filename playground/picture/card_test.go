package picture

import (
	"bytes"
	"image/png"
	"os"
	"testing"
)

func TestCardIsAPreviewOfTheRightSize(t *testing.T) {
	for _, title := range []string{"update_work_item", "", "見出し \u202e<script>", string(bytes.Repeat([]byte("very long words "), 40))} {
		data, err := Card{Title: title, Line: "3 rounds to Azure DevOps (sample), complete", Foot: "a recording", Picture: Landing()}.PNG()
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if b := img.Bounds(); b.Dx() != CardWidth || b.Dy() != CardHeight {
			t.Errorf("%q: %v", title, b)
		}
		if len(data) > 200<<10 {
			t.Errorf("%q: %d bytes", title, len(data))
		}
		if dir := os.Getenv("CARD_DIR"); dir != "" && title == "update_work_item" {
			_ = os.WriteFile(dir+"/card.png", data, 0o644)
		}
	}
}

func TestCardDrawsEveryShapeOfTheSVG(t *testing.T) {
	for _, d := range []string{"M1 2H5", "M1 2V9M3 4V5", "M9 9l-9 -4v8z", "M5 5l6 6l-6 6l-6 -6z", "M1 1l8 8m0 -8l-8 8"} {
		for _, part := range outline(d) {
			if len(part) < 2 {
				t.Errorf("%s: a part has %d points", d, len(part))
			}
		}
	}
}
