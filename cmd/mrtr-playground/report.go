package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// reportFiles are the files of -report: each has the report in the format of its ending.
type reportFiles []string

// reportFormats are the formats by the ending of a file.
var reportFormats = map[string]string{".json": "json", ".md": "md", ".txt": "text", ".xml": "junit"}

// setFormat sets a format that the user named.
func setFormat(into *string, s string) error {
	switch s {
	case "text", "json", "junit", "md":
		*into = s
		return nil
	}
	return errors.New("a format is text, json, junit or md")
}

// add adds a file.
func (l *reportFiles) add(file string) error {
	if reportFormats[filepath.Ext(file)] == "" {
		return errors.New("a report is written to a file whose name ends in .json, .md, .txt or .xml")
	}
	*l = append(*l, file)
	return nil
}

// check returns an error if a file cannot be written.
func (l reportFiles) check() error {
	for _, file := range l {
		if err := checkReportFile(file); err != nil {
			return err
		}
	}
	return nil
}

// write writes each file. Its earlier content stays until then.
func (l reportFiles) write(report func(w io.Writer, format string) error) error {
	for _, file := range l {
		var b bytes.Buffer
		err := report(&b, reportFormats[filepath.Ext(file)])
		if err == nil {
			err = writePrivate(file, b.Bytes())
		}
		if err != nil {
			return fmt.Errorf("write report: %w", err)
		}
	}
	return nil
}

// checkReportFile returns an error if a report cannot be written to a file.
func checkReportFile(file string) error {
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return &usageError{fmt.Sprintf("-report: %s is not a regular file", file)}
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".report-*")
	if err != nil {
		return &usageError{"-report: " + err.Error()}
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeVerdict writes a report as text, or in another format but JSON.
func writeVerdict(w io.Writer, r verdict.Report, format string) error {
	switch format {
	case "junit":
		return r.WriteJUnit(w)
	case "md":
		_, err := w.Write(r.Markdown())
		return err
	}
	return r.WriteText(w)
}

// exitError returns the error that ends the program with the exit code of a report which
// was printed.
func exitError(r verdict.Report) error {
	switch r.ExitCode() {
	case exitWrong:
		return errQuiet
	case exitControl:
		return errControl
	}
	return nil
}

// readBaseline reads the report of -baseline.
func readBaseline(path string) (verdict.Baseline, error) {
	data, err := readUpTo(path, maxBaseline)
	if err != nil {
		return verdict.Baseline{}, &usageError{"-baseline: " + err.Error()}
	}
	b, err := verdict.ReadBaseline(filepath.Base(path), data)
	if err != nil {
		return b, &usageError{fmt.Sprintf("-baseline: %s: %v", path, err)}
	}
	return b, nil
}

// maxBaseline is the largest report that is read, in bytes.
const maxBaseline = 256 << 20

// against returns a report with its comparison with a baseline, which may be nil.
func against(r verdict.Report, b *verdict.Baseline) (verdict.Report, error) {
	if b == nil {
		return r, nil
	}
	compared, err := r.Against(*b)
	if err != nil {
		return r, &usageError{"-baseline: " + err.Error()}
	}
	return compared, nil
}
