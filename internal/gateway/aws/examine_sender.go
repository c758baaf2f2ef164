package aws

import (
	"context"
	"strings"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"
	"github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2/types"
)

// sender asks for whoever sends. What that is shows in its form: ids of pools and numbers begin with pool- and phone-, an ARN says it, and
// all else is a sender id.
func (e *examination) sender(ctx context.Context) {
	switch from := e.g.config.From; {
	case from == "":
		e.Doubtful("from", "AWS chooses among all that the account has", "set from of the gateway, best to a pool")
	case strings.HasPrefix(from, "pool-"), strings.Contains(from, ":pool/"):
		e.pool(ctx, from)
	case strings.HasPrefix(from, "phone-"), strings.Contains(from, ":phone-number/"):
		e.number(ctx, from, &sms.DescribePhoneNumbersInput{PhoneNumberIds: []string{from}})
	case strings.HasPrefix(from, "+"):
		e.number(ctx, from, &sms.DescribePhoneNumbersInput{MaxResults: sdk.Int32(maxResults)})
	case strings.Contains(from, ":"):
		e.Doubtful("from", "it is not looked for by its ARN", "look at the carrier's console")
	default:
		e.senderID(ctx, from)
	}
}

// maxResults is how many things the vendor tells at once, at the most.
const maxResults = 100

func (e *examination) pool(ctx context.Context, id string) {
	const what = "pool"
	var out *sms.DescribePoolsOutput
	if !e.ask(question{what, "DescribePools", func(over func(*sms.Options)) (err error) {
		out, err = e.g.sms.DescribePools(ctx, &sms.DescribePoolsInput{PoolIds: []string{id}}, over)
		return err
	}}) {
		return
	}
	if out == nil || len(out.Pools) == 0 {
		e.missing(what, "from")
		return
	}
	e.sends(what, string(out.Pools[0].Status), out.Pools[0].MessageType)
}

func (e *examination) number(ctx context.Context, from string, in *sms.DescribePhoneNumbersInput) {
	const what = "number"
	var out *sms.DescribePhoneNumbersOutput
	if !e.ask(question{what, "DescribePhoneNumbers", func(over func(*sms.Options)) (err error) {
		out, err = e.g.sms.DescribePhoneNumbers(ctx, in, over)
		return err
	}}) {
		return
	}
	if out != nil {
		for _, n := range out.PhoneNumbers {
			if len(in.PhoneNumberIds) != 0 || sdk.ToString(n.PhoneNumber) == from {
				e.sends(what, string(n.Status), n.MessageType)
				return
			}
		}
		if out.NextToken != nil {
			e.Doubtful(what, "it is not among the first of the account's numbers", "look at the carrier's console")
			return
		}
	}
	e.missing(what, "from")
}

func (e *examination) senderID(ctx context.Context, id string) {
	const what = "sender id"
	var out *sms.DescribeSenderIdsOutput
	if !e.ask(question{what, "DescribeSenderIds", func(over func(*sms.Options)) (err error) {
		out, err = e.g.sms.DescribeSenderIds(ctx, &sms.DescribeSenderIdsInput{
			Filters: []types.SenderIdFilter{{Name: types.SenderIdFilterNameSenderId, Values: []string{id}}}}, over)
		return err
	}}) {
		return
	}
	if out == nil || len(out.SenderIds) == 0 {
		e.Doubtful(what, "the account has no such", "in countries that let anybody use any, messages go; elsewhere request it from AWS")
		return
	}
	var countries []string
	for _, s := range out.SenderIds {
		countries = append(countries, sdk.ToString(s.IsoCountryCode))
	}
	e.Good(what, "it is there for "+strings.Join(countries, ", "))
}

// sends says whether messages like ours go from a pool or a number of that status and type.
func (e *examination) sends(what, status string, messages types.MessageType) {
	switch {
	case status != "ACTIVE":
		e.Bad(what, "it is not active", "wait until it is, or look at the carrier's console")
	case messages == types.MessageTypePromotional:
		e.Bad(what, "it sends promotional messages alone", "take one that is transactional")
	default:
		e.Good(what, "it is active")
	}
}
