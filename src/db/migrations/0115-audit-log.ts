import { Migration } from '@mikro-orm/migrations';

/** Who has changed what of a store, from where, and what became of it. */
export class AuditLog extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_entry (
        store_id uuid not null,
        id uuid not null,
        begun_at timestamptz(3) not null,
        actor_kind text not null
          constraint audit_entry_actor_kind_check check (actor_kind in ('key', 'person', 'operator')),
        -- Of the key or the person; null for the operator.
        actor_id uuid,
        -- Null for the operator, who has a shell.
        address text,
        operation text not null,
        target text,
        fields text[] not null,
        request_id uuid,
        -- Null until it has ended.
        outcome text constraint audit_entry_outcome_check check (outcome in ('done', 'refused', 'failed')),
        status int,
        ended_at timestamptz(3),
        constraint audit_entry_pkey primary key (store_id, id)
      )`);
    this.addSql('create index audit_entry_of_actor on audit_entry (store_id, actor_id, id)');
    this.addSql('create index audit_entry_of_operation on audit_entry (store_id, operation, id)');
  }
}
