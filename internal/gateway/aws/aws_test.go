package aws_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aws"
	"smsd/internal/gateway/aws/awsfake"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

const home = "eu-central-1"

var (
	id     = secret.New("AKIAT0KENFAKEEXAMPLE")
	hidden = secret.New("fake+access/key=T0KEN")
	token  = secret.New("fake//session+T0KEN==")
)

// refusals are what the vendor says in each scenario. It has no limit of its own on one number.
var refusals = map[gatewaytest.Scenario]awsfake.Refusal{
	gatewaytest.BadNumber:     {Exception: "ConflictException", Reason: "DESTINATION_PHONE_NUMBER_OPTED_OUT"},
	gatewaytest.Configuration: {Exception: "ServiceQuotaExceededException", Reason: "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT"},
	gatewaytest.Content:       {Exception: "ValidationException", Reason: "FIELD_VALIDATION_FAILED", Field: "MessageBody"},
	gatewaytest.Unavailable:   {Exception: "ThrottlingException"},
}

func TestConformance(t *testing.T) {
	t.Parallel()
	gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
		Open: func(t *testing.T, url string) gateway.Driver {
			return open(t, aws.Config{Endpoint: url, SessionToken: token})
		},
		Carrier: vendor,
		Secrets: []string{id.Reveal(), hidden.Reveal(), token.Reveal()},
	})
}

// vendor answers in its words. That the signature is right is seen in each: without, no answer is the scenario's.
func vendor(_ *testing.T, s gatewaytest.Scenario) http.Handler {
	if s == gatewaytest.Throttled {
		return nil
	}
	f := fake(func(awsfake.Message) awsfake.Refusal { return refusals[s] })
	f.SessionToken = token
	return f
}

func fake(answer func(awsfake.Message) awsfake.Refusal) *awsfake.Fake {
	return &awsfake.Fake{Region: home, AccessKeyID: id, AccessKeySecret: hidden, Answer: answer}
}

func open(t *testing.T, c aws.Config) *aws.Gateway {
	t.Helper()
	if c.Region == "" {
		c.Region = home
	}
	c.AccessKeyID, c.AccessKeySecret = id, hidden
	g, err := aws.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// send hands one message to a fake, and returns what it got.
func send(t *testing.T, f *awsfake.Fake, c aws.Config, m gateway.Message) (got awsfake.Message, accepted gateway.Accepted, err error) {
	t.Helper()
	answer := f.Answer
	f.Answer = func(m awsfake.Message) (refusal awsfake.Refusal) {
		got = m
		if answer != nil {
			refusal = answer(m)
		}
		return refusal
	}
	server := httptest.NewServer(f)
	defer server.Close()
	c.Endpoint = server.URL
	accepted, err = open(t, c).Send(t.Context(), m)
	return got, accepted, err
}

func message(to string) gateway.Message {
	return gateway.Message{ID: "6f0e4b6e-9d0c", Phone: phone.MustParse(to), Code: secret.New("493817"),
		Text: secret.New("493817 是验证码 & it's +5% =\n<\u2028>")}
}

// What the vendor is asked to send.
func TestMessage(t *testing.T) {
	t.Parallel()
	all := aws.Config{From: "pool-0123abcd", ConfigurationSet: "codes", ProtectConfiguration: "protect-1", MaxPrice: "0.25", TTL: 5 * time.Minute,
		IndiaEntityID: "1101", IndiaTemplateID: "1107"}
	template := message("+919820012345")
	template.Template.Code = "1108"
	for name, c := range map[string]struct {
		config  aws.Config
		message gateway.Message
		want    awsfake.Message
	}{
		"the least": {aws.Config{}, message("+447400123456"), awsfake.Message{}},
		"all": {all, message("+447400123456"), awsfake.Message{OriginationIdentity: "pool-0123abcd", ConfigurationSetName: "codes",
			ProtectConfigurationID: "protect-1", MaxPrice: "0.25", TimeToLive: 300}},
		"a name of whoever sends": {aws.Config{From: "+12065550100", TTL: 72 * time.Hour}, message("+12025550123"), awsfake.Message{OriginationIdentity: "+12065550100", TimeToLive: 259200}},
		"India":                   {aws.Config{IndiaEntityID: "1101", IndiaTemplateID: "1107"}, message("+919820012345"), awsfake.Message{DestinationCountryParameters: map[string]string{"IN_ENTITY_ID": "1101", "IN_TEMPLATE_ID": "1107"}}},
		"India, with a template":  {aws.Config{IndiaEntityID: "1101", IndiaTemplateID: "1107"}, template, awsfake.Message{DestinationCountryParameters: map[string]string{"IN_ENTITY_ID": "1101", "IN_TEMPLATE_ID": "1108"}}},
		"India, without a sender": {aws.Config{}, message("+919820012345"), awsfake.Message{}},
	} {
		got, accepted, err := send(t, fake(nil), c.config, c.message)
		c.want.DestinationPhoneNumber, c.want.MessageBody, c.want.MessageType = c.message.Phone.E164(), c.message.Text.Reveal(), "TRANSACTIONAL"
		c.want.Context = map[string]string{"smsd_message_id": c.message.ID}
		if err != nil || accepted.ProviderID != "862a8790-60c0-4430-9b2b-000000000001" || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %+v, %v; the vendor got\n%+v, want\n%+v", name, accepted, err, got, c.want)
		}
	}
}

