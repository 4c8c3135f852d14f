import type { Operations } from '../../generated/native/operations.gen.ts';
import type { TemplateEventInput, TemplateRenderInput } from '../../generated/native/types.gen.ts';
import type { Caller } from '../domain/caller.ts';
import { asCampaignSends } from '../domain/campaigns/preview-of.ts';
import { canonicalName } from '../domain/canonical/text.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { type PreviewRequest, previewTemplate } from '../domain/templates/preview.ts';
import type { Occasion } from '../domain/templates/preview-data.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { toIdentifiers } from './representations/event.ts';
import { existingTemplate, renderPreview, templateId } from './representations/template.ts';
import { outsideOf } from './template-tools.ts';

export function renderTemplate(writing: WithConnection, tools: TemplateTools): Handler<Operations, 'renderTemplate'> {
  return async ({ request: { path, body }, caller, deadline }) => {
    const { request } = await asAsked(writing, caller, path.id, body);
    const preview = await previewTemplate(writing, outsideOf(deadline, tools), caller, request);
    return { status: 200, body: renderPreview(existingTemplate(preview)), isRepeatable: true };
  };
}

/**
 * Returns what a validated body asks to see, and who would send it, if it is what a campaign says and that names a sender. Throws
 * `not_found` for what can't be an id.
 */
export async function asAsked(
  writing: WithConnection,
  caller: Caller,
  id: string,
  { campaign_id: campaignId, variant, ...body }: TemplateRenderInput,
): Promise<{ request: PreviewRequest; senderId: string | undefined }> {
  const request = toPreviewRequest(id, body, caller);
  if (campaignId !== undefined) {
    const of = { campaignId: campaignId.toLowerCase(), variant };
    return await writing(caller.storeId, (db) => asCampaignSends(db, caller.storeId, request, of));
  }
  if (variant !== undefined) throw invalid({ path: ['campaign_id'], problem: 'is required with a variant' });
  return { request, senderId: undefined };
}

function toPreviewRequest(
  id: string,
  { version, profile, event, locale, data = {} }: Omit<TemplateRenderInput, 'campaign_id' | 'variant'>,
  caller: Caller,
): PreviewRequest {
  const { profile_id: profileId, ...identifiers } = profile ?? {};
  return {
    id: templateId(id),
    version: version ?? undefined,
    profile:
      profile && (profileId === undefined ? { identifiers: toIdentifiers(identifiers, caller) } : { id: profileId }),
    event: event && toEvent(event),
    locale,
    data,
  };
}

function toEvent({ id, event_type: type, properties }: TemplateEventInput): NonNullable<Occasion['event']> {
  if ((id === undefined) === (type === undefined)) {
    throw invalid({ path: ['event'], problem: 'needs either id or event_type' });
  }
  if (type !== undefined) return { eventType: canonicalName(type), properties: properties ?? {} };
  if (properties !== undefined) throw invalid({ path: ['event', 'properties'], problem: 'must be absent with id' });
  return { id: id as string };
}
