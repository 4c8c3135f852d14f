import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { recommendInMessages } from '../catalog/recommendations/for-messages.ts';
import type { JsonObject } from '../conditions/subject.ts';
import { readMessageSettings } from '../senders/message-settings.ts';
import { invalid } from '../service-error.ts';
import type { WithConnection } from '../store-connections.ts';
import { readStoreSettings } from '../store-settings.ts';
import { checkDraft, MAX_PROBLEMS } from './check-draft.ts';
import type { CompiledTemplate, RenderedMessage, TemplateData, TemplateProblem } from './core/compiled.ts';
import { type Recommending, recommendingOf } from './core/looked-up.ts';
import { pathSegments, type TemplateDraft } from './draft.ts';
import { findTemplate } from './find-templates.ts';
import { customsOf, messageData, storeData } from './message-data.ts';
import { oftenMissingOfEvents } from './often-missing.ts';
import { withSubject } from './other-subject.ts';
import type { Parts } from './parts/part.ts';
import { readParts } from './parts/read-parts.ts';
import { type Occasion, readPreviewData } from './preview-data.ts';
import { describe } from './publish.ts';
import { expectScopesToDefine, expectScopesToPublish } from './scopes.ts';
import type { TemplateTools } from './template-tools.ts';
import { findVersion, readCompiled } from './versions.ts';

export interface PreviewRequest extends Occasion {
  id: string;
  /** Undefined for the draft. */
  version: number | undefined;
  /** By default that of the customer. */
  locale: string | undefined;
  /** The campaign that sends it, and the subject in place of that of the template; null for that. */
  said?: { subject: string | null; campaign: { id: string; name: string }; givesCodes: boolean } | undefined;
}

/** What a message would say, or why there would be none. */
export interface TemplatePreview {
  message: RenderedMessage | undefined;
  failure: { code: string; message: string } | undefined;
  problems: readonly TemplateProblem[];
}

interface Found {
  draft: TemplateDraft;
  parts: Parts;
  /** Of a version. */
  compiled: RawJson | undefined;
  data: TemplateData;
}

/**
 * Renders what a template makes of the data of a customer; sends nothing. Returns undefined if the store has no such
 * template; throws `validation_error` if it has no such version, customer or event.
 */
export async function previewTemplate(
  writing: WithConnection,
  tools: TemplateTools,
  caller: Caller,
  request: PreviewRequest,
): Promise<TemplatePreview | undefined> {
  const { storeId } = caller;
  const found = await writing(storeId, (db, shared) => read(db, shared, caller, request));
  if (!found) return undefined;
  const { draft, parts } = found;
  expectScopesToDefine(caller, draft);
  const checked = found.compiled
    ? { compiled: found.compiled.parse<CompiledTemplate>(), problems: [] }
    : await checkDraft(tools, { storeId, id: request.id, draft, parts });
  const { compiled, problems } = checked;
  const [first] = problems.filter(({ severity }) => severity === 'error');
  if (first || !compiled) {
    const message = first ? describe(first) : 'Nothing can be made of the template';
    return { message: undefined, failure: { code: 'faulty_template', message }, problems };
  }
  expectScopesToPublish(caller, draft, compiled);
  const wanted = recommendingOf(compiled);
  const data = wanted ? await withRecommended(writing, storeId, found.data, wanted) : found.data;
  const customs = customsOf(data);
  const options = {
    ...{ ...customs, locale: request.locale ?? customs.locale },
    required: draft.required.map(pathSegments),
  };
  const subject = request.said?.subject ?? null;
  const sent = subject === null ? compiled : withSubject(compiled, subject);
  const rendered = await tools.render(storeId, sent, { data, options });
  const type = data.event?.event_type;
  const missing =
    typeof type === 'string' ? await writing(storeId, (db) => oftenMissingOfEvents(db, storeId, compiled, type)) : [];
  const all = [...problems, ...missing].slice(0, MAX_PROBLEMS);
  return 'html' in rendered
    ? { message: rendered, failure: undefined, problems: all }
    : { message: undefined, failure: rendered, problems: all };
}

/** With what a message to the customer would recommend now. */
async function withRecommended(
  writing: WithConnection,
  storeId: string,
  data: TemplateData,
  wanted: Recommending,
): Promise<TemplateData> {
  const profileId = typeof data.profile.id === 'string' ? data.profile.id : undefined;
  const recipient = { profileId, properties: (data.event?.properties as JsonObject | undefined) ?? null };
  const [recommended] = await writing(storeId, (db) => recommendInMessages(db, storeId, wanted, [recipient]));
  return { ...data, recommended: recommended ?? {} };
}

async function read(
  db: Sql,
  shared: Sql,
  caller: Caller,
  { id, version, said, ...occasion }: PreviewRequest,
): Promise<Found | undefined> {
  const { storeId } = caller;
  const template = await findTemplate(db, storeId, id);
  if (!template) return undefined;
  const published = version === undefined ? undefined : await findVersion(db, storeId, id, version);
  if (version !== undefined && !published)
    throw invalid({ path: ['version'], problem: 'is not the number of a version' });
  const ready = published && (await readCompiled(db, storeId, id, published.number));
  const draft = (published ?? template).draft.parse<TemplateDraft>();
  const copied = published?.parts.parse<Record<string, number>>();
  const parts: Parts = ready ? new Map() : await readParts(db, storeId, draft, copied);
  const store = storeData(await readStoreSettings(shared, storeId), await readMessageSettings(db, storeId));
  const known = await readPreviewData(db, caller, occasion);
  const data = messageData({
    ...{ ...known, store, campaign: said?.campaign },
    ...(said && !said.givesCodes && { coupon: null }),
  });
  return { draft, parts, compiled: ready?.compiled, data };
}
