-- +goose Up

-- The carrier's own word for why a message did not arrive, beside the reason: internal/records.Fate.
-- Handles come first, as for whoever writes both: instances of the version before go on meanwhile.
ALTER TABLE handles ADD COLUMN failure_code TEXT NOT NULL DEFAULT '';
ALTER TABLE verifications ADD COLUMN failure_code TEXT NOT NULL DEFAULT '';
