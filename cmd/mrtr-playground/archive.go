package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// databaseName is the database in the data directory and in a backup.
const databaseName = "playground.db"

// keyNames are the files of keys, in the data directory and in a backup.
func keyNames() []string { return []string{seal.FileName, cookieKeysName} }

const (
	maxKeys     = 1 << 20  // bytes in a file of keys, or in the manifest
	maxDatabase = 64 << 30 // bytes in a database, unless -max-size says otherwise
	maxTrailer  = 1 << 20  // bytes after the last file of an archive: tar fills up its last block
)

// errArchive is why a file is not restored.
var errArchive = errors.New("it is not a whole backup of this program")

// pack writes files of a directory to w as a compressed tar archive.
func pack(ctx context.Context, w io.Writer, dir string, names []string) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zip)
	for _, name := range names {
		if err := packFile(ctx, out, filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("pack %s: %w", name, err)
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

func packFile(ctx context.Context, out *tar.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	err = out.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: info.Name(), Mode: 0o600, Size: info.Size(), ModTime: info.ModTime(),
	})
	if err != nil {
		return err
	}
	_, err = io.Copy(out, untilDone{ctx, f})
	return err
}

// unpack writes the files of an archive to the directories that folder returns
// for their names, and returns the names. It takes regular files with the names
// of a backup only, each once and up to its limit, and reads the archive to its
// end, where its checksum is.
func unpack(
	ctx context.Context, r io.Reader, most int64, folder func(name string) (string, error),
) (names []string, err error) {
	zip, err := gzip.NewReader(untilDone{ctx, r})
	if err != nil {
		return nil, unreadable(ctx, err)
	}
	in := tar.NewReader(zip)
	for {
		head, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, unreadable(ctx, err)
		}
		if err := acceptable(head, names, most); err != nil {
			return nil, err
		}
		dir, err := folder(head.Name)
		if err != nil {
			return nil, err
		}
		if err := unpackFile(ctx, in, filepath.Join(dir, head.Name)); err != nil {
			return nil, fmt.Errorf("unpack %s: %w", head.Name, err)
		}
		names = append(names, head.Name)
	}
	if n, err := io.CopyN(io.Discard, zip, maxTrailer); err != io.EOF {
		return nil, unreadable(ctx, errors.Join(err, fmt.Errorf("%d bytes follow the last file", n)))
	}
	if !slices.Contains(names, databaseName) {
		return nil, fmt.Errorf("%w: %s is missing", errArchive, databaseName)
	}
	return names, nil
}

// acceptable returns an error for an entry that a backup does not have. Its
// name is a stranger's.
func acceptable(head *tar.Header, before []string, most int64) error {
	shown := text.Visible(head.Name, 80)
	limit := most
	switch {
	case head.Name != databaseName && head.Name != manifestName && !slices.Contains(keyNames(), head.Name):
		return fmt.Errorf("%w: a backup has no file %q", errArchive, shown)
	case head.Typeflag != tar.TypeReg:
		return fmt.Errorf("%w: %s is not a regular file", errArchive, shown)
	case slices.Contains(before, head.Name):
		return fmt.Errorf("%w: %s is in it twice", errArchive, shown)
	case head.Name != databaseName:
		limit = maxKeys
	}
	if head.Size > limit {
		return fmt.Errorf("%s is too large: %s, the limit is %s", shown, text.Size(int(head.Size)),
			text.Size(int(limit)))
	}
	return nil
}

// unpackFile writes r to a new file.
func unpackFile(ctx context.Context, r io.Reader, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(onlyWriter{f}, r)
	var disk *os.PathError
	if err != nil && !errors.As(err, &disk) {
		err = unreadable(ctx, err)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// onlyWriter hides ReadFrom, with which tar would seek over zeros.
type onlyWriter struct{ io.Writer }

// unreadable says why an archive cannot be read, unless the user has ended it.
func unreadable(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it ends too early", errArchive)
	}
	return fmt.Errorf("%w (%w)", errArchive, err)
}

// untilDone is a reader that fails once ctx has ended.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// syncFolder makes the names in a directory survive power loss. Some systems
// cannot sync a directory, and need not.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// place gives the file at from the name to, which must be free.
func place(from, to string) error {
	err := os.Link(from, to) // unlike a rename, it replaces nothing
	if err == nil || errors.Is(err, os.ErrExist) {
		return errors.Join(err, os.Remove(from))
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, os.ErrExist)
	}
	return os.Rename(from, to) // a file system without hard links
}
