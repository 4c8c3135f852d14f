import { Migration } from '@mikro-orm/migrations';

/** What segments are, who is in them, and who came and went. */
export class Segments extends Migration {
  override up(): void {
    this.addSql(`
      create table segment (
        store_id uuid not null,
        id uuid not null,
        name text not null,
        -- Not jsonb: it comes back as it was sent, with its names in their order.
        definition json not null,
        revision int not null,
        -- Which rows of members serve, and by which definition: 0 and null before the first build is complete.
        generation int not null,
        -- Of all builds so far: none has the number of another one.
        last_generation int not null,
        served_definition json,
        members bigint not null,
        -- Since when members have no longer been kept up to date; null while they are.
        stale_since timestamptz(3),
        failure text,
        -- Whose deletion would leave it without an answer.
        list_ids uuid[] not null,
        segment_ids uuid[] not null,
        -- The first partition of events that there was when its members were worked out.
        first_partition text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    // Each is the origin of a generation. One that is complete says when what it changed was changed.
    this.addSql(`
      create table segment_build (
        store_id uuid not null,
        segment_id uuid not null,
        generation int not null,
        definition json not null,
        reason text not null
          check (reason in ('created', 'changed', 'requested', 'events_expired', 'missed_changes', 'segment_changed')),
        first_partition text,
        -- All customers with ids up to this one are done.
        after_profile_id uuid not null,
        profiles bigint not null,
        total bigint,
        members bigint not null,
        entered bigint not null,
        "left" bigint not null,
        requested_at timestamptz(3) not null,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        primary key (store_id, segment_id, generation)
      )`);
    this.addSql(`
      create index segment_build_open on segment_build (store_id, segment_id) where finished_at is null`);
    this.addSql(`
      create table segment_member (
        store_id uuid not null,
        segment_id uuid not null,
        generation int not null,
        profile_id uuid not null,
        entered_at timestamptz(3) not null,
        primary key (store_id, segment_id, generation, profile_id)
      )`);
    this.addSql(`
      create index segment_member_of on segment_member (store_id, profile_id, segment_id, generation)`);
    // Without a time, one that takes effect when its generation does.
    this.addSql(`
      create table segment_change (
        store_id uuid not null,
        id uuid not null,
        segment_id uuid not null,
        generation int not null,
        profile_id uuid not null,
        kind text not null check (kind in ('entered', 'left')),
        cause text not null
          check (cause in ('event', 'profile', 'list', 'segment', 'time', 'import', 'definition')),
        changed_at timestamptz(3),
        primary key (store_id, id)
      )`);
    this.addSql(`
      create index segment_change_of on segment_change (store_id, segment_id, generation, id)`);
    this.addSql(`
      create index segment_change_coming on segment_change (store_id, segment_id, generation, profile_id)
      where changed_at is null`);
    this.addSql(`
      create table segment_day (
        store_id uuid not null,
        segment_id uuid not null,
        day date not null,
        entered bigint not null,
        "left" bigint not null,
        primary key (store_id, segment_id, day)
      )`);
    // When a customer may enter or leave some segment although nothing happens.
    this.addSql(`
      create table segment_due (
        store_id uuid not null,
        profile_id uuid not null,
        due_at timestamptz(3) not null,
        primary key (store_id, profile_id)
      )`);
    this.addSql('create index segment_due_at on segment_due (store_id, due_at)');
    // What is left over: of a generation that no longer serves, of a build that was given up, or of a deleted segment.
    this.addSql(`
      create table segment_leftover (
        store_id uuid not null,
        segment_id uuid not null,
        generation int not null,
        kind text not null check (kind in ('members', 'build', 'segment')),
        primary key (store_id, segment_id, generation)
      )`);
    // A store that has segments. Whoever works on them locks its row.
    this.addSql(`
      create table segment_store (store_id uuid primary key)`);
  }
}
