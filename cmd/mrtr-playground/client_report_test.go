package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
)

// TestClient_ReportFile: an earlier report stays until the new one is complete, which only its
// user can read.
func TestClient_ReportFile(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "report.txt")
	if err := os.WriteFile(name, []byte("earlier"), 0o644); err != nil {
		t.Fatal(err)
	}
	var files reportFiles
	if err := errors.Join(files.add(name), files.check()); err != nil {
		t.Fatal(err)
	}
	err := files.write(func(w io.Writer, _ string) error {
		_, _ = io.WriteString(w, "half")
		return errors.ErrUnsupported
	})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != "earlier" {
		t.Errorf("%q, %v", data, err)
	}
	if err := (clientOptions{reports: files}).print(io.Discard, capture.Board{},
		capture.Board{}.Verdict()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	info, _ := os.Stat(name)
	if err != nil || len(data) == 0 || string(data) == "earlier" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", data, err, info.Mode())
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("%v is left", left)
	}
}

// TestClient_ReportLink: a link is neither followed nor replaced, as one to a device may be.
func TestClient_ReportLink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	if err := errors.Join(os.WriteFile(target, nil, 0o600), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{link, folder, filepath.Join(folder, "missing", "report.md")} {
		var usage *usageError
		if err := (reportFiles{name}).check(); !errors.As(err, &usage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClientStdio_NoReader: that nothing reads the report is no fault of the client.
func TestClientStdio_NoReader(t *testing.T) {
	t.Parallel()
	unread, blocked := io.Pipe()
	defer unread.Close()
	if n, err := (hasty{w: blocked}).Write([]byte("report")); n != 6 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	cmd := underTest(t, "answers")
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(lineList), &out, w
	if err := cmd.Run(); err != nil || out.Len() == 0 {
		t.Errorf("%v, %s", err, out.Bytes())
	}
}
