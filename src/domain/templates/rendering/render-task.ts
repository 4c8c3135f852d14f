import { clickLinks, type TrackedMessage, unseenParts } from '../../tracking/tracked-links.ts';
import type { CompiledTemplate, RenderedMessage, RenderFailure, TemplateData } from '../core/compiled.ts';
import { type RenderOptions, renderContent } from '../core/render-content.ts';

/** One customer's message. */
export interface RenderItem {
  data: TemplateData;
  options: Omit<RenderOptions, 'link' | 'unseen'>;
  /** Undefined where neither opens nor clicks are recorded. */
  tracked?: TrackedMessage | undefined;
}

/** Several of a batch have the same template, which goes to the thread once. */
export interface RenderTask extends RenderItem {
  compiled: CompiledTemplate;
}

export function renderTask({ compiled, data, options, tracked }: RenderTask): RenderedMessage | RenderFailure {
  const links = tracked && { link: clickLinks(tracked), unseen: unseenParts(tracked) };
  return renderContent(compiled, data, { ...options, ...links });
}
