package balance

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

// failing records failures instead of failing.
type failing struct {
	testing.TB
	said []string
}

func (f *failing) Helper() {}

func (f *failing) Errorf(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

// TestBegin_NoticesWhatIsLeft: memory and open files, and nothing where nothing
// is left.
func TestBegin_NoticesWhatIsLeft(t *testing.T) {
	f := &failing{TB: t}
	end := Begin(f, Growth)
	end()
	if len(f.said) > 0 {
		t.Errorf("nothing is left, and it says %q", f.said)
	}
	end = Begin(f, Growth)
	kept := make([]byte, 2*Growth)
	end()
	runtime.KeepAlive(&kept)
	if len(f.said) != 1 {
		t.Errorf("%d MiB are left, and it says %q", len(kept)>>20, f.said)
	}
	if now().files == 0 {
		return // the system does not tell
	}
	before := now()
	file, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if after := now(); after.files != before.files+1 {
		t.Errorf("%d files after one was opened, %d before", after.files, before.files)
	}
}
