package aws_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aws"
	"smsd/internal/gateway/aws/awsfake"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/secret"
)

type answers = map[string]any

// healthy is an account of which nothing is to be said.
func healthy() answers {
	return answers{
		"DescribeAccountAttributes": answers{"AccountAttributes": []answers{{"Name": "ACCOUNT_TIER", "Value": "PRODUCTION"}}},
		"DescribeSpendLimits": answers{"SpendLimits": []answers{
			{"Name": "VOICE_MESSAGE_MONTHLY_SPEND_LIMIT", "EnforcedLimit": 1, "MaxLimit": 1},
			{"Name": "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT", "EnforcedLimit": 200, "MaxLimit": 500}}},
		"DescribePools":             answers{"Pools": []answers{{"PoolId": "pool-1", "Status": "ACTIVE", "MessageType": "TRANSACTIONAL"}}},
		"DescribePhoneNumbers":      answers{"PhoneNumbers": []answers{{"PhoneNumber": "+12065550101", "Status": "PENDING"}, {"PhoneNumber": "+12065550100", "Status": "ACTIVE"}}},
		"DescribeSenderIds":         answers{"SenderIds": []answers{{"SenderId": "ACME", "IsoCountryCode": "DE"}, {"SenderId": "ACME", "IsoCountryCode": "GB"}}},
		"DescribeConfigurationSets": answers{"ConfigurationSets": []answers{{"ConfigurationSetName": "codes"}}},
	}
}

// What comes first of an account that is reached, and of one whose credentials are good.
var (
	reached = strings.Join(gatewaytest.Begun()[:2], "\n") + "\n"
	begun   = strings.Join(gatewaytest.Begun(), "\n") + "\n"
)

// examine looks at an account that answers so; an answer that is a Refusal refuses.
func examine(t *testing.T, c aws.Config, account answers, change func(*awsfake.Fake)) string {
	t.Helper()
	f := fake(func(awsfake.Message) awsfake.Refusal { t.Error("a message was sent"); return awsfake.Refusal{} })
	f.Account = func(operation string, _ []byte) (map[string]any, awsfake.Refusal) {
		switch a := account[operation].(type) {
		case awsfake.Refusal:
			return nil, a
		case answers:
			return a, awsfake.Refusal{}
		}
		t.Errorf("%s was asked", operation)
		return nil, awsfake.Refusal{}
	}
	if change != nil {
		change(f)
	}
	server := httptest.NewServer(f)
	defer server.Close()
	c.Endpoint = server.URL
	return lines(t, open(t, c).Examine(t.Context(), []gateway.Template{{Code: "1"}}))
}

// lines are the findings, none of which may hold a credential.
func lines(t *testing.T, all []gateway.Finding) string {
	t.Helper()
	return strings.TrimSuffix(gatewaytest.Findings(t, all, id.Reveal(), hidden.Reveal(), "Credential"), "\n")
}

func TestExamine(t *testing.T) {
	t.Parallel()
	const account, limit = "good account: it is in production\n", "good spend limit: 200 US dollars a month, of at most 500\n"
	denied := awsfake.Refusal{Exception: "AccessDeniedException"}
	for name, c := range map[string]struct {
		config  aws.Config
		changes answers
		want    string
	}{
		"a pool":      {aws.Config{From: "pool-1", ConfigurationSet: "codes"}, nil, begun + account + limit + "good pool: it is active\ngood configuration set: it is there"},
		"a number":    {aws.Config{From: "+12065550100"}, nil, begun + account + limit + "good number: it is active"},
		"its id":      {aws.Config{From: "phone-1"}, nil, begun + account + limit + "bad number: it is not active"},
		"another's":   {aws.Config{From: "+12065550102"}, nil, begun + account + limit + "bad number: there is none in this region"},
		"a sender id": {aws.Config{From: "ACME"}, nil, begun + account + limit + "good sender id: it is there for DE, GB"},
		"no sender":   {aws.Config{}, nil, begun + account + limit + "doubtful from: AWS chooses among all that the account has"},
		"promotional": {aws.Config{From: "pool-1"}, answers{"DescribePools": answers{"Pools": []answers{{"Status": "ACTIVE", "MessageType": "PROMOTIONAL"}}}},
			begun + account + limit + "bad pool: it sends promotional messages alone"},
		"a sandbox": {aws.Config{From: "pool-1"}, answers{
			"DescribeAccountAttributes": answers{"AccountAttributes": []answers{{"Name": "ACCOUNT_TIER", "Value": "SANDBOX"}}},
			"DescribeSpendLimits":       answers{"SpendLimits": []answers{{"Name": "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT", "EnforcedLimit": 1, "MaxLimit": 1}}}},
			begun + "bad account: it is in the sandbox: only verified numbers get messages\ndoubtful spend limit: 1 US dollars a month, of at most 1\ngood pool: it is active"},
		"nothing there": {aws.Config{From: "pool-1", ConfigurationSet: "codes"}, answers{"DescribePools": awsfake.Refusal{Exception: "ResourceNotFoundException"}, "DescribeConfigurationSets": answers{}},
			begun + account + limit + "bad pool: there is none in this region\nbad configuration set: there is none in this region"},
		"keys that may only send": {aws.Config{From: "pool-1"}, answers{"DescribeAccountAttributes": denied, "DescribeSpendLimits": denied, "DescribePools": denied},
			begun + "doubtful account: the key may not ask: AccessDeniedException\ndoubtful spend limit: the key may not ask: AccessDeniedException\n" +
				"doubtful pool: the key may not ask: AccessDeniedException"},
		"not now": {aws.Config{From: "pool-1"}, answers{"DescribeSpendLimits": awsfake.Refusal{Exception: "ThrottlingException"}},
			begun + account + "doubtful spend limit: the carrier says ThrottlingException\ngood pool: it is active"},
		"an account that is closed": {aws.Config{From: "pool-1"}, answers{"DescribeAccountAttributes": awsfake.Refusal{Exception: "AccessDeniedException", Reason: "ACCOUNT_DISABLED"}},
			reached + "bad account: the carrier says ACCOUNT_DISABLED"},
		"a key that expires": {aws.Config{From: "pool-1"}, answers{"DescribeAccountAttributes": awsfake.Refusal{Exception: "ExpiredTokenException"}},
			reached + "bad credentials: the carrier says ExpiredTokenException"},
	} {
		all := healthy()
		for operation, answer := range c.changes {
			all[operation] = answer
		}
		if got := examine(t, c.config, all, nil); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// What is wrong before the carrier says anything ends the examination, and is told without what was given.
func TestExamineFails(t *testing.T) {
	t.Parallel()
	if got := lines(t, open(t, aws.Config{Endpoint: gatewaytest.Nobody(t)}).Examine(t.Context(), nil)); got != "bad connection: no connection: connection refused" {
		t.Error(got)
	}
	late := func(f *awsfake.Fake) { f.Now = func() time.Time { return time.Now().Add(-time.Hour) } }
	if got := examine(t, aws.Config{}, nil, late); !strings.HasPrefix(got, gatewaytest.Begun()[0]+"\nbad clock: it is 3") || !strings.HasSuffix(got, "\nbad credentials: the carrier says InvalidSignatureException") {
		t.Error(got)
	}
	wrong := func(f *awsfake.Fake) { f.AccessKeySecret = secret.New("another") }
	if got := examine(t, aws.Config{}, nil, wrong); got != reached+"bad credentials: the carrier says InvalidSignatureException" {
		t.Error(got)
	}
}
