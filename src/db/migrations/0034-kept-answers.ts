import { Migration } from '@mikro-orm/migrations';

/** Answers to requests with an idempotency key. An import knows what it was asked for, so that a key can't mean two. */
export class KeptAnswers extends Migration {
  override up(): void {
    this.addSql(`
      create table kept_answer (
        store_id uuid not null,
        operation text not null,
        key text not null,
        digest bytea not null,
        api_key_id uuid not null,
        status smallint not null,
        body json not null,
        created_at timestamptz(3) not null,
        primary key (store_id, operation, key)
      )`);
    this.addSql('create index kept_answer_created_at on kept_answer (created_at)');
    this.addSql('alter table customer_import add column digest bytea');
  }
}
