import type {
  Merge as MergeBody,
  MergeChanges as MergeChangesBody,
  MergePreview as MergePreviewBody,
} from '../../../generated/native/types.gen.ts';
import type { MergePreview } from '../../domain/merges/begin.ts';
import type { Merge, MergeChanges, MergedProfiles } from '../../domain/merges/merge.ts';
import { renderProfile } from './profile.ts';

/** Identifiers that are shown. */
const MAX_SHOWN = 100;

/** `before`: both as they were, where they are shown; null once that is forgotten. */
export function renderMerge(merge: Merge, before?: MergedProfiles | null): MergeBody {
  const { same_key: dropped = 0, ...counts } = merge.counts;
  const tables = Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    id: merge.id,
    status: merge.status,
    profile_id: merge.profileId,
    from: merge.fromId,
    changes: renderChanges(merge.changes),
    tables: tables.map(([table, row_count]) => ({ table, row_count })),
    dropped_key_count: dropped,
    ...(before !== undefined && {
      before: before && { profile: renderProfile(before.profile), from: renderProfile(before.from) },
    }),
    requested_by: merge.askedBy,
    created_at: merge.createdAt.toISOString(),
    completed_at: merge.completedAt?.toISOString() ?? null,
  };
}

export function renderMergePreview({ profile, profileId: from, changes }: MergePreview): MergePreviewBody {
  return { profile: renderProfile(profile), from, changes: renderChanges(changes) };
}

function renderChanges(changes: MergeChanges): MergeChangesBody {
  return {
    identifiers: changes.identifiers.slice(0, MAX_SHOWN).map(({ kind, value }) => ({ kind, value })),
    identifier_count: changes.identifiers.length,
    filled_attributes: [...changes.filled],
    lost_attributes: [...changes.lost],
    consent: [...changes.consent],
    suppressed_channels: [...(changes.suppressed ?? [])],
    joined_list_ids: [...changes.joined],
    left_list_ids: [...changes.left],
    moved_run_count: changes.movedRuns,
    ended_run_count: changes.endedRuns,
    skipped_message_count: changes.skippedMessages ?? 0,
  };
}
