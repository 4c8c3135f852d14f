import { serveTasks } from '../../../threads/serve-tasks.ts';
import { clickLinks, unseenParts } from '../../tracking/tracked-links.ts';
import type { RenderedMessage, RenderFailure } from '../core/compiled.ts';
import { renderContent } from '../core/render-content.ts';
import type { RenderTask } from './render-task.ts';

serveTasks<RenderTask, RenderedMessage | RenderFailure>(
  ({ compiled, data, options, tracked }) => {
    const links = tracked && { link: clickLinks(tracked), unseen: unseenParts(tracked) };
    return renderContent(compiled, data, { ...options, ...links });
  },
  { charactersOf: (message) => ('html' in message ? message.html.length + message.text.length : 0) },
);
