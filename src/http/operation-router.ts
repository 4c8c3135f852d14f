import { Router, type RouterMiddleware } from '@koa/router';
import type { BoundOperation } from './bind-contract.ts';
import type { State } from './surface.ts';

/** An operation's method and path, with parameters as `:name`, and what performs it. */
export type Route = Pick<BoundOperation, 'method' | 'path'> & { perform: RouterMiddleware<State> };

/** Routes requests to operations. If several paths match, the most specific one wins, in whatever order they come. */
export function operationRouter(routes: readonly Route[]): RouterMiddleware<State> {
  const router = new Router<State>({ strict: true, sensitive: true });
  for (const { method, path, perform } of bySpecificity(routes)) router.register(path, [method], perform);
  const find = router.routes();
  // Found at once, as no other is more specific: the router tries one path after the other, and most requests are to these.
  const withoutParameters = new Map(
    routes
      .filter(({ path }) => !parametersOf(path).includes('1'))
      .map(({ method, path, perform }) => [`${method.toUpperCase()} ${path}`, perform]),
  );
  return (ctx, next) => {
    const perform = withoutParameters.get(`${ctx.method} ${ctx.path}`);
    if (!perform) return find(ctx, next);
    ctx.params = {};
    return perform(ctx, next);
  };
}

/** Sorts paths that one request may match, the most specific first: segment by segment, a name precedes a parameter. */
export function bySpecificity<Operation extends { path: string }>(operations: readonly Operation[]): Operation[] {
  const keyed = operations.map((operation) => ({ operation, key: parametersOf(operation.path) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ operation }) => operation);
}

/** Returns for each segment of a path whether it has a parameter: `/v1/profiles/:id` → `0001`. */
function parametersOf(path: string): string {
  return path
    .split('/')
    .map((segment) => (/[:{]/.test(segment) ? '1' : '0'))
    .join('');
}