// A key, a token and a region that are wrong are faults of the settings; the fake finds each, so that a test over it shows that
// they are right.
func TestSignatureIsVerified(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spoil func(*awsfake.Fake)
		says  string
	}{
		{func(f *awsfake.Fake) { f.AccessKeyID = secret.New("another") }, "UnrecognizedClientException"},
		{func(f *awsfake.Fake) { f.SessionToken = token }, "UnrecognizedClientException"},
		{func(f *awsfake.Fake) { f.AccessKeySecret = secret.New("another") }, "InvalidSignatureException"},
		{func(f *awsfake.Fake) { f.Region = "eu-west-1" }, "InvalidSignatureException"},
	} {
		f := fake(nil)
		c.spoil(f)
		_, _, err := send(t, f, aws.Config{}, message("+447400123456"))
		gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, "says "+c.says)
	}
}

// A clock that is off fails one message: by the answer the SDK knows what time it is at the vendor's.
func TestClock(t *testing.T) {
	t.Parallel()
	f := fake(nil)
	f.Now = func() time.Time { return time.Now().Add(time.Hour) }
	server := httptest.NewServer(f)
	defer server.Close()
	g := open(t, aws.Config{Endpoint: server.URL})
	_, err := g.Send(t.Context(), message("+447400123456"))
	gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, "InvalidSignatureException")
	if _, err := g.Send(t.Context(), message("+447400123456")); err != nil {
		t.Error(err)
	}
}

// department-of-veterans-affairs/notification-api#2628: numbers of Puerto Rico and Ontario got a ValidationException or a
// ConflictException, and were served by another API of the same vendor. So another gateway may try, whatever the reason is.
func TestNoWayToACountry(t *testing.T) {
	t.Parallel()
	for refusal, want := range map[awsfake.Refusal]gateway.Reason{
		{Exception: "ConflictException", Reason: "NO_ORIGINATION_IDENTITIES_FOUND"}:                        gateway.NoRoute,
		{Exception: "ValidationException", Reason: "COUNTRY_NOT_ENABLED", Field: "DestinationPhoneNumber"}: gateway.NoRoute,
		{Exception: "ValidationException", Reason: "OTHER"}:                                                gateway.Temporary,
		{Exception: "ConflictException", Reason: "SOMETHING_NEW"}:                                          gateway.Temporary,
	} {
		_, _, err := send(t, fake(func(awsfake.Message) awsfake.Refusal { return refusal }), aws.Config{}, message("+17875550123"))
		gatewaytest.WantError(t, err, want, gateway.NotSent, refusal.Reason)
	}
}

// Many send at once over one client, and no answer is another's.
func TestReasonsAtOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(fake(func(m awsfake.Message) awsfake.Refusal {
		return awsfake.Refusal{Exception: "ConflictException", Reason: m.Context["smsd_message_id"]}
	}))
	t.Cleanup(server.Close)
	g := open(t, aws.Config{Endpoint: server.URL})
	for i := range 20 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			m := message("+447400123456")
			m.ID = "REASON_" + string(rune('A'+i))
			_, err := g.Send(t.Context(), m)
			gatewaytest.WantError(t, err, gateway.Temporary, gateway.NotSent, "says "+m.ID)
		})
	}
}
