package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// marked returns an exchange in which every text and byte has a marker.
func marked(id, session, marker string, size int) playground.Exchange {
	fill := strings.Repeat("x", size)
	return playground.Exchange{
		ID: id, Session: session, Created: time.Unix(1, 0),
		Target: playground.Target{
			ID: "t" + id, Name: marker + "name", URL: "https://h/" + marker + "url",
			Header:       []wire.Field{{Name: "X-A", Value: marker + "header"}},
			Capabilities: []byte(`{"` + marker + `capabilities":{}}`),
		},
		Call: playground.Call{
			Method: playground.ToolsCall, Params: []byte(`{"name":"` + marker + `params` + fill + `"}`),
			Tool: []byte(`{"name":"` + marker + `tool"}`),
		},
		Sealed: []byte(marker + "sealed"),
	}
}

func markedLog(marker string, size int) []playground.Event {
	body := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + marker + `body` +
		strings.Repeat("y", size) + `"}]}}`
	return []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Unix(1, 0)),
		{At: time.Unix(1, 0), Conn: 1, Kind: playground.Sent, Data: []byte("POST / " + marker + "sent")},
		{
			At: time.Unix(2, 0), Conn: 1, Kind: playground.Received, Sealed: []byte(marker + "event"),
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body),
		},
	}
}

// filled stores some of everything in a workspace, each row with the marker.
// The rows of several workspaces lie beside each other on the pages of the file.
func filled(t *testing.T, s *Store, workspace, marker string, n int) {
	t.Helper()
	filledWith(t, s, workspace, marker, n, rand.IntN(9000))
}

// filledWith is filled with texts of about size bytes.
func filledWith(t *testing.T, s *Store, workspace, marker string, n, size int) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	id := func(kind string) string { return fmt.Sprint(kind, n, workspace) }
	x := marked(id("x"), id("s"), marker, size)
	must(s.AddExchange(ctx, workspace, marker+"title", x))
	must(s.Append(ctx, x.ID, playground.Summary{Status: "complete", Rounds: 1, Changed: time.Unix(2, 0)},
		markedLog(marker, size)...))
	note := marker + "note" + strings.Repeat("n", size/9)
	must(s.EditSession(ctx, workspace, x.Session, marker+"edited", note, true))
	branch := marked(id("b"), x.Session, marker, 9)
	x.Log = markedLog(marker, 1)
	branch.Origin = &playground.Origin{Exchange: x.ID, Round: 1, Parent: &x}
	must(s.AddBranch(ctx, workspace, branch))
	must(s.AddShare(ctx, workspace, share.Share{
		Token: marker + id("token"), Session: x.Session, Title: marker + "shared", Created: time.Unix(1, 0),
		Expires: time.Now().Add(time.Hour), Data: []byte(marker + "data" + strings.Repeat("d", size)),
		Image: []byte(marker + "image" + strings.Repeat("i", size)),
	}))
	target := x.Target
	target.ID, target.Sealed = id("t"), []byte(marker+"target")
	must(s.AddTarget(ctx, workspace, target, time.Unix(1, 0)))
	must(s.Append(ctx, target.ID, playground.Summary{Status: "connected", Name: marker + "server"},
		markedLog(marker, size)...))
	_, err := s.AddSavedCall(ctx, workspace, session.SavedCall{
		ID: id("v"), Title: marker + "call", Target: target.ID, Kind: "tool", Name: marker + "tool",
		Arguments: []byte(`{"a":"` + marker + strings.Repeat("v", size) + `"}`), Omitted: []string{marker},
		Created: time.Unix(1, 0),
	}, 99)
	must(err)
	signIn := server.SignIn{
		ID: id("g"), Target: target.ID, Stage: "ready", Record: []byte(`"` + marker + `"`),
		Sealed: []byte(marker + strings.Repeat("g", size)), Created: time.Unix(1, 0),
	}
	must(s.AddSignIn(ctx, workspace, signIn))
	signIn.Stage, signIn.Sealed, signIn.Record = "done", nil, []byte(`"`+marker+`done"`)
	must(s.SetSignIn(ctx, workspace, signIn, "ready"))
	must(s.SetToken(ctx, workspace, server.SealedToken{
		Target: target.ID, URL: marker + "url", SignIn: signIn.ID, Sealed: []byte(marker + "token"),
		Added: time.Unix(1, 0),
	}))
	_, err = s.AddAgentToken(ctx, workspace, session.AgentToken{
		ID: id("at"), Title: marker + "agent", Created: time.Unix(1, 0),
	}, id("at"), 99)
	must(err)
	must(s.SetRegistration(ctx, workspace, marker+"issuer", []byte(marker+"client"), time.Unix(1, 0)))
	check := marked(id("c"), id("sc"), marker, 7)
	must(s.AddCheck(ctx, workspace, marker+"check", check))
	must(s.Begin(ctx, marked(id("c2"), id("sc"), marker, size)))
	stage := marked(id("d"), id("sd"), marker, 7)
	played := demo.Stage{
		Session: id("sd"), Story: id("y"), Own: stage.ID, Text: marker + "copy",
		Marks: []demo.Mark{{Instances: marker + "mark"}},
	}
	_, err = s.AddStory(ctx, workspace, demo.Saved{
		ID: id("y"), Title: marker, Text: marker + "story", Created: time.Unix(1, 0),
	}, size)
	must(err)
	must(s.AddStage(ctx, workspace, played, session.Session{
		Title: marker + "stage", Created: time.Unix(1, 0), Changed: time.Unix(1, 0),
		Exchanges: []playground.Exchange{stage},
	}))
	must(s.AddLegacy(ctx, marked(id("l"), id("sd"), marker, 7)))
	must(s.AddMark(ctx, id("sd"), 2, demo.Mark{Instances: marker + "mark2"}, time.Unix(3, 0)))
	must(s.SetRoots(ctx, workspace,
		[]question.Root{{URI: "file:///" + marker + strings.Repeat("r", size)}}, time.Unix(1, 0)))
	imported := session.Session{
		ID: id("si"), Title: marker + "imported", Note: marker,
		Created: time.Unix(1, 0), Changed: time.Unix(1, 0),
	}
	in := marked(id("i"), imported.ID, marker, 11)
	in.Log = markedLog(marker, size)
	imported.Exchanges = []playground.Exchange{in}
	must(s.AddSession(ctx, workspace, imported))
}

