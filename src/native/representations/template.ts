import type {
  TemplateDraft as DraftBody,
  TemplatePreview as PreviewBody,
  TemplateProblem as ProblemBody,
  PublishedTemplate as PublishedBody,
  TemplateSummary as SummaryBody,
  Template as TemplateBody,
  TemplateInput,
  TemplateUpdate,
  TemplateVersion as VersionBody,
  TemplateVersionSummary as VersionSummaryBody,
} from '../../../generated/native/types.gen.ts';
import { clip, ServiceError } from '../../domain/service-error.ts';
import type { TemplateProblem } from '../../domain/templates/core/compiled.ts';
import type { TemplateDraft } from '../../domain/templates/draft.ts';
import type { TemplateSummary, TemplateWithDraft } from '../../domain/templates/find-templates.ts';
import type { TemplatePreview } from '../../domain/templates/preview.ts';
import type { PublishedTemplate } from '../../domain/templates/publish.ts';
import type { TemplateVersion, TemplateVersionSummary } from '../../domain/templates/versions.ts';
import { isId } from '../../ids/uuid-v7.ts';

/** Characters of a message and of a field. */
const MAX_CHARACTERS = 1_000;

/** Converts a validated body; what is left out has its default. */
export function toDraft(body: TemplateInput | TemplateUpdate): TemplateDraft {
  return {
    name: body.name,
    kind: body.kind,
    use: body.use ?? 'message',
    class: body.class ?? 'marketing',
    layout_id: body.layout_id?.toLowerCase() ?? null,
    locale: body.locale ?? 'en',
    subject: body.subject ?? '',
    preheader: body.preheader ?? '',
    body: body.body as TemplateDraft['body'],
    text: body.text ?? null,
    translations: (body.translations ?? {}) as TemplateDraft['translations'],
    required: body.required ?? [],
  };
}

/** Returns the id of a template in a path. Throws `not_found` if it can't be one. */
export function templateId(text: string): string {
  return existingTemplate(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of a template that there is not. */
export function existingTemplate<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such template');
  return found;
}

export function renderTemplateBody(
  { draft, ...template }: TemplateWithDraft,
  problems: readonly TemplateProblem[],
): TemplateBody {
  return {
    ...renderTemplateSummary(template),
    draft: draft as unknown as DraftBody,
    problems: problems.map(renderProblem),
  };
}

export function renderTemplateSummary({ createdAt, updatedAt, archivedAt, ...template }: TemplateSummary): SummaryBody {
  return {
    id: template.id,
    name: template.name,
    kind: template.kind,
    use: template.use,
    class: template.class,
    status: template.status,
    revision: template.revision,
    version: template.version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    archived_at: archivedAt?.toISOString() ?? null,
  };
}

export function renderProblem({ message, field, ...problem }: TemplateProblem): ProblemBody {
  return { ...problem, message: clip(message, MAX_CHARACTERS), field: clip(field, MAX_CHARACTERS) };
}

export function renderVersionSummary(version: TemplateVersionSummary): VersionSummaryBody {
  return {
    template_id: version.templateId,
    number: version.number,
    published_at: version.publishedAt.toISOString(),
    published_by: version.publishedBy,
  };
}

export function renderVersion({ draft, parts, ...version }: TemplateVersion): VersionBody {
  const copied = Object.entries(parts.parse<Record<string, number>>());
  return {
    ...renderVersionSummary(version),
    draft: draft as unknown as DraftBody,
    copied: copied.map(([id, number]) => ({ template_id: id, number })),
  };
}

export function renderPublished({ version, warnings, outdated }: PublishedTemplate): PublishedBody {
  return { ...renderVersion(version), problems: warnings.map(renderProblem), outdated: [...outdated] };
}

export function renderPreview({ message, failure, problems }: TemplatePreview): PreviewBody {
  const {
    locale = null,
    subject = null,
    preheader = null,
    html = null,
    text = null,
    links = [],
    segments = null,
  } = message ?? {};
  return {
    ...{ locale, subject, preheader, html, text },
    links: [...links],
    size_bytes: Buffer.byteLength(html || text || ''),
    segment_count: segments?.count ?? null,
    encoding: segments?.encoding ?? null,
    problems: problems.map(renderProblem),
    failure: failure ? { code: failure.code as 'render_failed', message: clip(failure.message, MAX_CHARACTERS) } : null,
  };
}
