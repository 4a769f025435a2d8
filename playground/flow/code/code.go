// Package code writes a flow as source: a whole small server in Go, TypeScript or
// Python that asks the same questions and ends with the same results, for a
// developer to go on from.
//
// What belongs to the flow is written by this package: texts, conditions, schemas.
// What every tool that asks needs stands in the files of folder parts, of which
// the output has only what the flow uses. User text is in strings and in the
// README only, never in a comment.
//
// The output must do what the flow does: tests run it, in each language whose
// toolchain is there, and compare it with package sampletools/flow. The same
// flow gives the same bytes. The package is pure.
package code

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// Language is a language that a flow can be written in.
type Language struct {
	Slug string // go, typescript, python
	Name string
}

// File is a file of the source.
type File struct {
	Path    string // slash-separated, relative
	Content string
}

// Languages returns the languages in the order in which they are offered.
func Languages() []Language {
	return []Language{{"go", "Go"}, {"typescript", "TypeScript"}, {"python", "Python"}}
}

// writers has the writer of each language by its slug.
var writers = map[string]func(*plan) ([]File, error){
	"go": goFiles, "typescript": typeScriptFiles, "python": pythonFiles,
}

// Files returns the source of a server for the flow in a language, the most
// important file first. It returns an error if the language is not known.
func Files(f *flow.Flow, language string) ([]File, error) {
	write, ok := writers[language]
	if !ok {
		return nil, fmt.Errorf("write flow as code: no language %q", language)
	}
	files, err := write(newPlan(f))
	if err != nil {
		return nil, fmt.Errorf("write flow %s in %s: %w", f.Name, language, err)
	}
	return files, nil
}

// zipTime is the time of every file in an archive, so that the same flow gives the
// same bytes.
var zipTime = time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)

// Zip returns an archive of the files in a folder, such as Folder of their flow. The
// name of a flow is none: it can be two dots.
func Zip(folder string, files []File) ([]byte, error) {
	if !fs.ValidPath(folder + "/x") {
		return nil, fmt.Errorf("zip %s: no name of a folder", folder)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	byPath := func(a, b File) int { return cmp.Compare(a.Path, b.Path) }
	for _, f := range slices.SortedFunc(slices.Values(files), byPath) {
		part, err := w.CreateHeader(&zip.FileHeader{
			Name: folder + "/" + f.Path, Method: zip.Deflate, Modified: zipTime,
		})
		if err == nil {
			_, err = part.Write([]byte(f.Content))
		}
		if err != nil {
			return nil, fmt.Errorf("zip %s: %w", f.Path, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("zip %s: %w", folder, err)
	}
	return b.Bytes(), nil
}

// Folder returns the name of the folder of a flow's source. It is also the name of
// the package.
func Folder(f *flow.Flow) string { return slugOf(f.Name) + "-server" }
