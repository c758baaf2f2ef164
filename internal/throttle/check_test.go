package throttle

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func sound() Rule { return Rule{Name: "a", By: []Kind{Phone}, Limit: 5, Window: time.Hour} }

// Every fault names its rule. Rows: throttled#26 (windows below a second), redis_rate#110 and smart-ratelimit#75
// (limits of 0, below 0 and of any size).
func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Rule)
		field  string
	}{
		"no name":                     {func(r *Rule) { r.Name = "" }, "name"},
		"a long name":                 {func(r *Rule) { r.Name = strings.Repeat("a", 65) }, "name"},
		"a capital":                   {func(r *Rule) { r.Name = "A" }, "name"},
		"a slash":                     {func(r *Rule) { r.Name = "login/a" }, "name"},
		"a letter that is not ASCII":  {func(r *Rule) { r.Name = "é" }, "name"},
		"kind 0":                      {func(r *Rule) { r.By = []Kind{0} }, "by"},
		"a kind that is not there":    {func(r *Rule) { r.By = []Kind{kinds} }, "by"},
		"a kind twice":                {func(r *Rule) { r.By = []Kind{Phone, IP, Phone} }, "by"},
		"an unknown scene":            {func(r *Rule) { r.Scene = "nowhere" }, "scene"},
		"an unknown event":            {func(r *Rule) { r.On = Events }, "on"},
		"an unknown algorithm":        {func(r *Rule) { r.Algorithm = Fixed + 1 }, "algorithm"},
		"an unknown mode":             {func(r *Rule) { r.Mode = Off + 1 }, "mode"},
		"limit 0":                     {func(r *Rule) { r.Limit = 0 }, "limit"},
		"limit -1":                    {func(r *Rule) { r.Limit = -1 }, "limit"},
		"limit 1e18":                  {func(r *Rule) { r.Limit = 1e18 }, "limit"},
		"limit above MaxLimit":        {func(r *Rule) { r.Limit = MaxLimit + 1 }, "limit"},
		"a log above MaxLogLimit":     {func(r *Rule) { r.Limit, r.Algorithm = MaxLogLimit+1, Log }, "limit"},
		"window 0":                    {func(r *Rule) { r.Window = 0 }, "window"},
		"a negative window":           {func(r *Rule) { r.Window = -time.Hour }, "window"},
		"999 ms":                      {func(r *Rule) { r.Window = 999 * time.Millisecond }, "window"},
		"above MaxWindow":             {func(r *Rule) { r.Window = MaxWindow + time.Millisecond }, "window"},
		"half a millisecond":          {func(r *Rule) { r.Window = time.Hour + time.Millisecond/2 }, "window"},
		"a burst of a log":            {func(r *Rule) { r.Burst = 5 }, "burst"},
		"a burst of a fixed":          {func(r *Rule) { r.Burst, r.Algorithm = 5, Fixed }, "burst"},
		"a negative burst":            {func(r *Rule) { r.Burst, r.Algorithm = -1, Bucket }, "burst"},
		"a burst above MaxLimit":      {func(r *Rule) { r.Burst, r.Algorithm, r.Limit, r.Window = MaxLimit+1, Bucket, MaxLimit, MinWindow }, "burst"},
		"a burst that leaks too long": {func(r *Rule) { r.Burst, r.Algorithm, r.Limit, r.Window = 61, Bucket, 2, 24*time.Hour }, "burst"},
		"a burst of limit 1e18":       {func(r *Rule) { r.Burst, r.Algorithm, r.Limit = 1, Bucket, 1e18 }, "limit"},
		"a burst of window 0":         {func(r *Rule) { r.Burst, r.Algorithm, r.Window = 1, Bucket, 0 }, "window"},
		"an Off rule is checked too":  {func(r *Rule) { r.Mode, r.Limit = Off, 0 }, "limit"},
	} {
		r := sound()
		c.change(&r)
		_, err := Compile([]Rule{sound2("ok"), r}, []string{"login"})
		var fault *RuleError
		if !errors.As(err, &fault) || fault.Field != c.field || fault.Index != 1 || !strings.Contains(err.Error(), fmt.Sprintf("%q", r.Label())) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func sound2(name string) Rule {
	r := sound()
	r.Name = name
	return r
}

func TestCompileTakesTheBounds(t *testing.T) {
	t.Parallel()
	for _, r := range []Rule{
		{Name: strings.Repeat("a-_9", 16), Limit: 1, Window: MinWindow},
		{Name: "a", Limit: MaxLimit, Window: MaxWindow},
		{Name: "a", Limit: MaxLogLimit, Window: MaxWindow, Algorithm: Log},
		{Name: "a", Limit: 1, Window: MinWindow + time.Millisecond, Algorithm: Counter},
		{Name: "a", Limit: MaxLimit, Window: MaxWindow, Algorithm: Bucket, Burst: MaxLimit},
		{Name: "a", Limit: 2, Window: 24 * time.Hour, Algorithm: Bucket, Burst: 60},
		{Name: "a", Limit: 1, Window: MinWindow, Algorithm: Bucket, Burst: MaxLimit},
		{Name: "a", Limit: MaxLimit, Window: MaxWindow, Algorithm: Fixed},
	} {
		if _, err := Compile([]Rule{r}, []string{"login"}); err != nil {
			t.Error(err)
		}
	}
}

func TestCompileNamesEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	rules := []Rule{
		{Name: "one", Limit: 0, Window: time.Hour},
		{Name: "two", Limit: 1, Window: 0, By: []Kind{Phone, Phone}},
		{Name: "three", Scene: "nowhere", Limit: 1, Window: time.Hour},
	}
	_, err := Compile(rules, []string{"login", "login", ""})
	for _, want := range []string{`rule "one": limit`, `rule "two": window`, `rule "two": by`, `rule "nowhere/three": scene`, `scene "login": named twice`, `scene ""`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestNamesAreUniqueWithinAScene(t *testing.T) {
	t.Parallel()
	global, login, register := sound(), sound(), sound()
	login.Scene, register.Scene = "login", "register"
	if _, err := Compile([]Rule{global, login, register}, []string{"login", "register"}); err != nil {
		t.Error(err)
	}
	for _, r := range []Rule{global, login} {
		if _, err := Compile([]Rule{r, r}, []string{"login", "register"}); err == nil {
			t.Errorf("%s twice", r.Label())
		}
	}
}

func TestTooManyRules(t *testing.T) {
	t.Parallel()
	var rules []Rule
	for i := range MaxRules + 1 {
		rules = append(rules, sound2(fmt.Sprintf("r%d", i)))
	}
	if _, err := Compile(rules[:MaxRules], []string{"login"}); err != nil {
		t.Error(err)
	}
	if _, err := Compile(rules, []string{"login"}); err == nil {
		t.Error("no error")
	}
}

func TestScenesWhoseMarksCollide(t *testing.T) {
	t.Parallel()
	byMark := map[uint16]string{}
	for i := 0; ; i++ {
		scene := fmt.Sprintf("scene-%d", i)
		m := sceneMark(scene)
		if m == 0 {
			t.Fatalf("%s has mark 0", scene)
		}
		if other := byMark[m]; other != "" {
			_, err := Compile(nil, []string{other, "login", scene})
			if err == nil || !strings.Contains(err.Error(), other) || !strings.Contains(err.Error(), scene) {
				t.Errorf("%s and %s: %v", other, scene, err)
			}
			return
		}
		byMark[m] = scene
	}
}
