import { Migration } from '@mikro-orm/migrations';

/** What is recommended, and takes longer to find out than a request waits, is found out in the background. */
export class LateRecommendations extends Migration {
  override up(): void {
    // No more than a few thousand rows a store, which live for two days; a default that is a constant rewrites nothing.
    this.addSql(`
      alter table recommendation
        add column due_at timestamptz(3),
        add column is_slow boolean not null default false`);
    this.addSql('create index recommendation_due on recommendation (store_id, due_at) where due_at is not null');
  }
}
