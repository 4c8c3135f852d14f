import { Migration } from '@mikro-orm/migrations';

/** What bounds what automations lead to, and tells them of events that anybody may have sent. */
export class ChainsOfAutomations extends Migration {
  override up(): void {
    // How much what one began with has led to: `events` that runs recorded, and `runs` that started by what runs did.
    this.addSql(`
      create table automation_chain (
        store_id uuid not null,
        id uuid not null,
        kind text not null,
        count int not null,
        constraint automation_chain_pkey primary key (store_id, id, kind),
        constraint automation_chain_kind_check check (kind in ('events', 'runs'))
      )`);
    // What a definition means that does not say whether it takes events of public keys: those from before take them.
    this.addSql('alter table automation add column takes_client_events boolean not null default true');
    // When it was looked at what had been stored before that may end it: of what comes later it is told.
    this.addSql('alter table automation_run add column seen_at timestamptz(3)');
    // Since when the reader has missed nothing.
    this.addSql('alter table feed_reader add column since timestamptz(3) not null default now()');
    // What the chain began with that led to a change; null where it began with the change.
    this.addSql('alter table segment_change add column chain uuid');
    this.addSql('alter table profile_change add column chain uuid');
    // Whether a public key made it.
    this.addSql('alter table profile_change add column from_client boolean not null default false');
    // Of each of the ids; null if no automation led to the entry.
    this.addSql('alter table addition add column chains uuid[]');
  }
}
