import { Migration } from '@mikro-orm/migrations';

/** Whom an erasure meant, so that it is done again for them alone, and stores in which the list of erasures is still to be done again. */
export class RestoredErasures extends Migration {
  override up(): void {
    // Erasures of before have none: whom they meant is known by identifiers alone.
    this.addSql('alter table erasure add column profile_digests bytea[]');
    this.addSql('create table erasure_gap (store_id uuid primary key, restored_at timestamptz(3) not null)');
  }
}
