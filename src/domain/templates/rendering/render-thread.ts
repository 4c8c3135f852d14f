import { serveTasks } from '../../../threads/serve-tasks.ts';
import type { RenderedMessage, RenderFailure } from '../core/compiled.ts';
import { renderContent } from '../core/render-content.ts';
import type { RenderTask } from './render-task.ts';

serveTasks<RenderTask, RenderedMessage | RenderFailure>(
  ({ compiled, data, options }) => renderContent(compiled, data, options),
  { charactersOf: (message) => ('html' in message ? message.html.length + message.text.length : 0) },
);
