package phone

import (
	"testing"

	"github.com/nyaruka/phonenumbers/v2/metadata"
)

// A plan's expressions say how long its numbers are, and its lengths say it again. Where the two differ, both must hold.
func TestANumberOfNoLengthOfItsPlan(t *testing.T) {
	t.Parallel()
	digits := `\d{4,6}`
	desc := func(lengths ...int32) *metadata.PhoneNumberDesc {
		return &metadata.PhoneNumberDesc{NationalNumberPattern: &digits, PossibleLength: lengths}
	}
	r, err := newRegion("ZZ", &metadata.PhoneMetadata{GeneralDesc: desc(4, 5), Mobile: desc(), FixedLine: desc(-1), Pager: desc(5)})
	if err != nil {
		t.Fatal(err)
	}
	for national, want := range map[string]Type{"1234": Mobile, "12345": Pager, "123456": Unknown, "123": Unknown, "": Unknown} {
		if typ, here := r.find(national); typ != want || here != (want != Unknown) {
			t.Errorf("%q: %s, %t", national, typ, here)
		}
		if r.takes(national) != (want != Unknown) {
			t.Errorf("%q: taken: %t", national, r.takes(national))
		}
	}
}
