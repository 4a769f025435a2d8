package playground

import (
	"reflect"
	"slices"
	"testing"
)

// sameReading checks that a Reader reads the same as Fold.
func sameReading(t testing.TB, r *Reader, log []Event) {
	t.Helper()
	if got, want := r.Fold(log), Fold(log); !reflect.DeepEqual(got, want) {
		t.Fatalf("a log of %d events read again = %+v, want %+v", len(log), got, want)
	}
}

// twoRounds returns the log of two Rounds: a question and a result.
func twoRounds(t testing.TB) []Event {
	s := newStory(t)
	s.start()
	s.result(`{"resultType":"input_required","requestState":"s","inputRequests":{"k":{` +
		`"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{` +
		`"type":"object","properties":{"n":{"type":"string"}}}}}}}`)
	s.answer(accept("k", `{"n":"x"}`))
	s.result(`{"resultType":"complete","content":[]}`)
	return s.x.Log
}

func TestReader_TailIsReplaced(t *testing.T) {
	log := twoRounds(t)
	for kept := range log {
		other := slices.Clone(log)
		for i := kept; i < len(other); i++ {
			other[i].At = other[i].At.Add(1)
		}
		for end := range len(log) + 1 {
			var r Reader
			sameReading(t, &r, log)
			sameReading(t, &r, other[:end])
			sameReading(t, &r, other)
			sameReading(t, &r, log[:kept])
		}
	}
}

func TestReader_LeavesEarlierTranscriptsAlone(t *testing.T) {
	log := twoRounds(t)
	other := slices.Clone(log)
	other[3].Data = Decision{Action: ActionRefuse}.Event(other[3].At).Data
	var r Reader
	first := r.Fold(log)
	r.Fold(log[:3])
	sameReading(t, &r, other)
	if want := Fold(log); !reflect.DeepEqual(first, want) {
		t.Errorf("the first transcript became %+v, want %+v", first, want)
	}
}

// BenchmarkReader reads the log of two Rounds as the recorder does: as it was,
// with the second request, and with its response.
func BenchmarkReader(b *testing.B) {
	log := twoRounds(b)
	b.Run("Reader", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var r Reader
			for _, n := range []int{3, 5, 6} {
				r.Fold(log[:n])
			}
		}
	})
	b.Run("Fold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, n := range []int{3, 5, 6} {
				Fold(log[:n])
			}
		}
	})
}

// An exchange that is read once parses its log, and those of the exchanges that
// it goes on from, for the first Fold only. A longer log is read again, and an
// event that one caller appends is not seen by another.
func TestReadOnce(t *testing.T) {
	parent := Exchange{Log: twoRounds(t)}
	child := Exchange{Log: parent.Log[:0:0], Origin: &Origin{Round: 1, Parent: &parent}}
	child.ReadOnce()
	parent.ReadOnce()
	first, again := parent.Fold(), parent.Fold()
	if first.Rounds[0].Sent == nil || first.Rounds[0].Sent != again.Rounds[0].Sent {
		t.Error("the log was parsed twice")
	}
	if got := child.Fold(); got.Rounds[0].Sent != first.Rounds[0].Sent {
		t.Error("the parent was parsed again for its branch")
	}
	_ = append(first.Rounds, Round{N: 99})
	if grown := append(again.Rounds, Round{N: 1}); grown[len(grown)-1].N != 1 {
		t.Error("callers share what they append")
	}
	cut := parent
	cut.Log = parent.Log[:len(parent.Log)-1]
	if got := cut.Fold().Status; got != Fold(cut.Log).Status {
		t.Error(got)
	}
	if got := parent.Fold().Status; got != StatusComplete {
		t.Error(got)
	}
}
