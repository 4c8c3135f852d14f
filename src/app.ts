import { randomUUID } from 'node:crypto';
import { Router, type RouterContext } from '@koa/router';
import Koa from 'koa';
import type { FairSemaphore } from './concurrency/fair-semaphore.ts';
import type { Config } from './config.ts';
import { docsRoutes } from './docs/routes.ts';
import { specRoutes } from './docs/specs.ts';
import type { Callers } from './domain/api-keys/callers.ts';
import type { RejectionLog } from './domain/rejections.ts';
import { ServiceError } from './domain/service-error.ts';
import { createAdmission } from './http/admission.ts';
import { sessionRoutes } from './http/browser-session.ts';
import { addressOfClients } from './http/client-address.ts';
import { countRequestsOfHooks, countRequestsOfLinks } from './http/count-links.ts';
import { allowAnyOrigin, answerPreflight } from './http/cross-origin.ts';
import { dashboardRoutes } from './http/dashboard-routes.ts';
import { Deadline } from './http/deadline.ts';
import { errorBoundary } from './http/error-boundary.ts';
import { type Health, live, ready } from './http/health.ts';
import type { LargeRequestHandler } from './http/large-request-types.ts';
import { LoadShedder } from './http/load-shedder.ts';
import { logUncaught } from './http/log-uncaught.ts';
import { loggedPath } from './http/logged-path.ts';
import { metricsRoute } from './http/metrics-route.ts';
import { serveOnsiteScript } from './http/onsite-script.ts';
import { operationRouter } from './http/operation-router.ts';
import { performOperation } from './http/perform-operation.ts';
import type { PersonRoutes } from './http/person-attempts.ts';
import { RateLimit, uncountedHeaders } from './http/rate-limit.ts';
import { recordRejections } from './http/record-rejections.ts';
import type { ResponseBudget } from './http/response-budget.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import { type Middleware, type State, type Surface, surfaceOf } from './http/surface.ts';
import { pathFromRoot } from './http/surface-host.ts';
import { parseTraceparent } from './http/trace-context.ts';
import type { Exposition } from './metrics/exposition.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Log } from './process/log.ts';
import { type HookRoutes, hookRoutes } from './provider-hooks/routes.ts';
import type { SlidingWindow } from './rate-limit/sliding-window.ts';
import { type RecipientPages, recipientRoutes } from './recipient-pages/routes.ts';

export interface AppParts {
  config: Config;
  log: Log;
  callers: Pick<Callers, 'authenticate' | 'authenticateSession'>;
  window: SlidingWindow;
  health: Health;
  rejections: Pick<RejectionLog, 'add'>;
  metrics: Metrics;
  exposition: Exposition;
  /** The first one also renders errors that occur outside all of them. */
  surfaces: readonly [Surface, ...Surface[]];
  responses: ResponseBudget;
  readConnections: FairSemaphore;
  largeRequests: LargeRequestHandler;
  recipientPages: Omit<RecipientPages, 'count' | 'responses' | 'loadShedder'>;
  providerHooks: Omit<HookRoutes, 'countHook' | 'loadShedder'>;
  people: Pick<PersonRoutes, 'shared' | 'stores' | 'secrets' | 'browsers' | 'auditLog' | 'openId'>;
}

