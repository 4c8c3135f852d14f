import { Migration } from '@mikro-orm/migrations';

/**
 * Stores, keys, profiles with their identifiers, and events.
 *
 * `store_id` leads every key of tenant data, so that the tables can be distributed by it. `store` and `api_key` are
 * small and read before the store of a request is known: on a cluster they are on the coordinator.
 */
export class Initial extends Migration {
  override up(): void {
    this.addSql(`
      create table store (
        id uuid primary key,
        name text not null unique,
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql(`
      create table api_key (
        id uuid primary key,
        store_id uuid not null references store,
        name text not null,
        hash bytea not null unique,
        scopes text[] not null,
        tier text not null,
        created_at timestamptz(3) not null default now(),
        last_used_at timestamptz(3),
        expires_at timestamptz(3),
        revoked_at timestamptz(3)
      )`);
    this.addSql(`
      create table profile (
        store_id uuid not null,
        id uuid not null,
        external_id text,
        email text,
        phone text,
        anonymous_id text,
        attributes jsonb not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    // An identifier's owner: profiles are never merged, so what is read here stays true. No foreign key to profile: the
    // write path creates both, and the check costs a look-up for each row, by a plan that Postgres keeps from the time
    // when the table was empty.
    this.addSql(`
      create table profile_identifier (
        store_id uuid not null,
        kind text not null check (kind in ('external_id', 'email', 'phone', 'anonymous_id')),
        value text not null,
        profile_id uuid not null,
        primary key (store_id, kind, value)
      )`);
    // json, not jsonb: properties come back exactly as they were sent, names in their order. No foreign key to
    // profile: the write path creates both, and the check would cost a look-up for each row.
    this.addSql(`
      create table event (
        store_id uuid not null,
        id uuid not null,
        profile_id uuid not null,
        event_type text not null,
        properties json not null,
        idempotency_key text,
        occurred_at timestamptz(3) not null,
        received_at timestamptz(3) not null,
        primary key (store_id, id)
      ) partition by range (id)`);
    this.addSql('create index event_profile on event (store_id, profile_id, id)');
    this.addSql('create index event_type on event (store_id, event_type, id)');
    // A table of its own, because a unique index can't span the partitions of event. The scope is empty for a key
    // that is unique in its store, else it names what the key is unique within.
    this.addSql(`
      create table idempotency_key (
        store_id uuid not null,
        scope text not null,
        key text not null,
        event_id uuid not null,
        primary key (store_id, scope, key)
      )`);
  }
}
