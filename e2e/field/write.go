package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
)

// to is where the files are written.
const to = "playground/field"

// write writes the facts of the measured subjects, and the archive. Other subjects keep theirs,
// but those that are not in the table of sources any more.
func write(measured []field.Subject, recordings map[string][]byte, known []source) error {
	list := slices.Clone(measured)
	for _, s := range field.Subjects() {
		if slices.ContainsFunc(measured, func(m field.Subject) bool { return m.Slug == s.Slug }) ||
			!slices.ContainsFunc(known, func(k source) bool { return k.Slug == s.Slug }) {
			continue
		}
		list = append(list, s)
		if h, ok := field.Share(s.Token()); ok {
			recordings[s.Slug] = h.Data
		}
	}
	slices.SortFunc(list, func(a, b field.Subject) int {
		kind := func(s field.Subject) int { return slices.Index(field.Kinds(), s.Kind) }
		return cmp.Or(kind(a)-kind(b), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Slug, b.Slug))
	})
	for i := range list {
		data, ok := recordings[list[i].Slug]
		if !ok {
			continue
		}
		trimmed, err := trim(&list[i], data)
		if err != nil {
			return fmt.Errorf("trim %s: %w", list[i].Slug, err)
		}
		recordings[list[i].Slug] = trimmed
	}
	old, err := filepath.Glob(to + "/facts/*.json")
	if err != nil {
		return err
	}
	for _, name := range old {
		err = errors.Join(err, os.Remove(name))
	}
	for _, s := range list {
		data, failed := factsFile(s)
		err = errors.Join(err, failed, os.WriteFile(to+"/facts/"+s.Slug+".json", data, 0o644))
	}
	archive, failed := field.Pack(list, recordings)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return os.WriteFile(to+"/field.zst", archive, 0o644)
}

// factsFile returns the facts of a subject for people and their diffs: a fact a line.
func factsFile(s field.Subject) ([]byte, error) {
	facts := s.Facts
	s.Facts = nil
	head, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(head, []byte("null\n}")))
	b.WriteString("[")
	for i, f := range facts {
		if i > 0 {
			b.WriteString(",")
		}
		line, err := json.Marshal(f)
		if err != nil {
			return nil, err
		}
		b.WriteString("\n    ")
		b.Write(line)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}
