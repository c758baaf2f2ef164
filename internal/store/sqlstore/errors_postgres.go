package sqlstore

import (
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// Classes of SQLSTATE (PostgreSQL 17, appendix A).
var (
	// spoken are those whose messages hold names and numbers alone: connection, authorization, names of databases and schemas,
	// syntax and permission, resources, limits, state, operator, system. Messages of data (22) and constraints (23) may quote a row.
	spoken = []string{"08", "28", "3D", "3F", "42", "53", "54", "55", "57", "58"}
	// passing are those after which the same may succeed: connection, a transaction that met another one,
	// resources, a lock, an operator's intervention, the system.
	passing = []string{"08", "40", "53", "55", "57", "58"}
	// content are those that are about a value of a row: data, as text that the database's encoding has not; constraints; the
	// condition of a view; and what a trigger raises.
	content = []string{"22", "23", "44", "P0"}
	// adviceByClass is what to do about those that refuse a connection for good: authorization, the name of the database.
	adviceByClass = map[string]string{"28": adviceLogin, "3D": adviceDatabase}
)

// readOnly is a server that is a standby now, as for a while in a failover.
const readOnly = "25006"

func explainPostgres(e *pgconn.PgError) (text string, passes bool) {
	class := e.Code[:min(2, len(e.Code))]
	text = "PostgreSQL: SQLSTATE " + e.Code
	if slices.Contains(spoken, class) {
		text += ": " + oneLine(e.Message)
	}
	if advice := adviceByClass[class]; advice != "" {
		text += ": " + advice
	}
	return text, slices.Contains(passing, class) || e.Code == readOnly
}

func isContentOfPostgres(e *pgconn.PgError) bool {
	return slices.Contains(content, e.Code[:min(2, len(e.Code))])
}
