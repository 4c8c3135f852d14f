import { extname } from 'node:path';
import type { Log } from '../../../process/log.ts';
import { FairThreads } from '../../../threads/fair-threads.ts';
import type { TaskFailure } from '../../../threads/task-messages.ts';
import type { CompiledTemplate, RenderedMessage, RenderFailure } from '../core/compiled.ts';
import type { RenderItem, RenderTask } from './render-task.ts';

const MAX_MEMORY = 256;
/** Milliseconds that a message may take. */
const MESSAGE_MS = 1_000;

const MODULE = new URL(`./render-thread${extname(import.meta.url)}`, import.meta.url);

export interface RendererOptions {
  /** Of the thread, where it makes more of messages than the templates say. */
  module?: URL;
  messageMs?: number;
  /** Milliseconds after which the thread ends if nothing is rendered; absent: it stays. */
  idleMs?: number | undefined;
}

/** Renders messages in a thread, in which none takes longer than it may, and no store keeps others waiting. */
export class TemplateRenderer<Item extends RenderItem = RenderItem, Made = RenderedMessage | RenderFailure> {
  readonly #threads: FairThreads<Item & RenderTask, Made>;

  constructor(log: Log, { module = MODULE, messageMs = MESSAGE_MS, idleMs }: RendererOptions = {}) {
    this.#threads = new FairThreads({
      name: 'rendering templates',
      module,
      log,
      maxMemory: MAX_MEMORY,
      taskMs: messageMs,
      idleMs,
    });
  }

  /**
   * Returns a message, or why there is none, for each customer, in their order. Where two took too long, the others are not
   * tried. Rejects with `ThreadEnded` if the thread is ended or does not start.
   */
  async render(storeId: string, compiled: CompiledTemplate, items: readonly Item[]): Promise<(Made | RenderFailure)[]> {
    const results = await this.#threads.run(
      storeId,
      items.map((item) => ({ ...item, compiled })),
    );
    return results.map((result) => ('answer' in result ? result.answer : failureOf(result)));
  }

  stop(): Promise<void> {
    return this.#threads.stop();
  }
}

function failureOf({ failed, reason }: { failed: TaskFailure; reason: string }): RenderFailure {
  if (failed === 'too_slow') return { code: 'template_too_slow', message: reason };
  if (failed === 'thread_ended') return { code: 'too_large', message: 'The message takes too much memory' };
  return { code: 'render_failed', message: reason };
}