/** Builds the pipeline of a request; the order of its middleware is at the end. */
export function createApp({
  config,
  log,
  callers,
  window,
  health,
  rejections,
  metrics,
  exposition,
  surfaces,
  responses,
  readConnections,
  largeRequests,
  recipientPages,
  providerHooks,
  people,
}: AppParts): Koa<State> {
  const app = new Koa<State>();
  app.proxy = config.trustProxy > 0;
  app.maxIpsCount = config.trustProxy;
  app.on('error', logUncaught(log));
  const loadShedder = new LoadShedder(config);
  const addressOf = addressOfClients(config.ipv6Prefix);
  const rateLimit = new RateLimit(window, config.rateLimitTiers, addressOf);

  const initState: Middleware = async (ctx, next) => {
    ctx.state.requestId = randomUUID();
    ctx.state.trace = parseTraceparent(ctx.headers.traceparent);
    ctx.state.deadline = new Deadline(config.databaseTimeout * 1000);
    const fromRoot = pathFromRoot(config.compatHosts, ctx.hostname, ctx.path);
    ctx.state.isAtRoot = fromRoot !== undefined;
    if (fromRoot !== undefined) ctx.path = fromRoot;
    ctx.state.surface = surfaceOf(surfaces, ctx.path);
    setSecurityHeaders(ctx);
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
    if (health.isDraining()) ctx.set('Connection', 'close');
  };

  /** Counts the request and logs it. */
  const measureAndLog: Middleware = async (ctx, next) => {
    const start = performance.now();
    await next();
    const ms = performance.now() - start;
    const { requestId, trace, operationId: operation, caller, error } = ctx.state;
    const { method, status } = ctx;
    const code = error?.code;
    metrics.request({ operation, status, code, tier: caller?.tier, seconds: ms / 1000 });
    log.info(
      {
        request_id: requestId,
        ...trace,
        method,
        operation,
        store_id: caller?.storeId,
        path: status === 404 && operation === undefined ? loggedPath(ctx.originalUrl) : undefined,
        key_id: caller?.actor.kind === 'key' ? caller.actor.id : undefined,
        person_id: caller?.actor.kind === 'person' ? caller.actor.id : undefined,
        status,
        code,
        ms: Math.round(ms * 10) / 10,
      },
      'request',
    );
  };

  const admit = createAdmission({ config, callers, rateLimit, loadShedder, addressOf });
  const admitToSurface: Middleware = async (ctx, next) => {
    const { surface } = ctx.state;
    if (!surface) {
      ctx.set(uncountedHeaders(config.rateLimitTiers));
      throw new ServiceError('not_found', 'There is nothing at this path');
    }
    ctx.path = surface.route(ctx.path);
    const { clientPaths } = surface;
    if (clientPaths && ctx.path.startsWith(clientPaths.prefix)) {
      ctx.state.client = { ...clientPaths, address: addressOf(ctx) };
      allowAnyOrigin(ctx);
      if (ctx.method === 'OPTIONS') {
        ctx.set(uncountedHeaders(config.rateLimitTiers));
        return answerPreflight(ctx);
      }
    }
    await admit(ctx, surface);
    await next();
    // No route matched.
    if (ctx.state.operationId === undefined) throw surface.notFound(ctx.method, ctx.path);
  };

  const publicRouter = new Router<State>();
  publicRouter.get('/health/live', (ctx) => live(ctx));
  publicRouter.get('/health/ready', (ctx) => ready(health, ctx));
  metricsRoute(publicRouter, exposition, config.metricsToken);
  sessionRoutes(publicRouter, surfaces[0], admit, { ...people, callers, window, addressOf, loadShedder, log });
  dashboardRoutes(publicRouter);
  specRoutes(
    publicRouter,
    surfaces.map(({ name }) => name),
  );
  docsRoutes(publicRouter);
  const countLinks = countRequestsOfLinks(window, config.rateLimitTiers, addressOf);
  recipientRoutes(publicRouter, { ...recipientPages, responses, loadShedder, count: countLinks });
  const countHook = countRequestsOfHooks(window, config.rateLimitTiers, addressOf);
  hookRoutes(publicRouter, { ...providerHooks, loadShedder, countHook });
  const publicRoutes = publicRouter.routes();
  /** Routes outside the surfaces, which need no key. */
  const servePublicRoutes: Middleware = (ctx, next) =>
    ctx.state.surface ? next() : publicRoutes(ctx as RouterContext<State>, next);

  const routes = surfaces.flatMap((surface) =>
    surface.operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      perform: performOperation(surface, operation, {
        loadShedder,
        responses,
        readConnections,
        largeRequests,
        addressOf,
      }),
    })),
  );

  app.use(initState);
  app.use(measureAndLog);
  app.use(recordRejections(rejections));
  app.use(errorBoundary(log, surfaces[0]));
  app.use(servePublicRoutes);
  app.use(serveOnsiteScript());
  app.use(admitToSurface);
  app.use(operationRouter(routes));
  return app;
}
