import { Migration } from '@mikro-orm/migrations';

/** The days on which automations with a schedule have started runs for the members of a list or a segment, and the next one. */
export class Schedules extends Migration {
  override up(): void {
    this.addSql(`
      create table automation_occurrence (
        store_id uuid not null,
        automation_id uuid not null,
        -- By the calendar of the schedule: whatever the time of day becomes, a day is one occurrence.
        day date not null,
        due_at timestamptz(3) not null,
        version int not null,
        time_zone text not null,
        status text not null,
        -- Whose members: those of the version that planned it.
        audience_kind text not null,
        audience_id uuid not null,
        -- The last member who has been looked at, and how many have been.
        after_profile_id uuid not null,
        members int not null default 0,
        began_at timestamptz(3),
        ended_at timestamptz(3),
        primary key (store_id, automation_id, day),
        constraint automation_occurrence_status_check
          check (status in ('planned', 'under_way', 'done', 'late', 'paused', 'stopped', 'no_members_known')),
        constraint automation_occurrence_audience_kind_check check (audience_kind in ('list', 'segment'))
      )`);
    this.addSql(`
      create index automation_occurrence_open on automation_occurrence (store_id, automation_id, due_at)
      where status in ('planned', 'under_way')`);
    this.addSql(`
      create index automation_occurrence_ended on automation_occurrence (store_id, ended_at)
      where ended_at is not null`);
  }
}
