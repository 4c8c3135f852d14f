import { Migration } from '@mikro-orm/migrations';

/** Whom messages come from and how they leave, what a store says of all its messages, and the key for what is secret. */
export class Senders extends Migration {
  override up(): void {
    this.addSql(`
      create table drawn_key (
        name text primary key,
        text text not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`
      create table sender (
        store_id uuid not null,
        id uuid not null,
        kind text not null check (kind in ('outbox', 'smtp')),
        name text not null,
        from_email text not null,
        from_name text,
        reply_to text,
        class text not null check (class in ('marketing', 'transactional', 'both')),
        is_shared boolean not null default false,
        host text,
        port int,
        security text check (security in ('tls', 'starttls')),
        user_name text,
        password text,
        dkim_selector text,
        max_per_second int not null,
        max_per_day int,
        max_concurrent int not null,
        tokens double precision not null default 1,
        tokens_at timestamptz(6) not null default now(),
        day date,
        sent_today int not null default 0,
        tested_on date,
        tests int not null default 0,
        failures int not null default 0,
        resting_until timestamptz(3),
        checks json,
        checked_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        deleted_at timestamptz(3),
        primary key (store_id, id)
      )`);
    this.addSql("create unique index sender_outbox on sender (store_id) where kind = 'outbox'");
    this.addSql('create unique index sender_shared on sender (store_id) where is_shared and deleted_at is null');
    this.addSql(`
      create table message_settings (
        store_id uuid not null primary key,
        postal_address text,
        default_sender_id uuid,
        cap_count int,
        cap_within text,
        smart_sending text,
        updated_at timestamptz(3) not null
      )`);
  }
}
