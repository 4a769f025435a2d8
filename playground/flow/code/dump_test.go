package code

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	for _, e := range flow.Examples() {
		f, problems := flow.Parse([]byte(e.Source))
		if f == nil {
			t.Fatal(problems)
		}
		for _, l := range Languages() {
			files, err := Files(f, l.Slug)
			if err != nil {
				t.Errorf("%s %s: %v", e.Slug, l.Slug, err)
			}
			for _, file := range files {
				path := filepath.Join(dir, l.Slug, e.Slug, file.Path)
				os.MkdirAll(filepath.Dir(path), 0o755)
				os.WriteFile(path, []byte(file.Content), 0o644)
			}
		}
	}
}
