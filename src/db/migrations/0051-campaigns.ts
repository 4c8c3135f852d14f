import { Migration } from '@mikro-orm/migrations';

/** Campaigns: what is sent to everybody in an audience. Their messages are those of everything else. */
export class Campaigns extends Migration {
  override up(): void {
    this.addSql(`
      create table campaign (
        store_id uuid not null,
        id uuid not null,
        template_id uuid,
        sender_id uuid,
        reached uuid not null default '00000000-0000-0000-0000-000000000000',
        settled uuid not null default '00000000-0000-0000-0000-000000000000',
        recipients bigint not null default 0,
        recent double precision not null default 0,
        recent_bounces double precision not null default 0,
        recent_complaints double precision not null default 0,
        scheduled_at timestamptz(3),
        started_at timestamptz(3),
        prepared_at timestamptz(3),
        finished_at timestamptz(3),
        due_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        revision int not null,
        template_version int,
        has_parked boolean not null default false,
        name text not null,
        channel text not null check (channel in ('email', 'sms')),
        class text check (class in ('marketing', 'transactional')),
        status text not null check (status in ('draft', 'scheduled', 'preparing', 'sending', 'paused', 'sent', 'cancelled',
          'held', 'missed')),
        reason text,
        audience json,
        list_ids uuid[] not null default '{}',
        segment_ids uuid[] not null default '{}',
        primary key (store_id, id)
      )`);
    this.addSql('create index campaign_due on campaign (store_id, due_at) where due_at is not null');
  }
}