// remains returns the files of a directory that have the marker in them.
func remains(t *testing.T, dir, marker string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(marker)) ||
			bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(marker))) {
			found = append(found, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDelete_LeavesNoBytes: after a deletion and a clean stop no byte of the
// recording is in any file (fault 97), in whichever way it was deleted and
// whatever lay beside it. With the sizes of some seeds SQLite leaves copies of
// rows in the unused parts of pages.
func TestDelete_LeavesNoBytes(t *testing.T) {
	const marker, other = "Markierung7Xq", "Bleibt8Zw"
	for name, remove := range map[string]func(*Store) error{
		"each session, share and server": func(s *Store) error {
			ctx := context.Background()
			for n := range 12 {
				for _, kind := range []string{"s", "sc", "sd", "si"} {
					if err := s.DeleteSession(ctx, "gone", fmt.Sprint(kind, n, "gone")); err != nil {
						return err
					}
				}
				err := errors.Join(s.ForgetTarget(ctx, "gone", fmt.Sprint("t", n, "gone")),
					s.DeleteStory(ctx, "gone", fmt.Sprint("y", n, "gone")),
					s.DeleteAgentToken(ctx, "gone", fmt.Sprint("at", n, "gone")))
				if err != nil {
					return err
				}
			}
			if err := s.DeleteRegistration(ctx, "gone", marker+"issuer"); err != nil {
				return err
			}
			// a default of the workspace, not a recording
			return s.SetRoots(ctx, "gone", nil, time.Unix(1, 0))
		},
		"workspace": func(s *Store) error { return s.PurgeWorkspace(context.Background(), "gone") },
	} {
		for _, seed := range []uint64{1, 2, 16} {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				s, path := newStore(t)
				sizes := rand.New(rand.NewPCG(seed, 0))
				for n := range 12 {
					filledWith(t, s, "gone", marker, n, sizes.IntN(9000))
					filledWith(t, s, "stays", other, n, sizes.IntN(9000))
				}
				if len(remains(t, filepath.Dir(path), marker)) == 0 {
					t.Fatal("the marker is nowhere to begin with")
				}
				if err := remove(s); err != nil {
					t.Fatal(err)
				}
				_ = s.Close() // an error if it is closed already
				if found := remains(t, filepath.Dir(path), marker); len(found) > 0 {
					t.Errorf("still in %v", found)
				}
				if len(remains(t, filepath.Dir(path), other)) == 0 {
					t.Error("what was not deleted is gone")
				}
			})
		}
	}
}

