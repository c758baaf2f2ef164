package sqlstore

import (
	"context"
	"database/sql"
	"sync"
)

// prepared keeps statements that SQLite has compiled, by their text: to compile one takes longer than to run it. They are for
// texts of which there are few, as of [writings], since none is given up before the connections are closed. SQLite
// compiles one again by itself where the schema has changed, and [sql.Stmt] where a connection was replaced. Safe for concurrent use.
type prepared struct {
	on *sql.DB

	mu  sync.Mutex
	all map[string]*sql.Stmt
}

func newPrepared(on *sql.DB) *prepared { return &prepared{on: on, all: map[string]*sql.Stmt{}} }

// of returns the statement of a text. It may need a connection, so that nobody calls it who has the only one.
func (p *prepared) of(ctx context.Context, text string) (*sql.Stmt, error) {
	if s := p.known(text); s != nil {
		return s, nil
	}
	s, err := p.on.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.all[text]; first != nil {
		return first, s.Close()
	}
	p.all[text] = s
	return s, nil
}

func (p *prepared) known(text string) *sql.Stmt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all[text]
}

// onceInSQLite is SQLite's once: one statement after the other, compiled before.
func onceInSQLite(ctx context.Context, p *pools, count []any, rest []statement) error {
	all := append([]statement{{countBatch, count}}, rest...)
	compiled := make([]*sql.Stmt, len(all))
	for i, s := range all {
		var err error
		if compiled[i], err = p.kept.of(ctx, s.text); err != nil {
			return err
		}
	}
	return inTransaction(ctx, p.write, nil, func(t *sql.Tx) error {
		for i, s := range all {
			changed, err := changedBy(t.StmtContext(ctx, compiled[i]).ExecContext(ctx, s.values...))
			if err != nil || i == 0 && changed == 0 {
				return err
			}
		}
		return nil
	})
}
