package httpapi

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// faultsOf decodes body into a T and returns its faults as "place code", sorted.
func faultsOf[T any](t *testing.T, body string) (T, []string) {
	t.Helper()
	v, err := newValidation()
	if err != nil {
		t.Fatal(err)
	}
	var into T
	err = decode([]byte(body), &into, v.Validate)
	if err == nil {
		return into, nil
	}
	bad, ok := errors.AsType[*bindError](err)
	if !ok {
		t.Fatalf("error is %T: %v", err, err)
	}
	var places []string
	for _, f := range bad.faults {
		places = append(places, f.place()+" "+f.Code)
	}
	slices.Sort(places)
	return into, places
}

func TestDecodeFaults(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"well", `{"phone":"+8613800138000","scene":"login","region":"cn","locale":"zh-CN","device_id":"a b"}`, nil},
		{"empty", ``, []string{" required"}},
		{"blank", " \n", []string{" required"}},
		{"null", `null`, []string{" invalid_type"}},
		{"array", `[]`, []string{" invalid_type"}},
		{"string", `"phone"`, []string{" invalid_type"}},
		{"two values", `{"phone":"1","scene":"login"} {}`, []string{" invalid"}},
		{"two arrays", `[] []`, []string{" invalid"}},
		{"object", `{}`, []string{"/phone required", "/scene required"}},
		{"null fields", `{"phone":null,"scene":null}`, []string{"/phone required", "/scene required"}},
		{"empty fields", `{"phone":"","scene":""}`, []string{"/phone required", "/scene required"}},
		{"all at once", `{"phone":["+86"],"Scene":"login","region":"CHN","extra":{"a":[1]},"device_id":"\u0000"}`,
			[]string{"/Scene unknown", "/device_id invalid", "/extra unknown", "/phone invalid_type", "/region invalid", "/scene required"}},
		{"duplicate", `{"phone":"1","phone":"2","scene":"login"}`, []string{"/phone duplicate"}},
		{"other case", `{"PHONE":"1","scene":"login"}`, []string{"/PHONE unknown", "/phone required"}},
		{"number", `{"phone":13800138000,"scene":"login"}`, []string{"/phone invalid_type"}},
		{"bool", `{"phone":true,"scene":"login"}`, []string{"/phone invalid_type"}},
		{"object in a field", `{"phone":{"a":"b"},"scene":"login"}`, []string{"/phone invalid_type"}},
		{"too long", `{"phone":"` + long + `","scene":"` + long + `","locale":"` + long + `","device_id":"` + long + `"}`,
			[]string{"/device_id too_long", "/locale too_long", "/phone too_long", "/scene too_long"}},
		{"bytes, not runes", `{"phone":"` + strings.Repeat("１", 22) + `","scene":"login"}`, []string{"/phone too_long"}},
		{"invalid UTF-8", "{\"phone\":\"\xff\",\"scene\":\"login\"}", []string{" invalid", "/phone invalid"}},
		{"half a surrogate", `{"phone":"\ud800","scene":"login"}`, []string{" invalid", "/phone invalid"}},
		{"invalid UTF-8 in a name", "{\"\xff\":1}", []string{" invalid"}},
		{"cut off", `{"phone":"+86`, []string{" invalid", "/phone invalid"}},
		{"cut off in a nest", `{"phone":[[`, []string{" invalid", "/phone invalid"}},
		{"comma", `{"phone":"1","scene":"login",}`, []string{" invalid"}},
		{"comment", `{"phone":"1",/* */"scene":"login"}`, []string{" invalid"}},
		{"single quotes", `{'phone':'1'}`, []string{" invalid"}},
		{"BOM", "\ufeff" + `{"phone":"1","scene":"login"}`, []string{" invalid"}},
		{"no name that may be a value is repeated", `{"phone":"1","scene":"login","+8613800138000":1,"123456":2}`, []string{" unknown"}},
		{"deep in a field", `{"phone":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`, []string{" invalid", "/phone invalid"}},
		{"deep in nowhere", `{"x":` + strings.Repeat(`{"a":`, 1000) + `1` + strings.Repeat("}", 1001), []string{" invalid", "/x unknown"}},
		{"deep at once", strings.Repeat("[", 16_000), []string{" invalid"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, got := faultsOf[sendRequest](t, c.body); !slices.Equal(got, c.want) {
				t.Errorf("faults %q, want %q", got, c.want)
			}
		})
	}
}

func TestDecodeNumbers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{"fault":"slow","times":3}`:     nil,
		`{"fault":"slow","times":"3"}`:   {"/times invalid_type"},
		`{"fault":"slow","times":1.5}`:   {"/times invalid"},
		`{"fault":"slow","times":1e99}`:  {"/times invalid"},
		`{"fault":"slow","times":-1}`:    {"/times invalid"},
		`{"fault":"slow","times":1001}`:  {"/times invalid"},
		`{"fault":"slow","times":null}`:  nil,
		`{"fault":"slow","delay":2}`:     {"/delay invalid_type"},
		`{"times":true,"phone":"` + `"}`: {"/fault required", "/times invalid_type"},
	} {
		if _, got := faultsOf[faultRequest](t, body); !slices.Equal(got, want) {
			t.Errorf("%s: faults %q, want %q", body, got, want)
		}
	}
}

func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	body.WriteString(`{"x":0`)
	for i := range 26 * 26 {
		body.WriteString(`,"` + string(rune('a'+i/26)) + string(rune('a'+i%26)) + `":0`)
	}
	body.WriteString("}")
	if _, got := faultsOf[sendRequest](t, body.String()); len(got) != maxFaults {
		t.Errorf("%d faults, want %d", len(got), maxFaults)
	}
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"application/json":                     true,
		"Application/JSON":                     true,
		"application/json; charset=utf-8":      true,
		`application/json;charset="UTF-8"`:     true,
		"application/json; charset=iso-8859-1": false,
		"application/json; charset":            false,
		"application/x-www-form-urlencoded":    false,
		"text/plain":                           false,
		"application/jsonx":                    false,
		"application/problem+json":             false,
		"":                                     false,
	} {
		if got := checkMediaType(http.Header{"Content-Type": {value}}) == nil; got != want {
			t.Errorf("%q taken: %t, want %t", value, got, want)
		}
	}
	compressed := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}
	if checkMediaType(compressed) == nil {
		t.Error("a compressed body is taken")
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"phone":"1","scene":"login"}`, `{"phone":[1,{"a":null}],"x":1}`, `{"phone":"\ud800"`, `[[`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	v, err := newValidation()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in sendRequest
		err := decode(body, &in, v.Validate)
		if err == nil {
			if in.Phone == "" || in.Scene == "" || len(in.Phone) > 64 {
				t.Errorf("taken: %+v", in)
			}
			return
		}
		bad, ok := errors.AsType[*bindError](err)
		if !ok || len(bad.faults) == 0 || len(bad.faults) > maxFaults {
			t.Errorf("error %v", err)
		}
	})
}

// announcing is a body of which the header says that it is long, and of which nothing comes.
type announcing struct{ room int }

func (a *announcing) Read(p []byte) (int, error) {
	a.room = max(a.room, len(p))
	return 0, io.ErrUnexpectedEOF
}

// A length that is only said takes no memory, however many say it at once.
func TestNoRoomForWhatDoesNotCome(t *testing.T) {
	t.Parallel()
	body := &announcing{}
	if _, err := readAll(body, maxReceiptBody); err == nil {
		t.Error("it is whole")
	}
	if body.room > maxBody {
		t.Errorf("room for %d bytes", body.room)
	}
}
