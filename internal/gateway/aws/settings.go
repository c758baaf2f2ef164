package aws

import (
	"regexp"
	"time"

	"smsd/internal/gateway/carrier"
)

// What the vendor's model says of each (API version 2022-03-31; the SDK of 29 May 2026 has the same).
var (
	region   = regexp.MustCompile(`^[a-z]{2,3}(-[a-z]+){1,2}-[0-9]{1,2}$`)
	identity = regexp.MustCompile(`^[A-Za-z0-9_:/+-]{1,256}$`)
	resource = regexp.MustCompile(`^[A-Za-z0-9_:/-]{1,256}$`)
	price    = regexp.MustCompile(`^[0-9]{0,2}\.[0-9]{1,5}$`)
	india    = regexp.MustCompile(`^[!-~]{1,64}$`)
)

const minTTL, maxTTL = 5 * time.Second, 72 * time.Hour

// faults says what is wrong with c, without its values.
func (c Config) faults() carrier.Faults {
	f := carrier.Faults{}
	if !region.MatchString(c.Region) {
		f["region"] = "must be given: a region of AWS, as eu-central-1"
	}
	c.keys(f)
	c.receipts(f)
	const byName = "must be an id, a name or an ARN, as AWS shows it"
	for name, v := range map[string]struct {
		text string
		form *regexp.Regexp
		must string
	}{
		"from":                  {c.From, identity, "must be a pool, a number in E.164 or a sender id, by id, name or ARN"},
		"configuration_set":     {c.ConfigurationSet, resource, byName},
		"protect_configuration": {c.ProtectConfiguration, resource, byName},
		"max_price":             {c.MaxPrice, price, "must be US dollars with a dot, as 0.25"},
		"india_entity_id":       {c.IndiaEntityID, india, "must be the entity id of the registration, at most 64 characters"},
		"india_template_id":     {c.IndiaTemplateID, india, "must be the template id of the registration, at most 64 characters"},
	} {
		if v.text != "" && !v.form.MatchString(v.text) {
			f[name] = v.must
		}
	}
	if t := c.TTL; t != 0 && (t < minTTL || t > maxTTL || t%time.Second != 0) {
		f["ttl"] = "must be whole seconds, from 5s to 72h"
	}
	return f
}

// keys sees that they are complete, or not there at all.
func (c Config) keys(f carrier.Faults) {
	id, key := !c.AccessKeyID.IsZero(), !c.AccessKeySecret.IsZero()
	switch {
	case id && !key:
		f["access_key_secret"] = "must be given beside access_key_id"
	case key && !id:
		f["access_key_id"] = "must be given beside access_key_secret"
	case !c.SessionToken.IsZero() && !id:
		f["session_token"] = "must not be given without access_key_id and access_key_secret"
	}
}

// receipts sees that what proves them is complete, or not there at all.
func (c Config) receipts(f carrier.Faults) {
	if fault := carrier.PathSecretFault(c.ReceiptSecret); fault != "" {
		f["receipt_secret"] = fault
	}
	switch {
	case c.ReceiptTopic == "" && !c.ReceiptSecret.IsZero():
		f["receipt_topic"] = "must be given beside receipt_secret: the ARN of the topic"
	case c.ReceiptTopic == "":
	case c.ReceiptSecret.IsZero():
		f["receipt_secret"] = "must be given beside receipt_topic: openssl rand -hex 16 makes one"
	case !topicARN.MatchString(c.ReceiptTopic):
		f["receipt_topic"] = "must be the ARN of a topic of Amazon SNS, as arn:aws:sns:eu-central-1:111122223333:sms-events"
	}
}

// endpointOf returns the address of the API; nil: the region's.
func endpointOf(c Config, f carrier.Faults) *string {
	if c.Endpoint == "" {
		return nil
	}
	endpoint, err := carrier.Endpoint(c.Endpoint)
	if err != nil {
		f["endpoint"] = err.Error()
		return nil
	}
	text := endpoint.String()
	return &text
}
