import { Migration } from '@mikro-orm/migrations';

/** What has changed of customers, when and by whom, in stores that keep it. */
export class ProfileHistory extends Migration {
  override up(): void {
    this.addSql(`
      alter table store add column history_days int not null default 0
        constraint store_history_days_check check (history_days between 0 and 400)`);
    this.addSql(`
      create table profile_history (
        store_id uuid not null,
        id uuid not null,
        profile_id uuid not null,
        changed_at timestamptz(3) not null,
        surface text not null check (surface in ('native', 'compat', 'client', 'automation')),
        operation text not null,
        -- The id of the key, or of the automation.
        actor uuid,
        created boolean not null,
        attributes jsonb not null,
        identifiers jsonb not null,
        primary key (store_id, id)
      )`);
    this.addSql('create index profile_history_of_profile on profile_history (store_id, profile_id, id)');
  }
}
