import type { Condition, ConditionFinding, SkipDetail as SkipDetailBody } from '../../../generated/native/types.gen.ts';
import type { SkipDetail } from '../../domain/automations/core/machine/skip.ts';
import type { Finding } from '../../domain/conditions/evaluate.ts';
import { fieldOf } from '../../domain/service-error.ts';
import { iso } from '../../domain/time/local.ts';

export function renderFinding({ path, leaf, saw }: Finding): ConditionFinding {
  const condition = leaf as Condition;
  return { path: fieldOf(path) ?? '', condition, ...(saw === undefined ? {} : { saw: asScalar(saw) }) };
}

/** Null if there is nothing to say. */
export function renderSkipDetail({ leaf, runId, freeAt }: SkipDetail): SkipDetailBody | null {
  if (!leaf && runId === undefined && freeAt === undefined) return null;
  return {
    condition: leaf ? renderFinding(leaf) : null,
    run_id: runId ?? null,
    free_at: freeAt === undefined ? null : iso(freeAt),
  };
}

function asScalar(value: unknown): string | number | boolean | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value as string | number | boolean | null;
}
