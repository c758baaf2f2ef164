package aws

import (
	"context"
	"strconv"

	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"
	"github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2/types"
)

// tier asks whether the account is in the sandbox, where it reaches ten verified numbers, for a dollar a month
// (docs.aws.amazon.com/sms-voice/latest/userguide/sandbox.html, November 2026).
func (e *examination) tier(ctx context.Context) {
	const what = "account"
	var out *sms.DescribeAccountAttributesOutput
	if !e.ask(question{what, "DescribeAccountAttributes", func(over func(*sms.Options)) (err error) {
		out, err = e.g.sms.DescribeAccountAttributes(ctx, &sms.DescribeAccountAttributesInput{}, over)
		return err
	}}) || out == nil {
		return
	}
	for _, a := range out.AccountAttributes {
		if a.Name != types.AccountAttributeNameAccountTier || a.Value == nil {
			continue
		}
		switch *a.Value {
		case "PRODUCTION":
			e.Good(what, "it is in production")
		case "SANDBOX":
			e.Bad(what, "it is in the sandbox: only verified numbers get messages", "ask AWS for production access in this region")
		}
	}
}

// spendLimit asks what the account may spend on texts in a month.
func (e *examination) spendLimit(ctx context.Context) {
	const what = "spend limit"
	var out *sms.DescribeSpendLimitsOutput
	if !e.ask(question{what, "DescribeSpendLimits", func(over func(*sms.Options)) (err error) {
		out, err = e.g.sms.DescribeSpendLimits(ctx, &sms.DescribeSpendLimitsInput{}, over)
		return err
	}}) || out == nil {
		return
	}
	for _, l := range out.SpendLimits {
		if l.Name != types.SpendLimitNameTextMessageMonthlySpendLimit {
			continue
		}
		text := strconv.FormatInt(l.EnforcedLimit, 10) + " US dollars a month, of at most " + strconv.FormatInt(l.MaxLimit, 10)
		if l.EnforcedLimit <= 1 { // what a new account has
			e.Doubtful(what, text, "raise it, or ask AWS to: when it is reached, no message goes till the month ends")
			continue
		}
		e.Good(what, text)
	}
}

// configurationSet asks for the one that the settings name.
func (e *examination) configurationSet(ctx context.Context) {
	name := e.g.config.ConfigurationSet
	if name == "" {
		return
	}
	const what = "configuration set"
	var out *sms.DescribeConfigurationSetsOutput
	if !e.ask(question{what, "DescribeConfigurationSets", func(over func(*sms.Options)) (err error) {
		out, err = e.g.sms.DescribeConfigurationSets(ctx, &sms.DescribeConfigurationSetsInput{ConfigurationSetNames: []string{name}}, over)
		return err
	}}) {
		return
	}
	if out == nil || len(out.ConfigurationSets) == 0 {
		e.missing(what, "configuration_set")
		return
	}
	e.Good(what, "it is there")
}

// missing is a thing that the settings name and the account lacks.
func (e *examination) missing(what, setting string) {
	e.Bad(what, "there is none in this region", "set "+setting+" of the gateway to one of the carrier's console, or region to where it is")
}
