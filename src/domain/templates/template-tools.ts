import type { Log } from '../../process/log.ts';
import { ThreadEnded } from '../../threads/thread.ts';
import { overloaded } from '../service-error.ts';
import { TemplateCompiler } from './compiling/template-compiler.ts';
import type { Compilation, TemplateSources } from './compiling/template-sources.ts';
import type { CompiledTemplate, RenderedMessage, RenderFailure } from './core/compiled.ts';
import type { RenderItem } from './rendering/render-task.ts';
import { TemplateRenderer } from './rendering/template-renderer.ts';

/** Milliseconds after which a thread ends that renders previews, of which there are few. */
const IDLE_MS = 60_000;

/** What compiles templates and previews messages, in threads. Where these do not start, it throws `upstream_error`. */
export interface TemplateTools {
  compile(storeId: string, sources: TemplateSources): Promise<Compilation>;
  render(storeId: string, compiled: CompiledTemplate, item: RenderItem): Promise<RenderedMessage | RenderFailure>;
}

/** Starts no thread before it is needed. */
export function openTemplateTools(log: Log): TemplateTools & { stop(): Promise<void> } {
  const compiler = new TemplateCompiler(log);
  const renderer = new TemplateRenderer(log, { idleMs: IDLE_MS });
  return {
    compile: (storeId, sources) => compiler.compile(storeId, sources).catch(rethrow),
    render: async (storeId, compiled, item) => {
      const [made] = await renderer.render(storeId, compiled, [item]).catch(rethrow);
      return made as RenderedMessage | RenderFailure;
    },
    stop: async () => {
      await Promise.all([compiler.stop(), renderer.stop()]);
    },
  };
}

function rethrow(error: unknown): never {
  if (!(error instanceof ThreadEnded)) throw error;
  throw overloaded('Templates can not be looked at for the moment; try again later');
}
