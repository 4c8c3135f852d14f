import { Migration } from '@mikro-orm/migrations';

/** Whether a store may write to a customer, by channel, and how that came about. */
export class Consent extends Migration {
  override up(): void {
    this.addSql(`
      create table consent (
        store_id uuid not null,
        profile_id uuid not null,
        channel text not null check (channel in ('email', 'sms')),
        status text not null check (status in ('subscribed', 'unsubscribed', 'never')),
        changed_at timestamptz(3),
        source text,
        suppressed_at timestamptz(3),
        suppression_reason text,
        primary key (store_id, profile_id, channel)
      )`);
    // Integrations look for those who have opted out, or whose address does not work, in the order of creation.
    this.addSql(`
      create index consent_unsubscribed on consent (store_id, channel, profile_id) where status = 'unsubscribed'`);
    this.addSql(`
      create index consent_suppressed on consent (store_id, channel, suppression_reason, profile_id)
      where suppression_reason is not null`);

    // Lists are named by their ids; which ones a profile is subscribed to is part of its consent.
    this.addSql(`
      create table consent_list (
        store_id uuid not null,
        profile_id uuid not null,
        channel text not null check (channel in ('email', 'sms')),
        list_id text not null,
        status text not null check (status in ('subscribed', 'unsubscribed')),
        changed_at timestamptz(3) not null,
        primary key (store_id, profile_id, channel, list_id)
      )`);

    // Everything that was ever sent, as proof; what an earlier choice could not change is not applied.
    this.addSql(`
      create table consent_change (
        store_id uuid not null,
        profile_id uuid not null,
        id uuid not null,
        channel text not null check (channel in ('email', 'sms')),
        kind text not null check (kind in ('subscribed', 'unsubscribed', 'suppressed', 'unsuppressed')),
        list_id text,
        changed_at timestamptz(3) not null,
        source text,
        reason text,
        applied boolean not null,
        recorded_at timestamptz(3) not null,
        primary key (store_id, profile_id, id)
      )`);
  }
}
