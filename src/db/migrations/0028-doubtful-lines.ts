import { Migration } from '@mikro-orm/migrations';

/** Where quotes of a file are broken, up to which of its bytes lines may be part of a value, and are not read as rows. */
export class DoubtfulLines extends Migration {
  override up(): void {
    this.addSql('alter table customer_import add column doubtful_to int not null default 0');
  }
}
