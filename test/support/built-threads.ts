import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads, { Worker, type WorkerOptions } from 'node:worker_threads';
import { builtProgram, ROOT } from './programs.ts';

const THREAD = /^(src|test\/support)\/.*-thread\.ts$/;

/**
 * Has services in the process of the tests run what is built of their threads, as services that are processes do: of the
 * hundreds of modules of each thread's source, each thread of each service would load its own.
 */
export function runBuiltThreads(): void {
  workerThreads.Worker = class extends Worker {
    constructor(module: string | URL, options?: WorkerOptions) {
      super(builtOf(module), options);
    }
  };
  syncBuiltinESMExports();
}

function builtOf(module: string | URL): string | URL {
  if (!(module instanceof URL)) return module;
  const file = relative(ROOT, fileURLToPath(module));
  return THREAD.test(file) ? builtProgram(file) : module;
}
