import { Migration } from '@mikro-orm/migrations';

/** Webhooks of automations that count as messages of a channel, for the caps of the store. */
export class CountedWebhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table counted_webhook (
        store_id uuid not null,
        profile_id uuid not null,
        channel text not null constraint counted_webhook_channel_check check (channel in ('email', 'sms')),
        run_id uuid not null,
        seq int not null,
        counted_at timestamptz(3) not null,
        constraint counted_webhook_pkey primary key (store_id, profile_id, channel, run_id, seq)
      )`);
    this.addSql('create index counted_webhook_at on counted_webhook (store_id, counted_at)');
  }
}
