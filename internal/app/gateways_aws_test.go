package app

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"smsd/internal/gateway/aws/awsfake"
	"smsd/internal/secret"
)

// The whole way, over a fake of the vendor: what it takes verifies, what it refuses is what the client is told, and given back.
func TestAWS(t *testing.T) {
	t.Parallel()
	const id, hidden, token = "AKIAFAKEHUNTER", "hunter2/hunter2", "hunter3hunter3"
	var refusal awsfake.Refusal
	var got awsfake.Message
	server := httptest.NewServer(&awsfake.Fake{Region: "eu-central-1", AccessKeyID: secret.New(id), AccessKeySecret: secret.New(hidden), SessionToken: secret.New(token),
		Answer: func(m awsfake.Message) awsfake.Refusal { got = m; return refusal }})
	t.Cleanup(server.Close)
	block := fmt.Sprintf("{kind: aws, region: eu-central-1, access_key_id: %s, access_key_secret_file: FOLDER/secret, session_token_file: FOLDER/token, from: pool-1, "+
		"configuration_set: codes, max_price: '0.50', ttl: 5m, endpoint: %q}", id, server.URL)
	s := start(t, rules(cooldown, longCode), loaded(t, block, map[string]string{"secret": hidden, "token": token}))
	for _, c := range []struct {
		exception, reason, want string
	}{
		{"ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT", "422 undeliverable"},
		{"ServiceQuotaExceededException", "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT", "502 gateway_failed"},
		{"ValidationException", "DESTINATION_COUNTRY_BLOCKED", "422 undeliverable"},
		{"ThrottlingException", "", "502 gateway_failed"},
		{"", "", "200"},
	} {
		refusal = awsfake.Refusal{Exception: c.exception, Reason: c.reason}
		to := alice
		if c.exception == "ServiceQuotaExceededException" {
			to = bob // a fault of the configuration keeps its country from the gateway
		}
		a := s.wants(s.send(to), c.want)
		if c.want == "200" {
			s.wants(s.verify(a.text("sms_id"), strings.Fields(got.MessageBody)[0]), "200")
		}
	}
	if got.OriginationIdentity != "pool-1" || got.ConfigurationSetName != "codes" || got.MaxPrice != "0.50" || got.TimeToLive != 300 {
		t.Errorf("the vendor got %+v", got)
	}
	nothingOf(s, id, hidden, token, strings.Fields(got.MessageBody)[0])
}

// Every fault of a block at once, each with its place, and none with what was given.
func TestFaultsOfAWS(t *testing.T) {
	t.Parallel()
	for block, want := range map[string][]string{
		"{kind: aws, access_key_secret: hunter2, from: hunter 2, max_price: hunter2, ttl: hunter2}": {
			"gateways.west.access_key_id: must be given beside", "gateways.west.from (FILE:3): must be a pool", "gateways.west.max_price (FILE:3): must be US dollars",
			"gateways.west.region: must be given", "gateways.west.ttl (FILE:3): must be whole seconds"},
		"{kind: aws, region: eu-central-1, secret_access_key: hunter2}": {
			"gateways.west.secret_access_key (FILE:3): unknown; a gateway of kind aws has the settings region, access_key_id"},
		"{kind: aws, region: eu-central-1}": nil,
	} {
		wantFaults(t, block, want)
	}
}
