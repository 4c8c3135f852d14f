import { Migration } from '@mikro-orm/migrations';
import { FORMER_PROFILES_BY_UPDATE, PROFILE_UPDATES } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/**
 * Profiles are listed in the order of their latest change by a journal of the changes. The index that it replaces was on a
 * column that every change writes, and so had every change write all indexes of profiles.
 */
export class ProfileUpdates extends Migration {
  override up(): void {
    this.addSql(`
      create table profile_update (
        store_id uuid not null,
        updated_at timestamptz(3) not null,
        entry uuid not null default gen_random_uuid(),
        profile_ids uuid[] not null,
        primary key (store_id, updated_at, entry)
      )`);
    this.addSql(register(PROFILE_UPDATES));
    this.addSql(register(FORMER_PROFILES_BY_UPDATE));
  }
}
