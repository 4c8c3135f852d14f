import { Migration } from '@mikro-orm/migrations';

/** Attempts that sent their request once more tell so. */
export class ResentAttempts extends Migration {
  override up(): void {
    this.addSql('alter table webhook_attempt add column is_resent boolean not null default false');
  }
}
