import { Migration } from '@mikro-orm/migrations';

/** When the last attempt at an endpoint failed; and those that are disabled, which metrics count. */
export class WebhookHealth extends Migration {
  override up(): void {
    this.addSql('alter table webhook_endpoint add column last_failed_at timestamptz(3)');
    this.addSql(`
      create index webhook_endpoint_disabled on webhook_endpoint (store_id)
      where disabled_at is not null and deleted_at is null`);
  }
}
