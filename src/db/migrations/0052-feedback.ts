import { Migration } from '@mikro-orm/migrations';

/** What providers of mail tell of messages after they were handed over. */
export class Feedback extends Migration {
  override up(): void {
    this.addSql('alter table message add column delivered_at timestamptz(3)');
    this.addSql('alter table message add column bounced_at timestamptz(3)');
    this.addSql('alter table message add column complained_at timestamptz(3)');
    // No version that was released has messages: there is nothing to read.
    this.addSql('alter table message drop constraint message_status_check');
    this.addSql(`
      alter table message add constraint message_status_check check (status in ('waiting', 'claimed', 'sending', 'sent',
        'delivered', 'bounced', 'complained', 'skipped', 'failed', 'expired', 'cancelled', 'unknown'))`);
    this.addSql('alter table sender add column feedback_provider text');
    this.addSql(`
      alter table sender add constraint sender_feedback_provider_check
        check (feedback_provider in ('generic', 'ses', 'postmark', 'sendgrid', 'mailgun', 'resend'))`);
    this.addSql('alter table sender add column feedback_secret text');
    this.addSql('alter table sender add column feedback_key text');
    this.addSql('alter table message_settings add column track_sent boolean not null default false');
    this.addSql('alter table message_settings add column track_delivered boolean not null default false');
    this.addSql(`
      create table feedback (
        store_id uuid not null,
        sender_id uuid not null,
        item_id text not null,
        message_id uuid,
        occurred_at timestamptz(3) not null,
        received_at timestamptz(3) not null,
        kind text not null check (kind in ('delivered', 'deferred', 'bounced', 'complained', 'unsubscribed')),
        fault text check (fault in ('address', 'passing', 'sender', 'message')),
        status_code text,
        proof text,
        raw text,
        primary key (store_id, sender_id, item_id)
      )`);
    this.addSql('create index feedback_of_sender on feedback (store_id, sender_id, received_at)');
    this.addSql('create index feedback_received on feedback (store_id, received_at)');
    this.addSql('create unique index feedback_proof on feedback (store_id, sender_id, proof) where proof is not null');
    this.addSql(`
      create table soft_bounce (
        store_id uuid not null,
        digest bytea not null,
        message_id uuid not null,
        bounced_at timestamptz(3) not null,
        primary key (store_id, digest, message_id)
      )`);
    this.addSql('create index soft_bounce_at on soft_bounce (store_id, bounced_at)');
  }
}
