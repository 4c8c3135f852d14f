import { Migration } from '@mikro-orm/migrations';

/** Customers who were merged into others, and the ids that lead to these. */
export class Merges extends Migration {
  override up(): void {
    this.addSql(`
      create table profile_merge (
        store_id uuid not null,
        id uuid not null,
        profile_id uuid not null,
        from_id uuid not null,
        asked_by uuid,
        created_at timestamptz(3) not null,
        completed_at timestamptz(3),
        due_at timestamptz(3),
        passes int not null default 0,
        probes int not null default 0,
        changes json not null,
        before json,
        counts json not null,
        place json,
        constraint profile_merge_pkey primary key (store_id, id),
        constraint profile_merge_from unique (store_id, from_id)
      )`);
    this.addSql('create index profile_merge_due on profile_merge (store_id, due_at) where due_at is not null');
    this.addSql('create index profile_merge_before on profile_merge (store_id, created_at) where before is not null');
    // Always one step: an id that led to somebody who is merged leads to the other from then on.
    this.addSql(`
      create table profile_alias (
        store_id uuid not null,
        id uuid not null,
        profile_id uuid not null,
        constraint profile_alias_pkey primary key (store_id, id)
      )`);
    this.addSql('create index profile_alias_of on profile_alias (store_id, profile_id)');
    this.addSql('alter table addition drop constraint addition_cause_check');
    this.addSql(`
      alter table addition
      add constraint addition_cause_check check (cause in ('consent', 'import', 'merge'))`);
  }
}
