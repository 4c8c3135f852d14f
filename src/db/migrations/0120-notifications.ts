import { Migration } from '@mikro-orm/migrations';

/** What people are told of a store by itself: what needs attention, and how the week was. */
export class Notifications extends Migration {
  override up(): void {
    this.addSql(`
      alter table membership
        add column attention_mails boolean not null default false,
        add column weekly_report boolean not null default false`);
    this.addSql(`
      create table notification_settings (
        store_id uuid not null,
        -- By whom mails are sent, and what else is called; null for nobody.
        sender_id uuid,
        endpoint_id uuid,
        -- When the store is looked at again.
        check_at timestamptz(3) not null,
        -- The Monday up to which the store has been reported on; null before the first one.
        reported_week date,
        updated_at timestamptz(3),
        constraint notification_settings_pkey primary key (store_id)
      )`);
    this.addSql('create index notification_settings_due on notification_settings (check_at)');
    this.addSql(`
      create table attention_item (
        store_id uuid not null,
        kind text not null,
        -- What is to be looked at; the nil UUID where that is the store.
        subject_id uuid not null,
        since timestamptz(3) not null,
        -- Since when it is not found any more; null while it is.
        gone_at timestamptz(3),
        -- When somebody was told that it began.
        told_at timestamptz(3),
        constraint attention_item_pkey primary key (store_id, kind, subject_id)
      )`);
    this.addSql(`
      create table notification (
        store_id uuid not null,
        id uuid not null,
        kind text not null
          constraint notification_kind_check check (kind in ('attention', 'weekly_report')),
        -- Whom it goes to: either of the two.
        person_id uuid,
        endpoint_id uuid,
        -- The Monday of the report.
        week date,
        subject text not null,
        -- What the mail says, or the body of the webhook.
        content json not null,
        status text not null
          constraint notification_status_check check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown')),
        reason text,
        attempts int not null,
        -- When it is sent, or, while that is under way, given up; null once it is done.
        due_at timestamptz(3),
        created_at timestamptz(3) not null,
        finished_at timestamptz(3),
        constraint notification_pkey primary key (store_id, id)
      )`);
    this.addSql(
      'create unique index notification_of_week on notification (store_id, person_id, week) where week is not null',
    );
    this.addSql('create index notification_due on notification (due_at) where due_at is not null');
    this.addSql('create index notification_created on notification (created_at)');
  }
}
