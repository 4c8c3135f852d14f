import { Migration } from '@mikro-orm/migrations';

/** What messages say. */
export class Templates extends Migration {
  override up(): void {
    this.addSql(`
      create table template (
        store_id uuid not null,
        id uuid not null,
        name text not null,
        kind text not null check (kind in ('blocks', 'mjml', 'html', 'sms')),
        use text not null check (use in ('message', 'layout', 'snippet')),
        class text not null check (class in ('marketing', 'transactional')),
        draft json not null,
        revision int not null,
        status text not null check (status in ('draft', 'published', 'archived')),
        version int,
        published_revision int,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        archived_at timestamptz(3),
        primary key (store_id, id)
      )`);
    this.addSql('create index template_with_status on template (store_id, status, id)');
    this.addSql(`
      create table template_version (
        store_id uuid not null,
        template_id uuid not null,
        number int not null,
        draft json not null,
        class text not null check (class in ('marketing', 'transactional')),
        compiled json,
        parts jsonb not null,
        published_at timestamptz(3) not null,
        published_by uuid not null,
        primary key (store_id, template_id, number)
      )`);
  }
}
