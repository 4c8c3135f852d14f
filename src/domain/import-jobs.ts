import type { Sql } from '../db/orm.ts';
import type { Caller } from './api-keys.ts';
import type { ErrorCode, Violation } from './errors.ts';
import type { Draft } from './write/draft.ts';
export type ImportKind = 'events' | 'profiles';
export interface ImportItem {
  path: Violation['path'];
  draft: Draft;
}
export interface ImportJob {
  id: string;
  kind: ImportKind;
  status: 'queued' | 'processing' | 'complete';
  total: number;
  completed: number;
  failed: number;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  expiresAt: Date;
}
export interface ImportError {
  id: string;
  code: ErrorCode;
  path: Violation['path'];
  problem: string;
}
export async function createImportJob(
  _s: Sql,
  _c: Caller,
  _k: ImportKind,
  _i: readonly ImportItem[],
): Promise<ImportJob> {
  throw new Error();
}
export async function findImportJob(_s: Sql, _c: Caller, _k: ImportKind, _id: string): Promise<ImportJob | undefined> {
  return undefined;
}
export async function listImportErrors(
  _s: Sql,
  _c: Caller,
  _j: string,
  _p: { after?: string | undefined; limit: number },
): Promise<{ errors: ImportError[]; next: string | undefined }> {
  throw new Error();
}
