import type {
  Segment as SegmentBody,
  SegmentChangePage,
  SegmentDefinition,
  SegmentExplanation,
  SegmentFinding,
  SegmentPreview,
} from '../../../generated/native/types.gen.ts';
import type { FormerCondition } from '../../domain/conditions/former.ts';
import type { Path } from '../../domain/conditions/tree.ts';
import type { SegmentChange } from '../../domain/reading/segment-changes.ts';
import { readDefinition } from '../../domain/segments/definition.ts';
import type { Explanation, Finding } from '../../domain/segments/explain.ts';
import type { SegmentWithDefinition } from '../../domain/segments/find-segments.ts';
import type { Preview } from '../../domain/segments/preview.ts';
import { clip, fieldOf, ServiceError } from '../../domain/service-error.ts';
import { isId } from '../../ids/uuid-v7.ts';

/** Characters of a path. */
const MAX_PATH = 1_000;

/** Converts a validated definition: the types that the contract and the domain have for it differ only in `readonly`. */
export function toSegmentDefinition(body: SegmentDefinition): FormerCondition {
  return body as FormerCondition;
}

/** Returns the id of a segment in a path. Throws `not_found` if it can't be one. */
export function segmentId(text: string): string {
  return existingSegment(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a segment that there is not. */
export function existingSegment<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such segment');
  return found;
}

export function renderSegment({ definition, build, now, ...segment }: SegmentWithDefinition): SegmentBody {
  const { computedThrough, setAside } = segment;
  return {
    id: segment.id,
    name: segment.name,
    definition: readDefinition(definition) as SegmentDefinition,
    revision: segment.revision,
    status: segment.state,
    state: segment.state,
    failure: segment.failure,
    progress: build && {
      reason: build.reason,
      profile_count: build.profiles,
      profiles: build.profiles,
      of: build.total,
      requested_at: iso(build.requestedAt),
      started_at: build.startedAt === null ? null : iso(build.startedAt),
    },
    member_count: segment.members,
    members: segment.members,
    computed_through: computedThrough === null ? null : iso(computedThrough),
    lag_seconds: computedThrough === null ? null : Math.max(0, Math.floor((now - computedThrough) / 1_000)),
    set_aside: { profile_count: setAside.profiles, profiles: setAside.profiles, profile_ids: [...setAside.profileIds] },
    created_at: iso(segment.createdAt),
    updated_at: iso(segment.updatedAt),
  };
}

export function renderSegmentChange({
  id,
  profileId,
  kind,
  cause,
  at,
}: SegmentChange): SegmentChangePage['changes'][number] {
  return { id, profile_id: profileId, kind, cause, changed_at: iso(at) };
}

export function renderExplanation(profileId: string, explanation: Explanation): SegmentExplanation {
  const { enteredAt, nextCheck } = explanation;
  return {
    profile_id: profileId,
    member: explanation.isMember,
    entered_at: enteredAt === null ? null : iso(enteredAt),
    matches: explanation.matches,
    evaluated_at: iso(explanation.evaluatedAt),
    next_check: nextCheck === null ? null : iso(nextCheck),
    conditions: explanation.findings.map(renderFinding),
  };
}

export function renderPreview({ profiles, evaluated, members, conditions, sample, warnings }: Preview): SegmentPreview {
  return {
    profile_count: profiles,
    profiles,
    evaluated,
    member_estimate: members,
    members,
    conditions: conditions.map(({ path, leaf, matches, unset }) => ({
      path: renderPath(path),
      condition: leaf as unknown as SegmentDefinition,
      match_count: matches,
      matches,
      unset_count: unset,
      unset,
    })),
    sample: sample.map(({ profileId, findings }) => ({
      profile_id: profileId,
      conditions: findings.map(renderFinding),
    })),
    warnings: warnings.map(({ path, problem }) => ({ path: renderPath(path), message: problem })),
  };
}

function renderFinding({ path, leaf, matches, value, nextCheck }: Finding): SegmentFinding {
  return {
    path: renderPath(path),
    condition: leaf as unknown as SegmentDefinition,
    matches,
    value: renderValue(value),
    next_check: nextCheck === null ? null : iso(nextCheck),
  };
}

function renderValue(value: unknown): SegmentFinding['value'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

function renderPath(path: Path): string {
  return clip(fieldOf(path) ?? '', MAX_PATH);
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
