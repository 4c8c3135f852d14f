import { Migration } from '@mikro-orm/migrations';

/** Opens and clicks of messages: what of them is counted, and those of the last day. */
export class Tracking extends Migration {
  override up(): void {
    for (const column of ['opens', 'clicks', 'machine_opens', 'machine_clicks']) {
      this.addSql(`alter table message add column ${column} int not null default 0`);
    }
    this.addSql('alter table message add column opened_at timestamptz(3)');
    this.addSql('alter table message add column clicked_at timestamptz(3)');
    this.addSql('alter table message add column step_id text');
    this.addSql('alter table message_settings add column track_opens boolean not null default true');
    this.addSql('alter table message_settings add column track_clicks boolean not null default true');
    this.addSql('alter table message_settings add column track_transactional boolean not null default false');
    this.addSql(`
      create table message_hit (
        store_id uuid not null,
        message_id uuid not null,
        id uuid not null,
        hit_at timestamptz(3) not null,
        judged_at timestamptz(3),
        link int,
        is_machine boolean not null,
        kind text not null check (kind in ('open', 'click')),
        url text,
        primary key (store_id, message_id, id)
      )`);
    this.addSql('create index message_hit_waiting on message_hit (store_id, hit_at) where judged_at is null');
    this.addSql('create index message_hit_at on message_hit (store_id, hit_at)');
  }
}
