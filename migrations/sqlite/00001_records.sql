-- +goose Up

-- One row for each accepted send: internal/records.Verification.
CREATE TABLE verifications (
    sms_id         TEXT    NOT NULL PRIMARY KEY,
    app            TEXT    NOT NULL,
    scene          TEXT    NOT NULL,
    request_id     TEXT    NOT NULL,
    country        TEXT    NOT NULL,
    prefix         TEXT    NOT NULL,
    phone          BLOB,
    host           BLOB,
    network        BLOB,
    device         BLOB,
    sealed         BLOB,
    policy_version TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL,
    gateway        TEXT    NOT NULL,
    delivery       TEXT    NOT NULL,
    segments       INTEGER NOT NULL,
    cost_micros    INTEGER NOT NULL,
    currency       TEXT    NOT NULL,
    delivered_at   INTEGER,
    verified_at    INTEGER,
    failed_at      INTEGER,
    failure        TEXT    NOT NULL,
    resends        INTEGER NOT NULL,
    resent_at      INTEGER,
    expired_at     INTEGER
) STRICT;

-- The newest first, of all apps or of one; the first serves the purge too.
CREATE INDEX verifications_created ON verifications (created_at, sms_id);
CREATE INDEX verifications_app ON verifications (app, created_at, sms_id);
-- What there is about a number: for support, for its owner, and to erase it.
CREATE INDEX verifications_phone ON verifications (phone, created_at) WHERE phone IS NOT NULL;

-- One row for each attempt, or for several that were folded into it: internal/records.Decision.
CREATE TABLE decisions (
    id             INTEGER PRIMARY KEY,
    at             INTEGER NOT NULL,
    request_id     TEXT    NOT NULL,
    app            TEXT    NOT NULL,
    action         TEXT    NOT NULL,
    scene          TEXT    NOT NULL,
    outcome        TEXT    NOT NULL,
    sms_id         TEXT    NOT NULL,
    country        TEXT    NOT NULL,
    prefix         TEXT    NOT NULL,
    phone          BLOB,
    host           BLOB,
    network        BLOB,
    device         BLOB,
    rule           TEXT    NOT NULL,
    rule_used      INTEGER NOT NULL,
    rule_limit     INTEGER NOT NULL,
    shadow         TEXT    NOT NULL, -- a JSON list of rules, or empty
    gateway        TEXT    NOT NULL,
    policy_version TEXT    NOT NULL,
    folded         INTEGER NOT NULL
) STRICT;

CREATE INDEX decisions_at ON decisions (at, id);
CREATE INDEX decisions_app ON decisions (app, at, id);
CREATE INDEX decisions_request ON decisions (request_id);
-- A subject's latest, for fraud teams. Most requests name no device.
CREATE INDEX decisions_phone ON decisions (phone, at) WHERE phone IS NOT NULL;
CREATE INDEX decisions_host ON decisions (host, at) WHERE host IS NOT NULL;
CREATE INDEX decisions_network ON decisions (network, at) WHERE network IS NOT NULL;
CREATE INDEX decisions_device ON decisions (device, at) WHERE device IS NOT NULL;

-- The last batch of each writer: what was written is not written again.
CREATE TABLE writers (
    writer TEXT    NOT NULL PRIMARY KEY,
    seq    INTEGER NOT NULL,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- internal/apikey.Record.
CREATE TABLE api_keys (
    id           TEXT    NOT NULL PRIMARY KEY,
    app          TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    origins      TEXT    NOT NULL, -- a JSON list, or empty
    hint         TEXT    NOT NULL,
    hash         BLOB    NOT NULL UNIQUE,
    rotated      TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;

-- One row, that counts the changes of api_keys, so that instances see at once whether there was one.
CREATE TABLE api_keys_version (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL
) STRICT;
INSERT INTO api_keys_version (one, version) VALUES (1, 1);

-- internal/idempotency.Entry.
CREATE TABLE idempotency (
    id         BLOB    NOT NULL PRIMARY KEY,
    content    BLOB    NOT NULL,
    sms_id     TEXT    NOT NULL,
    answer     BLOB,
    started_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_expires ON idempotency (expires_at);

-- Tokens that were used up. A row is of no use once its token has expired.
CREATE TABLE consumed_tokens (
    jti         TEXT    NOT NULL PRIMARY KEY,
    app         TEXT    NOT NULL,
    consumed_at INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX consumed_tokens_expires ON consumed_tokens (expires_at);
