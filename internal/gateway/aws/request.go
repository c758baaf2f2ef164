package aws

import (
	"strings"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"
	"github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2/types"

	"smsd/internal/gateway"
)

// contextID is the name under which the vendor's events repeat a message's id, so that they are understood even where the
// answer with the vendor's own was lost.
const contextID = "smsd_message_id"

// input returns the parameters of a message.
func (g *Gateway) input(m gateway.Message) *sms.SendTextMessageInput {
	in := &sms.SendTextMessageInput{
		DestinationPhoneNumber:       sdk.String(m.Phone.E164()),
		MessageBody:                  sdk.String(m.Text.Reveal()),
		MessageType:                  types.MessageTypeTransactional,
		OriginationIdentity:          given(g.config.From),
		ConfigurationSetName:         given(g.config.ConfigurationSet),
		ProtectConfigurationId:       given(g.config.ProtectConfiguration),
		MaxPrice:                     given(g.config.MaxPrice),
		DestinationCountryParameters: g.country(m),
	}
	if m.ID != "" {
		in.Context = map[string]string{contextID: m.ID}
	}
	if g.config.TTL > 0 {
		in.TimeToLive = sdk.Int32(int32(g.config.TTL / time.Second)) // at most maxTTL
	}
	return in
}

// country returns what the vendor wants to know for one country: the registration in India.
func (g *Gateway) country(m gateway.Message) map[string]string {
	if !strings.HasPrefix(m.Phone.E164(), "+91") {
		return nil
	}
	template := m.Template.Code
	if template == "" {
		template = g.config.IndiaTemplateID
	}
	params := map[string]string{}
	for key, value := range map[types.DestinationCountryParameterKey]string{
		types.DestinationCountryParameterKeyInEntityId:   g.config.IndiaEntityID,
		types.DestinationCountryParameterKeyInTemplateId: template,
	} {
		if value != "" {
			params[string(key)] = value
		}
	}
	return params
}

// given returns nil for a setting that is not there.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
