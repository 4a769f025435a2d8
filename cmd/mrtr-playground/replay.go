package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/mrtr-playground/mrtr-playground/playground/expect"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// replay makes the calls of a recording again, with the recorded answers, and
// prints the differences.
func replay(ctx context.Context, o callOptions, stdout, stderr io.Writer) error {
	data, err := os.ReadFile(o.replay)
	if err != nil {
		return fmt.Errorf("read recording: %w", err)
	}
	session, err := export.Import(data, o.limits.pages.Session)
	if err != nil {
		return fmt.Errorf("read recording: %w", err)
	}
	report := replayReport{Same: true, Differences: []difference{}}
	for i, x := range session.Exchanges {
		want := expect.Whole(x)
		r, err := newRepetition(o, want, x.Target.Header, stderr)
		if err != nil {
			return err
		}
		f, err := r.run(ctx)
		r.close()
		if err != nil {
			return err
		}
		differences := want.Judge(f).Differences
		for _, d := range differences {
			report.Differences = append(report.Differences, difference{i + 1, d})
		}
		if !o.json {
			printReplay(stdout, r, i+1, len(x.Fold().Rounds), len(share.Masks(x)) > 0, differences)
		}
	}
	report.Same = len(report.Differences) == 0
	if o.json {
		if err := verdict.WriteJSON(stdout, report); err != nil {
			return err
		}
	}
	if !report.Same {
		return errQuiet
	}
	return nil
}

// replayReport is the output of -json. Its fields are stable.
type replayReport struct {
	Same        bool         `json:"same"`
	Differences []difference `json:"differences"`
}

// difference is one difference from the recording.
type difference struct {
	Exchange int `json:"exchange"`
	expect.Difference
}

// printReplay prints the differences of exchange n, of which so many rounds are recorded.
func printReplay(w io.Writer, r *repetition, n, rounds int, masked bool, differences []expect.Difference) {
	fmt.Fprintf(
		w, "exchange %d  %s at %s\n", n, text.Visible(r.x.Call.Method, 80),
		text.Visible(r.x.Target.URL, 300),
	)
	if masked {
		fmt.Fprintln(w, "  the recording has masked values; add secret headers with -header")
	}
	if len(differences) == 0 {
		fmt.Fprintf(w, "  same, %d rounds\n", rounds)
	}
	for _, d := range differences {
		fmt.Fprintf(
			w, "  round %d  %s\n    was %s\n    is  %s\n", d.Round, text.Visible(d.Path, 200),
			text.Visible(d.Was, 300), text.Visible(d.Is, 300),
		)
	}
}
