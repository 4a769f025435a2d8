package web

import "testing"

func TestCache_KeepsTheNewest(t *testing.T) {
	t.Parallel()
	var c Cache
	made := 0
	get := func(n int) {
		_, err := c.File(Digest{byte(n), byte(n >> 8)}, func() ([]byte, error) {
			made++
			return make([]byte, cacheEntry), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := range cacheSize/cacheEntry + 1 {
		get(n)
		get(n)
	}
	if want := cacheSize/cacheEntry + 1; made != want || c.size > cacheSize || len(c.files) != len(c.order) {
		t.Errorf("%d made, want %d; %d bytes, %d files in %d places", made, want, c.size, len(c.files),
			len(c.order))
	}
	if get(0); made != cacheSize/cacheEntry+2 {
		t.Error("the oldest file was kept")
	}
	big := func() ([]byte, error) { made++; return make([]byte, cacheEntry+1), nil }
	before := made
	for range 2 {
		if _, err := c.File(Digest{31: 1}, big); err != nil {
			t.Fatal(err)
		}
	}
	if made != before+2 {
		t.Error("a file larger than the limit was kept")
	}
}
