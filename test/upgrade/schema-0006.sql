-- What `pg_dump` makes of a database at migration 0006, without the partitions of events.
CREATE TABLE addition (
    store_id uuid NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    first_id uuid NOT NULL,
    last_id uuid NOT NULL,
    kind text NOT NULL,
    added_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT addition_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'rejection'::text])))
);
CREATE TABLE api_key (
    id uuid NOT NULL,
    store_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    tier text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone
);
CREATE TABLE event (
    store_id uuid NOT NULL,
    id uuid NOT NULL,
    profile_id uuid NOT NULL,
    event_type text NOT NULL,
    properties json NOT NULL,
    idempotency_key text,
    occurred_at timestamp(3) with time zone NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    source json
)
PARTITION BY RANGE (id);
CREATE TABLE event_count_new (
    store_id uuid NOT NULL,
    start timestamp(3) with time zone NOT NULL,
    event_type text NOT NULL,
    month timestamp(3) with time zone NOT NULL,
    count integer NOT NULL
);
CREATE TABLE event_day (
    store_id uuid NOT NULL,
    day date NOT NULL,
    event_type text NOT NULL,
    month timestamp(3) with time zone NOT NULL,
    running integer[] NOT NULL,
    CONSTRAINT event_day_counts_check CHECK ((cardinality(running) = 96))
);
CREATE TABLE idempotency_key (
    store_id uuid NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    event_id uuid NOT NULL
);
CREATE TABLE import_chunk (
    store_id uuid NOT NULL,
    job_id uuid NOT NULL,
    "position" integer NOT NULL,
    items json NOT NULL
);
CREATE TABLE import_error (
    store_id uuid NOT NULL,
    job_id uuid NOT NULL,
    "position" integer NOT NULL,
    code text NOT NULL,
    path json NOT NULL,
    problem text NOT NULL
);
CREATE TABLE import_job (
    store_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    total integer NOT NULL,
    completed integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL,
    touched_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT import_job_kind_check CHECK ((kind = ANY (ARRAY['events'::text, 'profiles'::text]))),
    CONSTRAINT import_job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'processing'::text, 'complete'::text])))
);
CREATE TABLE migration (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    executed_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP(6) NOT NULL
);
CREATE SEQUENCE migration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE migration_id_seq OWNED BY migration.id;
CREATE TABLE profile (
    store_id uuid NOT NULL,
    id uuid NOT NULL,
    external_id text,
    email text,
    phone text,
    anonymous_id text,
    attributes jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE profile_identifier (
    store_id uuid NOT NULL,
    kind text NOT NULL,
    value text NOT NULL COLLATE pg_catalog."C",
    profile_id uuid NOT NULL,
    CONSTRAINT profile_identifier_kind_check CHECK ((kind = ANY (ARRAY['external_id'::text, 'email'::text, 'phone'::text, 'anonymous_id'::text])))
);
CREATE TABLE rejection (
    store_id uuid NOT NULL,
    id uuid NOT NULL,
    request_id uuid NOT NULL,
    operation text,
    key_id uuid NOT NULL,
    status integer NOT NULL,
    code text NOT NULL,
    field text,
    message text NOT NULL,
    rejected_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE store (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY migration ALTER COLUMN id SET DEFAULT nextval('migration_id_seq'::regclass);
INSERT INTO migration VALUES (1, '0001-initial', '2026-11-26 18:23:16.999497+00');
INSERT INTO migration VALUES (2, '0002-compatibility', '2026-11-26 18:23:16.999497+00');
INSERT INTO migration VALUES (3, '0003-import-jobs', '2026-11-26 18:23:16.999497+00');
INSERT INTO migration VALUES (4, '0004-reading', '2026-11-26 18:23:16.999497+00');
INSERT INTO migration VALUES (5, '0005-counts-by-day', '2026-11-26 18:23:16.999497+00');
INSERT INTO migration VALUES (6, '0006-running-counts', '2026-11-26 18:23:16.999497+00');
SELECT pg_catalog.setval('migration_id_seq', 6, true);
ALTER TABLE ONLY addition
    ADD CONSTRAINT addition_pkey PRIMARY KEY (store_id, xid, first_id);
ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);
ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY event
    ADD CONSTRAINT event_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY event_day
    ADD CONSTRAINT event_day_pkey PRIMARY KEY (store_id, day, event_type, month);
ALTER TABLE ONLY idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (store_id, scope, key);
ALTER TABLE ONLY import_chunk
    ADD CONSTRAINT import_chunk_pkey PRIMARY KEY (store_id, job_id, "position");
ALTER TABLE ONLY import_error
    ADD CONSTRAINT import_error_pkey PRIMARY KEY (store_id, job_id, "position");
ALTER TABLE ONLY import_job
    ADD CONSTRAINT import_job_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (id);
ALTER TABLE ONLY profile_identifier
    ADD CONSTRAINT profile_identifier_pkey PRIMARY KEY (store_id, kind, value);
ALTER TABLE ONLY profile
    ADD CONSTRAINT profile_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY rejection
    ADD CONSTRAINT rejection_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY store
    ADD CONSTRAINT store_name_key UNIQUE (name);
ALTER TABLE ONLY store
    ADD CONSTRAINT store_pkey PRIMARY KEY (id);
CREATE INDEX api_key_store ON api_key USING btree (store_id, id);
CREATE INDEX event_type ON ONLY event USING btree (store_id, event_type, occurred_at, id);
CREATE INDEX event_time ON ONLY event USING btree (store_id, occurred_at, id);
CREATE INDEX event_profile ON ONLY event USING btree (store_id, profile_id, occurred_at, id);
CREATE INDEX import_job_open ON import_job USING btree (touched_at) WHERE (status <> 'complete'::text);
ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id);
ALTER TABLE ONLY import_chunk
    ADD CONSTRAINT import_chunk_store_id_job_id_fkey FOREIGN KEY (store_id, job_id) REFERENCES import_job(store_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY import_error
    ADD CONSTRAINT import_error_store_id_job_id_fkey FOREIGN KEY (store_id, job_id) REFERENCES import_job(store_id, id) ON DELETE CASCADE;;