// waitForSize waits until a file is smaller than a size.
func waitForSize(t *testing.T, path string, most int64) {
	t.Helper()
	until(func() bool {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() < most
	})
}

// TestDelete_GivesSpaceBack while the program runs.
func TestDelete_GivesSpaceBack(t *testing.T) {
	s, path := newStore(t)
	for i := range 40 {
		if err := addOne(t.Context(), s, fmt.Sprint("large", i)); err != nil {
			t.Fatal(err)
		}
	}
	full, err := s.Storage(t.Context(), "w", "", usage.Payer{})
	if err != nil || full.Total < 4_000_000 || full.Workspace < 4_000_000 {
		t.Fatalf("%+v, %v", full, err)
	}
	if err := s.PurgeWorkspace(t.Context(), "w"); err != nil {
		t.Fatal(err)
	}
	after, err := s.Storage(t.Context(), "w", "", usage.Payer{})
	if err != nil || after.Total > 1_000_000 || after.Workspace != 0 {
		t.Errorf("counted at once: %+v, %v", after, err)
	}
	waitForSize(t, path, 1_000_000)
	found, err := engine.Texts(t.Context(), s.read, `PRAGMA quick_check(1)`)
	if err != nil || len(found) != 1 || found[0] != "ok" {
		t.Errorf("%v, %v", found, err)
	}
}

// TestOpen_FilesArePrivate: those of a new database, and those that an earlier
// version left readable for others.
func TestOpen_FilesArePrivate(t *testing.T) {
	check := func(dir string, least int) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) < least {
			t.Fatalf("%d files, %v", len(entries), err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %o", e.Name(), info.Mode().Perm())
			}
		}
	}
	path := filepath.Join(t.TempDir(), "playground.db")
	s := openFile(t, path)
	if err := addOne(t.Context(), s, "x"); err != nil {
		t.Fatal(err)
	}
	check(filepath.Dir(path), 4)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-lock", "-wal"} {
		f, err := os.OpenFile(path+suffix, os.O_CREATE|os.O_RDONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		if err := os.Chmod(path+suffix, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again := openFile(t, path)
	if err := addOne(t.Context(), again, "y"); err != nil {
		t.Fatal(err)
	}
	check(filepath.Dir(path), 4)
}

// TestStorage_IsTheSameAfterARestart: what a workspace and an address have
// stored, and the salt of the day.
func TestStorage_IsTheSameAfterARestart(t *testing.T) {
	s, path := newStore(t)
	salt, err := s.Salt(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	p := usage.Payer{Day: 7, Hash: usage.Hash(salt, "192.0.2.1/32")}
	if err := addOne(usage.WithPayer(t.Context(), p), s, "x"); err != nil {
		t.Fatal(err)
	}
	before, err := s.Storage(t.Context(), "w", "", p)
	if err != nil || before.Address < 100_000 || before.Workspace < 100_000 {
		t.Fatalf("%+v, %v", before, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if found := remains(t, filepath.Dir(path), "192.0.2.1"); len(found) > 0 {
		t.Errorf("the address is in %v", found)
	}
	again := openFile(t, path)
	after, err := again.Storage(t.Context(), "w", "", p)
	if diff := cmp.Diff(before, after); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if same, err := again.Salt(t.Context(), 7); err != nil || !bytes.Equal(same, salt) {
		t.Errorf("another salt, %v", err)
	}
}
