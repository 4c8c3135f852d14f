import { extname } from 'node:path';
// Its code is unloaded where the last thread ends that has it, and the next one would crash the process: this one keeps it.
import '@css-inline/css-inline';
import type { Log } from '../../../process/log.ts';
import { FairThreads } from '../../../threads/fair-threads.ts';
import type { TemplateProblem } from '../core/compiled.ts';
import type { Compilation, TemplateSources } from './template-sources.ts';

/** Megabytes of heap, a third of which MJML takes. */
const MAX_MEMORY = 256;
/** Milliseconds that a template may take, on a slow machine, too; a usual one takes 20. */
const TEMPLATE_MS = 5_000;
/** Milliseconds after which the thread ends, as templates are seldom compiled. */
const IDLE_MS = 30_000;

export interface CompilerOptions {
  templateMs?: number;
  idleMs?: number;
}

/** Compiles templates in a thread, in which none takes longer than it may. */
export class TemplateCompiler {
  readonly #threads: FairThreads<TemplateSources, Compilation>;

  constructor(log: Log, { templateMs = TEMPLATE_MS, idleMs = IDLE_MS }: CompilerOptions = {}) {
    this.#threads = new FairThreads({
      name: 'compiling templates',
      module: new URL(`./compile-thread${extname(import.meta.url)}`, import.meta.url),
      log,
      maxMemory: MAX_MEMORY,
      taskMs: templateMs,
      idleMs,
    });
  }

  /** Rejects with `ThreadEnded` if the thread is ended or does not start. */
  async compile(storeId: string, sources: TemplateSources): Promise<Compilation> {
    const [result] = await this.#threads.run(storeId, [sources]);
    if (result && 'answer' in result) return result.answer;
    if (result?.failed === 'error') throw new Error(`A template could not be compiled: ${result.reason}`);
    return { compiled: null, problems: [TOO_LARGE] };
  }

  stop(): Promise<void> {
    return this.#threads.stop();
  }
}

const TOO_LARGE: TemplateProblem = {
  severity: 'error',
  code: 'template_too_slow',
  message: 'The template takes too much time or memory to be compiled; make it smaller',
  field: 'body',
  line: null,
  column: null,
};
