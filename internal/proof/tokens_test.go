package proof_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	josejwt "github.com/go-jose/go-jose/v4/jwt"
	"github.com/golang-jwt/jwt/v5"

	"smsd/internal/keyring"
	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
)

// What a token says, and how, is what backends were written for.
func TestClaimsOfAToken(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{Issuer: "https://sms.example.com", TTL: time.Minute}, 1)
	token := r.sign(login())
	const want = `{"iss":"https://sms.example.com","aud":"default","sub":"+8613800138000","jti":"%s","iat":1796018400,"exp":1796018460,` +
		`"scene":"login","app":"default","sms_id":"0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69","amr":["sms"],"nonce":"n-0S6"}`
	if got := part(t, token, 1); got != fmt.Sprintf(want, "rlTH7MUq4s_T4Bh4RCDjXw") {
		t.Errorf("claims %s", got)
	}
	without := login()
	without.Nonce = ""
	if got := part(t, r.sign(without), 1); strings.Contains(got, "nonce") {
		t.Errorf("claims %s", got)
	}
}

// Instances of two versions work side by side: with one secret they must have the same keys.
func TestKeysArePinned(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 1)
	want := []string{"LRc1XapQbozXcuxjm9KHdmEyES2ZiyckXUQFo2zbRww", "-Jnt4uHnkBwunmQ8KEvWcdOBZbI66rw_aPmO1L5U2Rw"}
	if got := r.kids(); !slices.Equal(got, want) {
		t.Errorf("the keys of this week and the next are %q", got)
	}
	if header := part(t, r.sign(login()), 0); header != fmt.Sprintf(`{"alg":"ES256","typ":"JWT","kid":%q}`, want[0]) {
		t.Errorf("header %s", header)
	}
}

// checkBy are two libraries that know nothing of each other; each returns the claims of a token that is good at now.
var checkBy = map[string]func(token string, set []byte, now time.Time) (map[string]any, error){
	"golang-jwt": func(token string, set []byte, now time.Time) (map[string]any, error) {
		claims := jwt.MapClaims{}
		key := func(t *jwt.Token) (any, error) { return publicKey(set, t.Header["kid"]) }
		_, err := jwt.ParseWithClaims(token, claims, key, jwt.WithValidMethods([]string{"ES256"}), jwt.WithIssuer("smsd"),
			jwt.WithAudience("default"), jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithTimeFunc(func() time.Time { return now }))
		return claims, err
	},
	"go-jose": func(token string, set []byte, now time.Time) (map[string]any, error) {
		parsed, err := josejwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
		if err != nil {
			return nil, err
		}
		var keys jose.JSONWebKeySet
		if err := json.Unmarshal(set, &keys); err != nil {
			return nil, err
		}
		var registered josejwt.Claims
		all := map[string]any{}
		if err := parsed.Claims(&keys, &registered, &all); err != nil {
			return nil, err
		}
		want := josejwt.Expected{Issuer: "smsd", AnyAudience: josejwt.Audience{"default"}, Time: now}
		return all, registered.ValidateWithLeeway(want, 0)
	},
}

// publicKey finds a key of the set by its kid.
func publicKey(set []byte, kid any) (any, error) {
	var keys jose.JSONWebKeySet
	if err := json.Unmarshal(set, &keys); err != nil {
		return nil, err
	}
	for _, k := range keys.Keys {
		if k.KeyID == kid {
			return k.Key, nil
		}
	}
	return nil, fmt.Errorf("no key %v", kid)
}

func TestTwoLibrariesAgree(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 1, 2)
	token, set := r.sign(login()), r.jwks()
	foreign := newRig(t, proof.Options{}, 3)
	for name, check := range checkBy {
		claims, err := check(token, set, start.Add(4*time.Minute))
		if err != nil || claims["sub"] != alice || claims["scene"] != "login" || claims["nonce"] != "n-0S6" || fmt.Sprint(claims["amr"]) != "[sms]" {
			t.Errorf("%s: %v, %v", name, err, claims)
		}
		if _, err := check(token, set, start.Add(6*time.Minute)); err == nil {
			t.Errorf("%s takes an expired token", name)
		}
		if _, err := check(token[:len(token)-8]+"AAAAAAAA", set, start); err == nil {
			t.Errorf("%s takes another signature", name)
		}
		if _, err := check(foreign.sign(login()), set, start); err == nil {
			t.Errorf("%s takes a foreign token", name)
		}
	}
}

// The kid is the key's thumbprint by another library's word.
func TestKidIsTheThumbprint(t *testing.T) {
	t.Parallel()
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(newRig(t, proof.Options{}, 1, 2).jwks(), &set); err != nil {
		t.Fatal(err)
	}
	for _, k := range set.Keys {
		sum, err := k.Thumbprint(5) // crypto.SHA256
		if err != nil || proof.Encode(string(sum)) != k.KeyID || !k.Valid() || !k.IsPublic() {
			t.Errorf("key %s: thumbprint %x, %v", k.KeyID, sum, err)
		}
	}
	if len(set.Keys) != 4 {
		t.Errorf("%d keys, want 4", len(set.Keys))
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	root, err := keyring.New([][]byte{secretOf(1)})
	if err != nil {
		t.Fatal(err)
	}
	consumed := &prooftest.Consumed{}
	for name, o := range map[string]proof.Options{
		"nothing":           {},
		"no root":           {Consumed: consumed},
		"nothing remembers": {Root: root},
		"a long issuer":     {Root: root, Consumed: consumed, Issuer: strings.Repeat("i", 129)},
		"a short life":      {Root: root, Consumed: consumed, TTL: 29 * time.Second},
		"a long life":       {Root: root, Consumed: consumed, TTL: time.Hour + 1},
	} {
		if _, err := proof.New(o); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := proof.New(proof.Options{Root: root, Consumed: consumed}); err != nil {
		t.Error(err)
	}
}

// The longest that can be asked for is well below what is read.
func TestLongestToken(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{Issuer: strings.Repeat("i", proof.MaxIssuer)}, 1)
	v := login()
	v.App, v.Scene, v.Nonce = strings.Repeat("a", 64), strings.Repeat("s", 64), strings.Repeat(`<"\&>`, 25)+`"""`
	token := r.sign(v)
	if len(token) > proof.MaxToken/2 {
		t.Errorf("a token of %d bytes", len(token))
	}
	if p, err := r.Consume(t.Context(), token, proof.Want{App: v.App, Nonce: v.Nonce}); err != nil || p.Nonce != v.Nonce {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestTokensPrintWithoutKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 'k')
	token, err := r.Sign(login())
	if err != nil {
		t.Fatal(err)
	}
	d := r.SigningKey(t).D
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		for _, v := range []interface{}{r.Tokens, struct{ inner *proof.Tokens }{r.Tokens}, token} {
			text := fmt.Sprintf(verb, v)
			if strings.Contains(text, d.Text(10)) || strings.Contains(text, d.Text(16)) || strings.Contains(text, token.Reveal()[:40]) {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
}
