package app

import (
	"context"

	"smsd/internal/config"
	"smsd/internal/store/redisstore"
)

// examineDatabase looks at the database as the start would find it. It takes half a minute at most.
func examineDatabase(ctx context.Context, cfg *config.Config) []Checked {
	d, err := newDatabase(cfg)
	if err != nil {
		return []Checked{{"database.url", redisstore.Checked{Check: "reach", State: redisstore.Finding, Seen: err.Error(), Do: "change it"}}}
	}
	prefix := ""
	if cfg.Database.URL.IsZero() {
		prefix = "database-" // in the folder it is one thing of several
	}
	var all []Checked
	for _, c := range d.Examine(ctx) {
		state := redisstore.OK
		if c.Do != "" {
			state = redisstore.Finding
		}
		all = append(all, Checked{d.setting, redisstore.Checked{Check: prefix + c.Name, State: state, Seen: c.Seen, Do: c.Do}})
	}
	return all
}
