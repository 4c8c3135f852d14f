import { Migration } from '@mikro-orm/migrations';

/** Lists of customers, and the change feed's entries about who joins and leaves them. */
export class Lists extends Migration {
  override up(): void {
    this.addSql(`
      create table list (
        store_id uuid not null,
        id uuid not null,
        name text not null,
        source_id text,
        -- Changed in the transaction that adds or removes them.
        members bigint not null check (members >= 0),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint list_source_id unique (store_id, source_id)
      )`);
    this.addSql(`
      create table list_member (
        store_id uuid not null,
        list_id uuid not null,
        profile_id uuid not null,
        joined_at timestamptz(3) not null,
        how text not null check (how in ('api', 'subscription', 'import')),
        source text,
        primary key (store_id, list_id, profile_id)
      )`);
    // Lists that are gone, until their members are.
    this.addSql(`
      create table list_deletion (
        store_id uuid not null,
        list_id uuid not null,
        deleted_at timestamptz(6) not null,
        -- No member up to this profile is left.
        reached uuid not null,
        primary key (store_id, list_id)
      )`);
    this.addSql('create index list_deletion_oldest on list_deletion (deleted_at)');

    // Profile imports name lists.
    this.addSql('alter table import_job add column list_ids text[]');

    this.addSql('alter table addition add column list_id uuid');
    this.addSql('alter table addition add column has_joined boolean');
    this.addSql('alter table addition drop constraint addition_kind_check');
    this.addSql(`
      alter table addition
      add constraint addition_kind_check
        check (kind in ('event', 'rejection', 'profile', 'profile_change', 'automation_status', 'list_change'))`);
  }
}
