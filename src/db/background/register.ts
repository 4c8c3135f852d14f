import type { BackgroundMigration } from './migrations.ts';

/** Returns a statement that does what is to be done on an empty table at once, and has the rest done in the background. */
export function register({ name, table, isDone, onEmpty, delay = '0' }: BackgroundMigration): string {
  return `
    do $$ declare complete bool := ${isDone}; begin
      if not complete and not exists (select from ${table}) then
        ${[...onEmpty, 'complete := true'].join('; ')};
      end if;
      insert into background_migration (name, completed_at, taken_until)
      values ('${name}', case when complete then now() end, now() + interval '${delay}');
    end $$`;
}
