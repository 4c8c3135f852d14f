import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import { rowById } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { PROFILE_COLUMNS, type Profile, type ProfileRow, profileFromRow } from '../profile.ts';
import type { Signer } from '../secrets/secrets.ts';
import { readMessageSettings } from '../senders/message-settings.ts';
import type { WithConnection } from '../store-connections.ts';
import { readStoreSettings } from '../store-settings.ts';
import type { CompiledTemplate, RenderedMessage, TemplateData } from '../templates/core/compiled.ts';
import { customsOf, messageData, storeData } from '../templates/message-data.ts';
import type { TemplateTools } from '../templates/template-tools.ts';
import { readCompiled } from '../templates/versions.ts';
import type { MessageContext, MessageSource } from './core/message.ts';
import { findKeptMail } from './outbox.ts';
import { type CampaignOfMessage, readCampaignsOf } from './sending/campaigns.ts';
import { linksOf, type MessageToken } from './tokens.ts';

export interface ViewTools {
  writing: WithConnection;
  templates: Pick<TemplateTools, 'render'>;
  tokens: Signer;
  /** Of the links in messages, without a slash at its end. */
  publicUrl: string;
}

type Said = Pick<RenderedMessage, 'html' | 'text'>;

/** What a message was made of, but for what has changed since of its customer. */
interface Made {
  compiled: RawJson;
  context: MessageContext;
  profile: Profile;
  campaign: CampaignOfMessage | undefined;
  store: TemplateData['store'];
}

/**
 * Returns what a message says to its reader: as it was kept, or else made once more for the customer as they are now.
 * Undefined if the message was not sent, or is no longer known, or one can no longer be made.
 */
export async function viewMessage(token: MessageToken, tools: ViewTools): Promise<Said | undefined> {
  const { writing, templates, tokens, publicUrl } = tools;
  const { storeId, messageId } = token;
  const found = await writing(storeId, async (db, shared) => {
    return (await findKeptMail(db, storeId, messageId)) ?? (await readMade(db, shared, token));
  });
  if (!found || 'html' in found) return found;
  const { compiled, context, profile, campaign, store } = found;
  const { event, coupon, recommended, data } = context;
  const parts = messageData({
    profile,
    event,
    coupon,
    recommended,
    data,
    campaign,
    store,
    links: linksOf(tokens, publicUrl, token),
  });
  const item = { data: parts, options: customsOf(parts) };
  const rendered = await templates.render(storeId, compiled.parse<CompiledTemplate>(), item);
  return 'html' in rendered ? rendered : undefined;
}

interface MadeRow extends ProfileRow {
  templateId: string | null;
  version: number | null;
  context: RawJson;
  source: MessageSource;
  madeBy: string | null;
}

async function readMade(db: Sql, shared: Sql, token: MessageToken): Promise<Made | undefined> {
  const { storeId, messageId, profileId } = token;
  const { rows } = await sql<MadeRow>`
    select m.template_id as "templateId", m.template_version as version, m.context, m.source, m.source_id as "madeBy",
      ${PROFILE_COLUMNS}
    from message m
    cross join lateral ${rowById('profile', storeId, 'm.profile_id')} p
    where m.store_id = ${storeId} and m.id = ${messageId} and m.profile_id = ${profileId}
      and m.status in ('sent', 'delivered', 'complained', 'unknown')`.execute(db);
  const [row] = rows;
  if (!row || row.templateId === null || row.version === null) return undefined;
  const ready = await readCompiled(db, storeId, row.templateId, row.version);
  if (!ready) return undefined;
  const campaigns = await readCampaignsOf(db, storeId, [{ source: row.source, sourceId: row.madeBy }]);
  return {
    compiled: ready.compiled,
    context: row.context.parse<MessageContext>(),
    profile: profileFromRow(row),
    campaign: campaigns.get(row.madeBy ?? ''),
    store: storeData(await readStoreSettings(shared, storeId), await readMessageSettings(db, storeId)),
  };
}
