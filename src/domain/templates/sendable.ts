import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { invalid } from '../service-error.ts';
import type { LookedUp } from './core/looked-up.ts';
import type { TemplateClass } from './draft.ts';
import { parseReads } from './named-templates.ts';

/** A version of which messages can be sent. */
export interface Sendable {
  number: number;
  channel: 'email' | 'sms';
  class: TemplateClass;
  /** What has to be looked up for its messages. */
  reads: readonly LookedUp[];
}

interface Row {
  current: number | null;
  kind: string;
  status: string;
  number: number | null;
  class: TemplateClass | null;
  isSendable: boolean;
  reads: RawJson | null;
}

/**
 * Finds the version of a template that a message is to be made of, by default the current one. Throws `validation_error`
 * for `template_id` or `template_version` if there is none, or if it is not for the channel that is asked for; or if it is
 * archived, unless it was chosen before that.
 */
export async function expectSendable(
  db: Sql,
  storeId: string,
  templateId: string,
  number: number | undefined,
  wanted?: Sendable['channel'],
  { wasChosen = false }: { wasChosen?: boolean } = {},
): Promise<Sendable> {
  const row = isId(templateId) ? await read(db, storeId, templateId, number) : undefined;
  if (!row) throw refused('template_id', 'is not the id of a template');
  const channel = row.kind === 'sms' ? 'sms' : 'email';
  if (wanted !== undefined && channel !== wanted) {
    throw refused('template_id', `must be that of a template for ${wanted === 'sms' ? 'text messages' : 'e-mail'}`);
  }
  if (row.status === 'archived' && !wasChosen) throw refused('template_id', 'is that of a template that is archived');
  if (row.current === null) throw refused('template_id', 'is that of a template that is not published');
  if (row.number === null) throw refused('template_version', 'is not the number of a version');
  if (!row.isSendable) throw refused('template_id', 'is that of a layout or a snippet');
  const { number: version, class: ofClass, reads } = row;
  return { number: version, channel, class: ofClass as TemplateClass, reads: reads ? parseReads(reads) : [] };
}

async function read(db: Sql, storeId: string, id: string, number: number | undefined): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select t.version as current, t.kind, t.status, v.number, v.class, v.compiled is not null as "isSendable",
      coalesce(v.compiled -> 'reads', v.compiled) as reads
    from template t
    left join template_version v
      on v.store_id = ${storeId} and v.template_id = ${id} and v.number = coalesce(${number ?? null}::int, t.version)
    where t.store_id = ${storeId} and t.id = ${id}`.execute(db);
  return rows[0];
}

function refused(field: string, problem: string) {
  return invalid({ path: [field], problem });
}
