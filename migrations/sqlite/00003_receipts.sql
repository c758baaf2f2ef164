-- +goose Up

-- What a carrier says in its receipts that a message costs, beside our own figures: internal/records.Bill.
ALTER TABLE verifications ADD COLUMN billed_segments    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE verifications ADD COLUMN billed_cost_micros INTEGER NOT NULL DEFAULT 0;
ALTER TABLE verifications ADD COLUMN billed_currency    TEXT NOT NULL DEFAULT '';

-- One row for each message that receipts name by the carrier's id alone: internal/records.Handle. Whose it is and what was told
-- of it come in any order: sms_id is empty as long as only a receipt has come. Nothing in it is a person's.
CREATE TABLE handles (
    gateway            TEXT NOT NULL,
    provider_id        TEXT NOT NULL,
    sms_id             TEXT    NOT NULL,
    at                 INTEGER NOT NULL, -- when it came
    delivery           TEXT    NOT NULL,
    billed_segments    INTEGER NOT NULL,
    billed_cost_micros INTEGER NOT NULL,
    billed_currency    TEXT    NOT NULL,
    delivered_at       INTEGER,
    failed_at          INTEGER,
    failure            TEXT    NOT NULL,
    PRIMARY KEY (gateway, provider_id)
) STRICT, WITHOUT ROWID;
-- For the purge: of all, and of those that are nobody's.
CREATE INDEX handles_at ON handles (at);
CREATE INDEX handles_unclaimed ON handles (at) WHERE sms_id = '';
