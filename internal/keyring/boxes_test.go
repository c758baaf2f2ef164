package keyring

import (
	"encoding/hex"
	"fmt"
	"sync"
	"testing"
)

// Databases hold what was sealed years ago: what either version has sealed opens for good.
func TestFormatsOfBefore(t *testing.T) {
	t.Parallel()
	r := ring(t, "p", 1)
	for version, sealed := range map[byte]string{
		sealOwn:    "01afb28d1b08e0a3d110737437aed0d3355ef9f4249868ebdb564a43a541e94935b9902346",
		sealShared: "02afb28d1bbd56dd0b3d38124248142201d0ed3e69d0c561c949489b050334ae4e0c94798b",
	} {
		text, err := hex.DecodeString(sealed)
		if err != nil || text[0] != version {
			t.Fatalf("version %d: %x, %v", version, text, err)
		}
		if plain, err := r.Open(nameA, text); err != nil || string(plain) != "text" {
			t.Errorf("version %d: %q, %v", version, plain, err)
		}
		if _, err := r.Open(nameB, text); err == nil {
			t.Errorf("version %d opens under another name", version)
		}
		text[0] = sealOwn + sealShared - version
		if _, err := r.Open(nameA, text); err == nil {
			t.Errorf("version %d opens as the other one", version)
		}
	}
}

// Boxes that are made while others make the same are one box, each in its place: whatever one ring has sealed, one that has made none opens.
func TestBoxesAreTheSame(t *testing.T) {
	t.Parallel()
	r := ring(t, "p", 1)
	var sealed [4][2 * boxCount][]byte
	var work sync.WaitGroup
	for worker := range sealed {
		work.Go(func() {
			for i := range sealed[worker] {
				var err error
				if sealed[worker][i], err = r.Seal(fmt.Sprint(i), []byte("text")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	for _, texts := range sealed {
		for i, text := range texts {
			if plain, err := ring(t, "p", 1).Open(fmt.Sprint(i), text); err != nil || string(plain) != "text" {
				t.Fatalf("%d: %q, %v", i, plain, err)
			}
		}
	}
}

// Of random names, as UUIDs are, every box gets about as many: 16 of 4,096, and 64 is out of the question.
func TestNamesAreSpread(t *testing.T) {
	t.Parallel()
	key := NewMAC(secretOf(3)) // texts that look random and are the same each time
	var in [boxCount]int
	for i := range 16 * boxCount {
		d := key.Digest(fmt.Sprint(i))
		in[placeOf(fmt.Sprintf("%x-%x-%x-%x-%x", d[:4], d[4:6], d[6:8], d[8:10], d[10:16]))]++
	}
	for place, n := range in {
		if n == 0 || n > 64 {
			t.Errorf("box %d has %d names", place, n)
		}
	}
}
