import { Migration } from '@mikro-orm/migrations';

/** Which segments of a store are made of what its customers have ordered, and when they are made anew. */
export class RfmSegments extends Migration {
  override up(): void {
    this.addSql(`
      create table rfm_segment (
        store_id uuid not null,
        -- Such as champions.
        kind text not null,
        segment_id uuid not null,
        due_at timestamptz(3) not null,
        constraint rfm_segment_pkey primary key (store_id, kind)
      )`);
    this.addSql('create index rfm_segment_due on rfm_segment (due_at)');
  }
}
