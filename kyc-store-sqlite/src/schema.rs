//! The tables.

/// Marks the database as one of this service: `KYC1`.
pub(crate) const APPLICATION_ID: i32 = 0x4b59_4331;

/// Bytes in a page of the database.
pub(crate) const PAGE_BYTES: u32 = 4_096;

/// The steps that lead from an empty database to the current schema, one for each release that
/// changed it. Append; never edit: each database remembers what it was made with.
pub(crate) const STEPS: &[&str] = &[
    "
    -- The steps that were applied, with the SHA-256 of their text.
    CREATE TABLE schema_step (
        version     INTEGER NOT NULL PRIMARY KEY,
        checksum    BLOB    NOT NULL
    ) STRICT;

    -- Single values: 'pepper', the fingerprint of the pepper; 'directory', a number that changes
    -- with every change of clients, keys and inspectors.
    CREATE TABLE state (
        name        TEXT    NOT NULL PRIMARY KEY,
        value       ANY     NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO state (name, value) VALUES ('directory', 0);

    CREATE TABLE client (
        number      INTEGER NOT NULL PRIMARY KEY CHECK (number BETWEEN 1 AND 0x7fffff),
        name        TEXT    NOT NULL UNIQUE,
        prefix      TEXT    NOT NULL UNIQUE,
        created_ms  INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE api_key (
        id          TEXT    NOT NULL PRIMARY KEY,
        client      INTEGER NOT NULL REFERENCES client (number),
        hash        BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
        created_ms  INTEGER NOT NULL,
        revoked_ms  INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE inspector (
        name        TEXT    NOT NULL PRIMARY KEY,
        id          TEXT    NOT NULL UNIQUE,
        hash        BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
        sees_all    INTEGER NOT NULL CHECK (sees_all IN (0, 1)),
        created_ms  INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE inspector_client (
        inspector   TEXT    NOT NULL REFERENCES inspector (name) ON DELETE CASCADE,
        client      INTEGER NOT NULL REFERENCES client (number),
        PRIMARY KEY (inspector, client)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE document (
        client      INTEGER NOT NULL,
        id          BLOB    NOT NULL CHECK (length(id) = 16),
        handle      TEXT    NOT NULL,
        format      TEXT    NOT NULL,
        size_bytes  INTEGER NOT NULL,
        checksum    BLOB    NOT NULL CHECK (length(checksum) = 16),
        created_ms  INTEGER NOT NULL,
        PRIMARY KEY (client, id)
    ) STRICT, WITHOUT ROWID;

    -- The key joins the client's number and the position within the client (40 bits): the list of a
    -- client is one range of the table, and new rows stand at its end.
    -- The keys of e-mail, user and person are keyed digests of 64 bits that include the client. The
    -- person of a row that can never be reported as a duplicate is null.
    -- The standing joins the rank of the status and the creation in milliseconds (48 bits).
    -- Screening is 1 while the row waits for it, 2 after a try without a result.
    CREATE TABLE submission (
        key         INTEGER NOT NULL PRIMARY KEY,
        client      INTEGER NOT NULL CHECK (client = key >> 40),
        id          BLOB    NOT NULL CHECK (length(id) = 16),
        created_ms  INTEGER NOT NULL,
        version     INTEGER NOT NULL,
        standing    INTEGER NOT NULL CHECK (created_ms = standing & 0xffffffffffff),
        screening   INTEGER,
        email_key   INTEGER NOT NULL,
        user_key    INTEGER,
        person_key  INTEGER,
        record      BLOB    NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX submission_id ON submission (id, client);
    CREATE INDEX submission_client ON submission (client, standing);
    CREATE INDEX submission_email ON submission (email_key, standing);
    CREATE INDEX submission_user ON submission (user_key, standing)
        WHERE user_key IS NOT NULL;
    CREATE INDEX submission_person ON submission (person_key, created_ms)
        WHERE person_key IS NOT NULL;
    CREATE INDEX submission_screening ON submission (screening, created_ms)
        WHERE screening IS NOT NULL;
",
    "
    -- Screening is 3 where there is a result. The approved without a value had one: bits from 48 on
    -- of the standing are the rank of the status, 3 for approved.
    UPDATE submission SET screening = 3 WHERE screening IS NULL AND standing >> 48 = 3;

    -- 1 where an inspector should look at the result. Nobody could decide on hits before, so those
    -- with hits: byte 30 of their record tells the risk that was found, from 9 for low to 11 for
    -- high.
    ALTER TABLE submission ADD COLUMN needs_look INTEGER CHECK (needs_look = 1);
    UPDATE submission SET needs_look = 1
        WHERE screening = 3 AND substr(record, 30, 1) BETWEEN x'09' AND x'0b';
    CREATE INDEX submission_needs_look ON submission (client, standing)
        WHERE needs_look = 1;

    -- How far monitoring is: nothing is covered, and nothing under way.
    INSERT INTO state (name, value) VALUES ('monitoring', x'010000');
",
    "
    -- Sealing. Single values of it in `state`: 'master', the fingerprint of the master key, where
    -- there is a vault; 'master.version', how often it was replaced; 'pepper.sealed', the pepper as
    -- that key has wrapped it; 'keys', a number that changes whenever a key is replaced or destroyed;
    -- 'clear', 1 while something may still be in clear in a sealed store, 2 while there may be traces
    -- of that, 0 then.
    INSERT INTO state (name, value) VALUES ('keys', 0);

    -- The keys of clients, wrapped by the master key. At most one of a client is active. Uses are
    -- reserved in blocks.
    CREATE TABLE client_key (
        client      INTEGER NOT NULL,
        version     INTEGER NOT NULL,
        state       TEXT    NOT NULL CHECK (state IN ('active', 'decrypt-only', 'destroyed')),
        wrapped     BLOB    CHECK ((wrapped IS NULL) = (state = 'destroyed')),
        uses        INTEGER NOT NULL,
        PRIMARY KEY (client, version)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX client_key_active ON client_key (client) WHERE state = 'active';

    -- The key of the row, wrapped by the client's. Without one, the row is in clear. Under one, handle
    -- and format of a document are empty, and sealed together in `head`.
    ALTER TABLE submission ADD COLUMN data_key BLOB CHECK (length(data_key) = 64);
    ALTER TABLE document ADD COLUMN data_key BLOB CHECK (length(data_key) = 64);
    ALTER TABLE document ADD COLUMN head BLOB;

    -- Audit.

    -- The key joins the client's number, 0 for the service, and the position within its chain (40
    -- bits). The hash is keyed, over the hash before and the record.
    CREATE TABLE audit (
        key         INTEGER NOT NULL PRIMARY KEY,
        record      BLOB    NOT NULL,
        hash        BLOB    NOT NULL CHECK (length(hash) = 32)
    ) STRICT;

    -- The end of each chain, signed, so that it cannot be cut off unnoticed.
    CREATE TABLE audit_head (
        client      INTEGER NOT NULL PRIMARY KEY,
        position    INTEGER NOT NULL,
        hash        BLOB    NOT NULL CHECK (length(hash) = 32),
        signature   BLOB    NOT NULL CHECK (length(signature) = 32)
    ) STRICT;

    -- The number of the last client of whom the audit may not know.
    INSERT INTO state (name, value)
    SELECT 'clients_before_audit', coalesce(max(number), 0) FROM client;

    -- Answers that are given again.
    -- The key joins caller and Idempotency-Key, the fingerprint is of all that was asked: keyed
    -- digests of 128 bits. About is the id of the submission or document that the answer tells of.
    CREATE TABLE replay (
        number      INTEGER NOT NULL PRIMARY KEY,
        key         BLOB    NOT NULL UNIQUE CHECK (length(key) = 16),
        fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 16),
        client      INTEGER NOT NULL,
        about       BLOB    NOT NULL CHECK (length(about) = 16),
        at_ms       INTEGER NOT NULL,
        status      INTEGER NOT NULL,
        body        BLOB    NOT NULL
    ) STRICT;
    CREATE INDEX replay_at ON replay (at_ms);
    CREATE INDEX replay_about ON replay (about, client);

    -- Retention.

    -- The last day of the relationship with the applicant, in days since 1970, where it was told.
    ALTER TABLE submission ADD COLUMN ended INTEGER;
    CREATE INDEX submission_ended ON submission (client, ended) WHERE ended IS NOT NULL;

    -- Which submissions, by their keys, refer to a document.
    CREATE TABLE document_use (
        client      INTEGER NOT NULL,
        document    BLOB    NOT NULL CHECK (length(document) = 16),
        submission  INTEGER NOT NULL,
        PRIMARY KEY (client, document, submission)
    ) STRICT, WITHOUT ROWID;

    -- Documents to which no submission may refer any more. The file is 1 while it may be there. What
    -- was erased on request has a certificate, with a tag under the pepper.
    CREATE TABLE erased_document (
        client      INTEGER NOT NULL,
        id          BLOB    NOT NULL CHECK (length(id) = 16),
        erased_ms   INTEGER NOT NULL,
        file        INTEGER CHECK (file = 1),
        record      BLOB,
        tag         BLOB    CHECK (length(tag) = 32),
        PRIMARY KEY (client, id),
        CHECK ((record IS NULL) = (tag IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX erased_document_file ON erased_document (client, id) WHERE file = 1;

    -- What is left of erased submissions, with a tag under the pepper.
    CREATE TABLE certificate (
        client      INTEGER NOT NULL,
        submission  BLOB    NOT NULL CHECK (length(submission) = 16),
        record      BLOB    NOT NULL,
        tag         BLOB    NOT NULL CHECK (length(tag) = 32),
        PRIMARY KEY (client, submission)
    ) STRICT, WITHOUT ROWID;

    -- 'retention', how the runs have gone; 'unscrubbed', how many erasures may leave traces in
    -- files; 'uses_missing', 1 until the submissions of an older schema are in document_use.
    INSERT INTO state (name, value)
    VALUES ('retention', x'010000'), ('unscrubbed', 0), ('uses_missing', 1);

    -- How far the clock of a sandbox is ahead. Null for clients who live by everybody's clock.
    ALTER TABLE client ADD COLUMN sandbox_ms INTEGER;

    -- Quotas.

    -- What a client has stored: the bytes of all its documents, and how many on the last day on
    -- which there were any (days since 1970, UTC).
    CREATE TABLE usage (
        client          INTEGER NOT NULL PRIMARY KEY,
        document_bytes  INTEGER NOT NULL,
        day             INTEGER NOT NULL,
        uploads         INTEGER NOT NULL
    ) STRICT;
    INSERT INTO usage SELECT client, sum(size_bytes), 0, 0 FROM document GROUP BY client;
    CREATE TRIGGER document_stored AFTER INSERT ON document BEGIN
        INSERT INTO usage (client, document_bytes, day, uploads)
            VALUES (NEW.client, NEW.size_bytes, NEW.created_ms / 86400000, 1)
        ON CONFLICT (client) DO UPDATE SET
            document_bytes = document_bytes + NEW.size_bytes,
            uploads = iif(day < excluded.day, 1, uploads + 1),
            day = max(day, excluded.day);
    END;
    CREATE TRIGGER document_removed AFTER DELETE ON document BEGIN
        UPDATE usage SET document_bytes = document_bytes - OLD.size_bytes
            WHERE client = OLD.client;
    END;
",
];
