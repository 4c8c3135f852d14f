import { Migration } from '@mikro-orm/migrations';
import { IDENTIFIERS_BY_PROFILE } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/** Customers who are erased, what proves it, and the identifiers by which nobody is to come back. */
export class Erasures extends Migration {
  override up(): void {
    this.addSql(`
      create table erasure (
        store_id uuid not null,
        id uuid not null,
        asked_by uuid,
        created_at timestamptz(3) not null,
        completed_at timestamptz(3),
        due_at timestamptz(3),
        suppress_days int,
        passes int not null default 0,
        was_known boolean not null,
        events text not null constraint erasure_events_check check (events in ('delete', 'anonymise')),
        digests bytea[] not null,
        counts json not null,
        residues json not null,
        subject json,
        place json,
        primary key (store_id, id)
      )`);
    this.addSql('create index erasure_due on erasure (store_id, due_at) where due_at is not null');
    this.addSql(`
      create table suppressed_identifier (
        store_id uuid not null,
        digest bytea not null,
        until timestamptz(3),
        primary key (store_id, digest)
      )`);
    this.addSql(
      'create index suppressed_identifier_until on suppressed_identifier (store_id, until) where until is not null',
    );
    this.addSql(`
      create table suppression_key (
        store_id uuid primary key,
        inner_pad bytea not null,
        outer_pad bytea not null
      )`);
    // No version that was released has feedback: there is nothing to read.
    this.addSql(
      'create index feedback_of_message on feedback (store_id, message_id) where message_id is not null',
    );
    this.addSql(register(IDENTIFIERS_BY_PROFILE));
  }
}
