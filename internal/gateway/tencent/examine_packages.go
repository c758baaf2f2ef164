package tencent

import (
	"context"
	"slices"
	"strconv"
	"time"

	"smsd/internal/gateway/carrier"
)

const (
	// maxPackages is as many as the vendor tells at once (cloud.tencent.com/document/api/382/55964, November 2026).
	maxPackages = 500
	// oldest is how old a package may be that is still asked about.
	oldest = 3 * 365 * 24 * time.Hour
	// fewMessages is how many are left when somebody should look: a small service's day or two, a large one's minutes.
	fewMessages = 1000
)

// hour writes an instant as the vendor wants it.
func hour(at time.Time) string { return carrier.InChina(at).Format("2006010215") }

// paid is a package of messages that is paid for: times are in seconds since 1970.
type paid struct {
	PackageEffectiveTime, PackageExpiredTime int64
	PackageAmount, CurrentUsage              int64
}

// left returns how many messages of it are left at that instant.
func (p paid) left(now time.Time) int64 {
	if p.PackageExpiredTime <= now.Unix() || p.PackageEffectiveTime > now.Unix() {
		return 0
	}
	return max(0, p.PackageAmount-p.CurrentUsage)
}

// packages asks what is left of the packages of messages. The end must be before the vendor's now.
func (e *examination) packages(ctx context.Context) {
	const what = "packages"
	now := e.g.config.Now()
	var r struct{ SmsPackagesStatisticsSet []paid }
	code, ok := e.ask(ctx, question{what, "SmsPackagesStatistics", map[string]any{
		"SmsSdkAppId": e.g.config.AppID, "Limit": maxPackages, "Offset": 0,
		"BeginTime": hour(now.Add(-oldest)), "EndTime": hour(now.Add(-time.Hour)),
	}}, &r)
	switch {
	case !ok:
	case slices.Contains(strangers, code):
		e.Bad("application", "the carrier says "+carrier.Word(code), "see that app_id is the SDK AppID of an application of this account, and that it is enabled")
	case code != "":
		e.Unsaid(what, code)
	default:
		e.remaining(what, r.SmsPackagesStatisticsSet, now)
	}
}

// strangers are the codes of an application that is not the account's, or not in use.
var strangers = []string{
	"InvalidParameterValue.SdkAppIdNotExist", "UnauthorizedOperation.SmsSdkAppIdVerifyFail", "UnauthorizedOperation.SdkAppIdIsDisabled",
}

func (e *examination) remaining(what string, all []paid, now time.Time) {
	n := int64(0)
	for _, p := range all {
		n += p.left(now)
	}
	switch {
	case n == 0:
		e.Doubtful(what, "no message is left in them", "buy a package, unless messages go to other countries or are paid for by the month")
	case n < fewMessages:
		e.Doubtful(what, strconv.FormatInt(n, 10)+" messages are left", "buy a package, and let the carrier warn you")
	default:
		e.Good(what, strconv.FormatInt(n, 10)+" messages are left")
	}
}
