import type {
  Import,
  ImportConsent,
  ImportError,
  ImportPreview,
  ImportPreviewRow,
} from '../../../generated/native/types.gen.ts';
import { choiceTime } from '../../domain/consent/consent.ts';
import { parseTime } from '../../domain/event-time.ts';
import { shownAs } from '../../domain/identifiers.ts';
import type { CustomerImport, ImportedConsent } from '../../domain/imports/files/customer-import.ts';
import type { RowError } from '../../domain/imports/files/find-imports.ts';
import type { Preview, PreviewRow } from '../../domain/imports/files/preview.ts';
import { invalid } from '../../domain/service-error.ts';

/** Converts validated input. Throws `validation_error` for a time that can't be that of a choice. */
export function toImportedConsent({ email, sms, changed_at, source }: ImportConsent): ImportedConsent {
  const refuse = (path: string[], problem: string) => invalid({ path: ['consent', ...path], problem });
  if (email === undefined && sms === undefined) throw refuse([], 'needs email or sms');
  const time = parseTime(changed_at);
  const changedAt = time && choiceTime(time);
  if (!changedAt) throw refuse(['changed_at'], 'must be a time from 1990 on that is not in the future');
  return { choices: { ...(email && { email }), ...(sms && { sms }) }, changedAt, source: source ?? null };
}

export function renderImport(one: CustomerImport): Import {
  const progress = one.rows.read === 0 && one.state !== 'complete' ? 0 : one.bytesDone / one.bytes;
  return {
    id: one.id,
    name: one.name,
    status: one.state,
    state: one.state,
    failure: one.failure,
    delimiter: one.delimiter,
    mapping: one.mapping,
    consent: one.consent && renderConsent(one.consent),
    list_ids: one.listIds,
    backfill: one.isHistorical,
    parts: one.parts,
    size_bytes: one.bytes,
    bytes: one.bytes,
    progress_ratio: progress,
    progress,
    rows: one.rows,
    errors_kept: one.errorsKept,
    created_at: one.createdAt.toISOString(),
    started_at: toText(one.startedAt),
    ended_at: toText(one.endedAt),
    expires_at: toText(one.expiresAt),
  };
}

function renderConsent({ choices, changedAt, source }: ImportedConsent): Import['consent'] {
  return { ...choices, changed_at: changedAt.toISOString(), ...(source !== null && { source }) };
}

export function renderPreview({ delimiter, columns, mapping, rows }: Preview): ImportPreview {
  return { delimiter, columns, mapping, rows: rows.map(renderPreviewRow) };
}

function renderPreviewRow(row: PreviewRow): ImportPreviewRow {
  const { line } = row;
  if (row.error) {
    return { line, identifiers: null, attributes: null, consent: [], error: renderRowError(row.error) };
  }
  const { identifiers, attributes, choices } = row;
  const shown = (kind: 'email' | 'phone' | 'external_id' | 'source_id') => {
    const value = identifiers[kind];
    return value === undefined ? null : shownAs(identifiers, kind, value);
  };
  const known = { email: shown('email'), phone: shown('phone'), external_id: shown('external_id') };
  const sourceId = shown('source_id');
  const consent = choices.map(({ channel, kind, changedAt, isNow, source }) => ({
    ...{ channel, kind, source },
    changed_at: isNow ? null : changedAt.toISOString(),
  }));
  return {
    ...{ line, attributes, consent, error: null },
    identifiers: sourceId === null ? known : { ...known, source_id: sourceId },
  };
}

export function renderRowError({ line, code, column, value, problem }: RowError): ImportError {
  return { line, code, column, value, message: problem };
}

function toText(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
