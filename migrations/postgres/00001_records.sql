-- +goose Up

-- One row for each accepted send: internal/records.Verification. Ids compare by bytes, in any locale.
-- There is room beside each row for what becomes of it, so that no index changes then.
CREATE TABLE verifications (
    sms_id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    app            TEXT    NOT NULL,
    scene          TEXT    NOT NULL,
    request_id     TEXT    NOT NULL,
    country        TEXT    NOT NULL,
    prefix         TEXT    NOT NULL,
    phone          BYTEA,
    host           BYTEA,
    network        BYTEA,
    device         BYTEA,
    sealed         BYTEA,
    policy_version TEXT    NOT NULL,
    created_at     BIGINT  NOT NULL,
    expires_at     BIGINT  NOT NULL,
    gateway        TEXT    NOT NULL,
    delivery       TEXT    NOT NULL,
    segments       BIGINT  NOT NULL,
    cost_micros    BIGINT  NOT NULL,
    currency       TEXT    NOT NULL,
    delivered_at   BIGINT,
    verified_at    BIGINT,
    failed_at      BIGINT,
    failure        TEXT    NOT NULL,
    resends        BIGINT  NOT NULL,
    resent_at      BIGINT,
    expired_at     BIGINT
) WITH (fillfactor = 85);

-- The newest first, of all apps or of one; the first serves the purge too.
CREATE INDEX verifications_created ON verifications (created_at, sms_id);
CREATE INDEX verifications_app ON verifications (app, created_at, sms_id);
-- What there is about a number: for support, for its owner, and to erase it.
CREATE INDEX verifications_phone ON verifications (phone, created_at) WHERE phone IS NOT NULL;

-- One row for each attempt, or for several that were folded into it: internal/records.Decision.
CREATE TABLE decisions (
    id             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at             BIGINT  NOT NULL,
    request_id     TEXT    NOT NULL,
    app            TEXT    NOT NULL,
    action         TEXT    NOT NULL,
    scene          TEXT    NOT NULL,
    outcome        TEXT    NOT NULL,
    sms_id         TEXT    NOT NULL,
    country        TEXT    NOT NULL,
    prefix         TEXT    NOT NULL,
    phone          BYTEA,
    host           BYTEA,
    network        BYTEA,
    device         BYTEA,
    rule           TEXT    NOT NULL,
    rule_used      BIGINT  NOT NULL,
    rule_limit     BIGINT  NOT NULL,
    shadow         TEXT    NOT NULL, -- a JSON list of rules, or empty
    gateway        TEXT    NOT NULL,
    policy_version TEXT    NOT NULL,
    folded         BIGINT  NOT NULL
);

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
    writer TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    seq    BIGINT  NOT NULL,
    at     BIGINT  NOT NULL
);

-- internal/apikey.Record.
CREATE TABLE api_keys (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    app          TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    origins      TEXT    NOT NULL, -- a JSON list, or empty
    hint         TEXT    NOT NULL,
    hash         BYTEA   NOT NULL UNIQUE,
    rotated      TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);

-- One row, that counts the changes of api_keys, so that instances see at once whether there was one.
CREATE TABLE api_keys_version (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    version BIGINT  NOT NULL
);
INSERT INTO api_keys_version (one, version) VALUES (1, 1);

-- internal/idempotency.Entry.
CREATE TABLE idempotency (
    id         BYTEA   NOT NULL PRIMARY KEY,
    content    BYTEA   NOT NULL,
    sms_id     TEXT    NOT NULL,
    answer     BYTEA,
    started_at BIGINT  NOT NULL,
    expires_at BIGINT  NOT NULL
);
CREATE INDEX idempotency_expires ON idempotency (expires_at);

-- Tokens that were used up. A row is of no use once its token has expired.
CREATE TABLE consumed_tokens (
    jti         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    app         TEXT    NOT NULL,
    consumed_at BIGINT  NOT NULL,
    expires_at  BIGINT  NOT NULL
);
CREATE INDEX consumed_tokens_expires ON consumed_tokens (expires_at);
