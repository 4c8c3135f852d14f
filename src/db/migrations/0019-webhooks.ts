import { Migration } from '@mikro-orm/migrations';

/** Where automations send requests to, and what has been and will be sent. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_endpoint (
        store_id uuid not null,
        id uuid not null,
        url text not null,
        name text not null,
        secret text not null,
        previous_secrets jsonb not null,
        max_per_second int not null,
        max_concurrent int not null,
        -- The bucket from which all processes take what they may send.
        tokens float8 not null,
        tokens_at timestamptz(6) not null,
        failures int not null,
        failing_since timestamptz(3),
        last_failed_at timestamptz(3),
        resting_until timestamptz(3),
        disabled_at timestamptz(3),
        disabled_reason text check (disabled_reason in ('gone', 'failing', 'requested')),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        deleted_at timestamptz(3),
        primary key (store_id, id)
      )`);
    this.addSql(`
      create index webhook_endpoint_disabled on webhook_endpoint (store_id)
      where disabled_at is not null and deleted_at is null`);
    this.addSql(`
      create table webhook_delivery (
        store_id uuid not null,
        id uuid not null,
        endpoint_id uuid not null,
        run_id uuid,
        seq int,
        is_awaited boolean not null,
        message_type text not null,
        body bytea not null,
        status text not null
          check (status in ('pending', 'sending', 'delivered', 'failed', 'expired', 'held')),
        -- While it is being sent, until when its process has it to itself; null once nothing more is to be done.
        due_at timestamptz(3),
        attempt int not null,
        claim int not null,
        expires_at timestamptz(3),
        created_at timestamptz(3) not null,
        finished_at timestamptz(3),
        primary key (store_id, id),
        constraint webhook_delivery_of_run unique (store_id, run_id, seq)
      )`);
    this.addSql('create index webhook_delivery_of on webhook_delivery (store_id, endpoint_id, id)');
    this.addSql('create index webhook_delivery_with on webhook_delivery (store_id, endpoint_id, status, id)');
    this.addSql(`
      create index webhook_delivery_due on webhook_delivery (store_id, endpoint_id, due_at)
      where due_at is not null`);
    this.addSql(`
      create index webhook_delivery_sending on webhook_delivery (store_id, endpoint_id, due_at)
      where status = 'sending'`);
    this.addSql(`
      create table webhook_attempt (
        store_id uuid not null,
        delivery_id uuid not null,
        number int not null,
        at timestamptz(3) not null,
        status int,
        error text,
        ms int not null,
        excerpt text,
        primary key (store_id, delivery_id, number)
      )`);
  }
}
