package lesson

import (
	"fmt"
	"path"
	"strings"
)

// Listing is a small program that readers can copy.
type Listing struct {
	File    string // below listings/
	Name    string // of the language
	About   string // the library and its version
	HTML    string
	Source  string
	Checked string // how it is tested
}

// Language returns the language in lower-case letters, as the pages name its
// tab: "go", "typescript", "python" or "csharp".
func (l Listing) Language() string { return strings.ReplaceAll(strings.ToLower(l.Name), "#", "sharp") }

// readListings parses "file | language | library and version | how it is
// checked".
func readListings(values []string) ([]Listing, error) {
	var list []Listing
	for _, value := range values {
		parts := strings.Split(value, "|")
		if len(parts) != 4 {
			return nil, fmt.Errorf("listing %q: want four parts", value)
		}
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		l := Listing{File: parts[0], Name: parts[1], About: parts[2], Checked: parts[3]}
		data, err := files.ReadFile(path.Join("listings", l.File))
		if err != nil {
			return nil, fmt.Errorf("listing: %w", err)
		}
		l.Source = string(data)
		if l.HTML, err = highlight(path.Ext(l.File)[1:], "", l.Source); err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}
