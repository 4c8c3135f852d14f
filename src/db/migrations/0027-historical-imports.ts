import { Migration } from '@mikro-orm/migrations';

/** What tells of the past, by which no automation starts: files of customers, and the changes of attributes in them. */
export class HistoricalImports extends Migration {
  override up(): void {
    this.addSql('alter table customer_import add column is_historical boolean not null default false');
    this.addSql('alter table profile_change add column is_historical boolean not null default false');
  }
}
