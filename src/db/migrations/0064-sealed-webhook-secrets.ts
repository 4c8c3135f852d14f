import { Migration } from '@mikro-orm/migrations';
import { WEBHOOK_SECRETS_SEALED } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/**
 * Secrets of webhooks are encrypted, once no process of the version before runs any more. And what requests of providers are
 * proven by is kept for each of them, also where they tell nothing that is recorded.
 */
export class SealedWebhookSecrets extends Migration {
  override up(): void {
    this.addSql(register(WEBHOOK_SECRETS_SEALED));
    // A store has few of them.
    this.addSql('alter table webhook_endpoint drop constraint webhook_endpoint_disabled_reason_check');
    this.addSql(`
      alter table webhook_endpoint add constraint webhook_endpoint_disabled_reason_check
        check (disabled_reason in ('gone', 'failing', 'requested', 'secret_lost'))`);
    this.addSql('alter table feedback drop column proof');
    this.addSql(`
      create table hook_proof (
        store_id uuid not null,
        sender_id uuid not null,
        token text not null,
        told text not null,
        received_at timestamptz(3) not null,
        primary key (store_id, sender_id, token)
      )`);
    this.addSql('create index hook_proof_received on hook_proof (store_id, received_at)');
  }
}
