package proof_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
)

// payload is a good one, with one text in place of another.
func payload(t *testing.T, r *rig, old, new string) string {
	t.Helper()
	good := part(t, r.sign(login()), 1)
	if !strings.Contains(good, old) {
		t.Fatalf("%q is not in %s", old, good)
	}
	return strings.Replace(good, old, new, 1)
}

// hs256 signs by HMAC under key.
func hs256(header, payload string, key []byte) string {
	text := proof.Encode(header) + "." + proof.Encode(payload)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return text + "." + proof.Encode(string(mac.Sum(nil)))
}

func publicForms(t *testing.T, key *ecdsa.PublicKey) map[string][]byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"PEM": pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), "DER": der, "point": point, "nothing": {}}
}

// Every way by which a token is made to be taken for one of ours. None reaches the store.
func TestForgeries(t *testing.T) {
	t.Parallel()
	store := &watched{Consumed: &prooftest.Consumed{}}
	r := newRig(t, proof.Options{Consumed: store}, 1)
	good := r.sign(login())
	parts := strings.Split(good, ".")
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	kid := kidOf(t, good)
	header := func(text string) string { return proof.Encode(fmt.Sprintf(text, kid)) }
	flipped := []byte(parts[2])
	if flipped[10] = 'A'; parts[2][10] == 'A' {
		flipped[10] = 'B'
	}
	cases := map[string][2]string{
		"nothing":                           {"", "malformed"},
		"one part":                          {parts[0], "malformed"},
		"two parts":                         {parts[0] + "." + parts[1], "malformed"},
		"four parts":                        {good + ".", "malformed"},
		"encrypted":                         {good + ".AAAA.AAAA", "malformed"},
		"a megabyte of dots":                {strings.Repeat(".", 1<<20), "malformed"},
		"too long":                          {good + strings.Repeat("A", proof.MaxToken), "malformed"},
		"only dots":                         {"..", "unknown_key"},
		"garbage":                           {"\x00\xff.\x00.\x00", "unknown_key"},
		"alg none":                          {header(`{"alg":"none","typ":"JWT","kid":%q}`) + "." + parts[1] + ".", "unknown_key"},
		"alg None, signed":                  {header(`{"alg":"None","typ":"JWT","kid":%q}`) + "." + parts[1] + "." + parts[2], "unknown_key"},
		"our header, no signature":          {parts[0] + "." + parts[1] + ".", "signature"},
		"another kid":                       {proof.SignWith(t, proof.Encode(`{"alg":"ES256","typ":"JWT","kid":"mine"}`), payload(t, r, "", ""), own), "unknown_key"},
		"no kid":                            {proof.SignWith(t, proof.Encode(`{"alg":"ES256","typ":"JWT"}`), payload(t, r, "", ""), own), "unknown_key"},
		"a key in the header":               {proof.SignWith(t, header(`{"alg":"ES256","typ":"JWT","kid":%q,"jwk":{}}`), payload(t, r, "", ""), own), "unknown_key"},
		"kid twice":                         {proof.SignWith(t, header(`{"alg":"ES256","typ":"JWT","kid":"mine","kid":%q}`), payload(t, r, "", ""), own), "unknown_key"},
		"critical":                          {proof.SignWith(t, header(`{"alg":"ES256","typ":"JWT","kid":%q,"crit":["x"]}`), payload(t, r, "", ""), r.SigningKey(t)), "unknown_key"},
		"our kid, another key":              {proof.SignWith(t, parts[0], payload(t, r, "", ""), own), "signature"},
		"another's payload":                 {parts[0] + "." + proof.Encode(payload(t, r, alice, "+447911123456")) + "." + parts[2], "signature"},
		"a bit of the signature":            {parts[0] + "." + parts[1] + "." + string(flipped), "signature"},
		"a signature of zeros":              {parts[0] + "." + parts[1] + "." + proof.Encode(strings.Repeat("\x00", 64)), "signature"},
		"a longer signature":                {good + "AAAA", "signature"},
		"padding":                           {good + "==", "malformed"},
		"a line's end":                      {good + "\n", "malformed"},
		"a blank before it":                 {" " + good, "unknown_key"},
		"another spelling of the last bits": {parts[0] + "." + parts[1] + "." + parts[2][:85] + nextLetter(parts[2][85]), "malformed"},
	}
	for form, key := range publicForms(t, &r.SigningKey(t).PublicKey) {
		cases["HS256 with the public key as "+form] = [2]string{
			hs256(fmt.Sprintf(`{"alg":"HS256","typ":"JWT","kid":%q}`, kid), payload(t, r, "", ""), key), "unknown_key"}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { r.refused(c[0], c[1]) })
	}
	if store.calls != 0 {
		t.Errorf("the store was asked %d times", store.calls)
	}
	if err := r.consume(good); err != nil {
		t.Errorf("the good one: %v", err)
	}
}

// nextLetter follows in base64url: of the last of 86 letters it changes bits that do not count.
func nextLetter(c byte) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return string(alphabet[strings.IndexByte(alphabet, c)|1])
}

