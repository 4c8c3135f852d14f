import { Migration } from '@mikro-orm/migrations';

/** Headers of endpoints that are secret, requests of one's own, and what runs keep of the answers and of later events. */
export class WebhookCalls extends Migration {
  override up(): void {
    this.addSql(`alter table webhook_endpoint add column secret_headers jsonb not null default '[]'`);
    this.addSql('alter table webhook_delivery add column request jsonb');
    this.addSql('alter table automation_run add column results jsonb');
  }
}
