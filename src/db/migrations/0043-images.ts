import { Migration } from '@mikro-orm/migrations';

/** Images that messages show. Whoever opens one knows neither a key nor the store, but what the store's images are under. */
export class Images extends Migration {
  override up(): void {
    this.addSql(`
      create table image (
        store_id uuid not null,
        id uuid not null,
        hash bytea not null,
        type text not null check (type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
        bytes bytea not null,
        size int not null,
        width int not null,
        height int not null,
        name text not null,
        created_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint image_hash unique (store_id, hash)
      )`);
    // They are compressed as they are.
    this.addSql('alter table image alter column bytes set storage external');
    this.addSql('alter table store add column image_token uuid');
    // There are as many rows as stores, which is few.
    this.addSql('alter table store add constraint store_image_token_key unique (image_token)');
  }
}