// Signed with our key, and yet not what this service writes. Nobody can make these who has not the key; they must not get
// further if a fault of ours, or another use of the key, makes them.
func TestClaimsThatAreNotOurs(t *testing.T) {
	t.Parallel()
	store := &watched{Consumed: &prooftest.Consumed{}}
	r := newRig(t, proof.Options{Consumed: store}, 1)
	iat, exp := fmt.Sprintf(`"iat":%d`, start.Unix()), fmt.Sprintf(`"exp":%d`, start.Add(5*time.Minute).Unix())
	for name, c := range map[string]struct{ old, new, outcome string }{
		"a claim twice":              {`"scene":"login"`, `"scene":"login","scene":"login"`, "claims"},
		"exp twice":                  {exp, exp + `,"exp":99999999999`, "claims"},
		"a name in other letters":    {`"sms_id"`, `"SMS_ID"`, "claims"},
		"no exp":                     {exp + `,`, ``, "claims"},
		"exp of null":                {exp, `"exp":null`, "claims"},
		"exp as a text":              {exp, `"exp":"1796018700"`, "claims"},
		"exp with a fraction":        {exp, `"exp":1796018700.5`, "claims"},
		"exp with an exponent":       {exp, `"exp":1e99`, "claims"},
		"exp beyond 64 bits":         {exp, `"exp":99999999999999999999999999`, "claims"},
		"exp of 400 digits":          {exp, `"exp":` + strings.Repeat("9", 400), "claims"},
		"exp of a far future":        {exp, `"exp":9223372036854775807`, "claims"},
		"exp below 0":                {exp, `"exp":-1`, "claims"},
		"exp before iat":             {exp, `"exp":1`, "claims"},
		"iat and exp at the end":     {iat + `,` + exp, `"iat":9223372036854775000,"exp":9223372036854775807`, "expired"},
		"an hour and a second":       {exp, fmt.Sprintf(`"exp":%d`, start.Add(time.Hour+time.Second).Unix()), "claims"},
		"another jti":                {`"jti":"`, `"jti":"x`, "claims"},
		"another sms_id":             {smsID, "5d1c9f0e-2b3a-4c5d-8e7f-a0b1c2d3e4f5", "claims"},
		"app and aud differ":         {`"app":"default"`, `"app":"shop"`, "claims"},
		"aud as a list":              {`"aud":"default"`, `"aud":["default","shop"]`, "claims"},
		"a sub that is no number":    {alice, "alice", "claims"},
		"another issuer":             {`"iss":"smsd"`, `"iss":"smsd2"`, "issuer"},
		"another app":                {`"aud":"default"`, `"aud":"shop"`, "claims"},
		"bytes that are no text":     {`"login"`, "\"\xff\"", "claims"},
		"something behind it":        {`"amr":["sms"],"nonce":"n-0S6"}`, `"amr":["sms"],"nonce":"n-0S6"}{}`, "claims"},
		"deep":                       {`"amr":["sms"]`, `"amr":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "claims"},
		"no object":                  {``, `[]`, "claims"},
		"an unknown claim is no sin": {`"scene":"login"`, `"scene":"login","later":1`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			token := r.SignPayload(t, payload(t, r, c.old, c.new))
			if c.outcome == "" {
				store.calls--
				if err := r.consume(token); err != nil {
					t.Error(err)
				}
				return
			}
			r.refused(token, c.outcome)
		})
	}
	if store.calls != 0 {
		t.Errorf("the store was asked %d times", store.calls)
	}
}

// A good token that is not for this caller is refused, and stays good for the one it is for.
func TestWantedOtherwise(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 1)
	token := r.sign(login())
	for name, c := range map[string]struct {
		want   proof.Want
		reason proof.Reason
	}{
		"another app's caller": {proof.Want{App: "shop"}, proof.ReasonAudience},
		"nobody":               {proof.Want{}, proof.ReasonAudience},
		"another audience":     {proof.Want{App: "default", Audience: "shop"}, proof.ReasonAudience},
		"another scene":        {proof.Want{App: "default", Scene: "payment"}, proof.ReasonScene},
		"another nonce":        {proof.Want{App: "default", Nonce: "n-0s6"}, proof.ReasonNonce},
	} {
		_, err := r.Consume(t.Context(), token, c.want)
		if refused, ok := errors.AsType[*proof.InvalidError](err); !ok || refused.Reason != c.reason || refused.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := newRig(t, proof.Options{Issuer: "other"}, 1)
	other.refused(token, "issuer")
	if err := r.consume(token); err != nil {
		t.Error(err)
	}
}

// What is refused for its length costs nothing: nothing is cut up, copied or decoded.
func TestDotsCostNothing(t *testing.T) {
	r := newRig(t, proof.Options{}, 1)
	dots := strings.Repeat(".", 1<<20)
	if allocations := testing.AllocsPerRun(100, func() { _ = r.consume(dots) }); allocations > 10 {
		t.Errorf("%v allocations", allocations)
	}
}
