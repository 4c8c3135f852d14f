import { Router } from '@koa/router';
import type { BoundOperation } from './contract.ts';
import type { Middleware } from './surface.ts';

/** An operation's method and path, with parameters as the router or as a spec writes them, and what performs it. */
export type Route = Pick<BoundOperation, 'method' | 'path'> & { perform: unknown };

/** Finds the operation of a request. Where several paths fit, the most specific one wins, in whatever order they come. */
export function operationRouter(routes: readonly Route[]): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  for (const { method, path, perform } of bySpecificity(routes)) router.register(path, [method], perform as never);
  return router.routes() as unknown as Middleware;
}

/** Paths that one request may fit, the most specific one first: segment by segment, a name comes before a parameter. */
export function bySpecificity<Operation extends { path: string }>(operations: readonly Operation[]): Operation[] {
  const keyed = operations.map((operation) => ({ operation, key: parametersOf(operation.path) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ operation }) => operation);
}

/** For each segment of a path whether it has a parameter: `/v1/profiles/:id` → `0001`. */
function parametersOf(path: string): string {
  return path
    .split('/')
    .map((segment) => (/[:{]/.test(segment) ? '1' : '0'))
    .join('');
}
