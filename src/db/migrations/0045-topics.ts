import { Migration } from '@mikro-orm/migrations';

/**
 * Customers choose among lists that are topics, under a public name, and among the languages that versions of templates are
 * in.
 */
export class Topics extends Migration {
  override up(): void {
    this.addSql('alter table list add column topic boolean not null default false');
    this.addSql('alter table list add column public_name text');
    this.addSql("alter table template_version add column locales text[] not null default '{}'");
  }
}
