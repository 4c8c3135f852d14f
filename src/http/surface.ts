import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';
import type { Caller } from '../domain/caller.ts';
import type { ErrorCode, ServiceError } from '../domain/service-error.ts';
import type { BoundOperation } from './contract.ts';
import type { Deadline } from './deadline.ts';
import type { TraceContext } from './trace-context.ts';

/** One of the two ways to talk to the service: its paths, its words, its documents. */
export interface Surface {
  /** Names its spec file: `openapi/<name>.yaml`. */
  name: string;
  /** Begins every path of the surface: `/v1`. */
  prefix: string;
  /** Scheme words of the Authorization header, in lower case. */
  schemes: ReadonlySet<string>;
  /** What to say of a scheme word that is none of these, where more helps than that the key is not valid. */
  unknownScheme?: string;
  /** Whether the session of a browser will do instead of that header. */
  hasSessions?: boolean;
  operations: readonly BoundOperation[];
  /** Media types of request bodies. */
  bodyTypes: readonly string[];
  /** The media type of the response, for what the client accepts. */
  responseType(ctx: Ctx): string;
  /** The path under which the router knows the request's path. */
  route(path: string): string;
  /** What to say of a path that is no operation of the surface. */
  notFound(method: string, path: string): ServiceError;
  statusOf(code: ErrorCode): number;
  /** The body of an error response. */
  renderError(error: ServiceError, requestId: string): unknown;
}

/** The surface that a path belongs to; a base address that ends in a slash doubles the first one. */
export function surfaceOf(surfaces: readonly Surface[], path: string): Surface | undefined {
  const normalised = path.startsWith('//') ? path.replace(/^\/+/, '/') : path;
  return surfaces.find(({ prefix }) => normalised === prefix || normalised.startsWith(`${prefix}/`));
}

/** What the pipeline knows of a request. */
export interface State {
  requestId: string;
  trace: TraceContext | undefined;
  deadline: Deadline;
  surface: Surface | undefined;
  caller?: Caller;
  operationId?: string;
  /** What the request was refused with, or failed of. */
  error?: ServiceError;
}

export type Ctx = ParameterizedContext<State>;
export type Middleware = KoaMiddleware<State>;
