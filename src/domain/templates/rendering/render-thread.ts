import { serveTasks } from '../../../threads/serve-tasks.ts';
import type { RenderedMessage, RenderFailure } from '../core/compiled.ts';
import { type RenderTask, renderTask } from './render-task.ts';

serveTasks<RenderTask, RenderedMessage | RenderFailure>(renderTask, {
  charactersOf: (message) => ('html' in message ? message.html.length + message.text.length : 0),
});
