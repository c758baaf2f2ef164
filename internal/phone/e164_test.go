package phone

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/nyaruka/phonenumbers/v2"
)

// sameAsLibrary fails unless text, which is "+" and digits, is read as the library reads it, if it is read here at all.
func sameAsLibrary(t *testing.T, text string) (readHere bool) {
	t.Helper()
	l, ok := readE164(text)
	if !ok {
		return false
	}
	want, err := readAny(text, "")
	if got := (Number{l.veiled()}); err != nil || got != want {
		t.Errorf("%s: read as %+v, by the library as %s of %s, %s, %v", text, l, want.E164(), want.Country(), want.Type(), err)
	}
	return true
}

func TestExamplesAreReadAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	examples, here := 0, 0
	try := func(n *phonenumbers.PhoneNumber) {
		if n == nil {
			return
		}
		examples++
		if sameAsLibrary(t, phonenumbers.Format(n, phonenumbers.E164)) {
			here++
		}
		dialWithin(t, n)
	}
	for region := range phonenumbers.GetSupportedRegions() {
		for typ := phonenumbers.FIXED_LINE; typ <= phonenumbers.VOICEMAIL; typ++ {
			try(phonenumbers.GetExampleNumberForTypeInRegion(region, typ))
		}
	}
	for calling := range phonenumbers.GetSupportedGlobalNetworkCallingCodes() {
		try(phonenumbers.GetExampleNumberForNonGeoEntity(calling))
	}
	if examples < 1000 || here < examples*8/10 {
		t.Errorf("%d of %d examples were read without the library", here, examples)
	}
}

// dialWithin reads n with a digit before its national form, as people there dial it, whole and cut short.
func dialWithin(t *testing.T, n *phonenumbers.PhoneNumber) {
	t.Helper()
	calling, national := strconv.Itoa(int(n.GetCountryCode())), phonenumbers.GetNationalSignificantNumber(n)
	for prefix := range 10 {
		text := "+" + calling + strconv.Itoa(prefix) + national
		sameAsLibrary(t, text)
		sameAsLibrary(t, text[:len(text)-1])
		sameAsLibrary(t, text[:len(text)-2])
	}
}

// Random digits of every length behind every calling code, and behind digits that begin none.
func TestRandomNumbersAreReadAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	const each = 2
	random := rand.New(rand.NewPCG(1, 2))
	here := 0
	for calling := range 1000 {
		for length := range 16 {
			for range each {
				text := "+" + strconv.Itoa(calling)
				for range length {
					text += fmt.Sprint(random.IntN(10))
				}
				if sameAsLibrary(t, text) {
					here++
				}
			}
		}
	}
	if here < 1000 {
		t.Errorf("only %d were read without the library", here)
	}
}

func FuzzE164(f *testing.F) {
	for _, seed := range []uint64{8613800138000, 12025550123, 390612345678, 39312345678, 5491123456789, 881612345678, 80012345678, 447911123456, 79161234567} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, digits uint64) { sameAsLibrary(t, "+"+strconv.FormatUint(digits, 10)) })
}

func BenchmarkParseNational(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("138 0013 8000", "CN"); err != nil {
			b.Fatal(err)
		}
	}
}
