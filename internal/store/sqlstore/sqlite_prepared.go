package sqlstore

import (
	"context"
	"database/sql"
	"sync"
)

// prepared keeps statements that SQLite has compiled, by their text: to compile one takes longer than to run it. It is for texts
// of which there are few, as of [writings], since none is given up. SQLite compiles one again by itself where the schema
// has changed, and [sql.Stmt] where a connection was replaced; they end with the connections. Safe for concurrent use.
type prepared struct {
	on *sql.DB

	mu     sync.Mutex
	all    map[string]*sql.Stmt
	wanted map[string]bool // texts that were run and not kept
}

func newPrepared(on *sql.DB) *prepared {
	return &prepared{on: on, all: map[string]*sql.Stmt{}, wanted: map[string]bool{}}
}

// of returns the statement of a text, or nil; from the next compile on there is one.
func (p *prepared) of(text string) *sql.Stmt {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.all[text]
	if s == nil {
		p.wanted[text] = true
	}
	return s
}

// compile compiles what was wanted. It needs a connection, so that nobody calls it who has the only one.
func (p *prepared) compile(ctx context.Context) error {
	for {
		text, found := p.want()
		if !found {
			return nil
		}
		s, err := p.on.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		p.keep(text, s)
	}
}

// want returns one text that is wanted, and wants it no longer: if it cannot be compiled now, it is wanted when it is run again.
func (p *prepared) want() (text string, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for text = range p.wanted {
		delete(p.wanted, text)
		return text, true
	}
	return "", false
}

func (p *prepared) keep(text string, s *sql.Stmt) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all[text] != nil {
		_ = s.Close() // somebody else was first
		return
	}
	p.all[text] = s
}

// compiledTx is a transaction in which statements that are kept need not be compiled.
type compiledTx struct {
	*sql.Tx
	kept *prepared
}

func (t compiledTx) ExecContext(ctx context.Context, text string, values ...any) (sql.Result, error) {
	if s := t.kept.of(text); s != nil {
		return t.StmtContext(ctx, s).ExecContext(ctx, values...)
	}
	return t.Tx.ExecContext(ctx, text, values...)
}

func (t compiledTx) QueryContext(ctx context.Context, text string, values ...any) (*sql.Rows, error) {
	if s := t.kept.of(text); s != nil {
		return t.StmtContext(ctx, s).QueryContext(ctx, values...)
	}
	return t.Tx.QueryContext(ctx, text, values...)
}
