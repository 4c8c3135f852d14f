import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';
import type { Caller } from '../domain/caller.ts';
import type { ErrorCode, ServiceError } from '../domain/service-error.ts';
import type { BoundOperation } from './bind-contract.ts';
import type { Deadline } from './deadline.ts';
import type { TraceContext } from './trace-context.ts';

/** One of the two APIs of the service: its paths, vocabulary and documents. */
export interface Surface {
  /** The name of its spec file: `openapi/<name>.yaml`. */
  name: 'native' | 'compat';
  /** Prefix of all its paths: `/v1`. */
  prefix: string;
  /** Schemes of the Authorization header, in lower case. */
  schemes: ReadonlySet<string>;
  /** Message for an unknown scheme, if "not a valid key" would not help. */
  unknownScheme?: string;
  /** Whether a browser session may replace that header. */
  hasSessions?: boolean;
  /** Paths that pages and apps call themselves, from any origin, with a public key in place of that header. */
  clientPaths?: ClientPaths;
  operations: readonly BoundOperation[];
  /** Media types of request bodies. */
  bodyTypes: readonly string[];
  /** Returns the media type of the response, by what the client accepts. */
  responseType(ctx: Ctx): string;
  /** Returns the path as the router knows it. */
  route(path: string): string;
  /** Returns the error for a path that is not an operation of the surface. */
  notFound(method: string, path: string): ServiceError;
  statusOf(code: ErrorCode): number;
  /** Returns the body of an error response. */
  renderError(error: ServiceError, requestId: string): unknown;
}

export interface ClientPaths {
  /** `/compat/v1/client/`. */
  prefix: string;
  /** The query parameter that has the key. */
  parameter: string;
  /** Media types of their bodies, besides those of the surface. */
  bodyTypes: readonly string[];
}

/** Returns the surface of a path; a base URL that ends in a slash doubles the first slash. */
export function surfaceOf(surfaces: readonly Surface[], path: string): Surface | undefined {
  const normalised = path.startsWith('//') ? path.replace(/^\/+/, '/') : path;
  return surfaces.find(({ prefix }) => normalised === prefix || normalised.startsWith(`${prefix}/`));
}

/** What the pipeline knows about a request. */
export interface State {
  requestId: string;
  trace: TraceContext | undefined;
  deadline: Deadline;
  surface: Surface | undefined;
  /** Whether the client calls the compatibility surface at the root of a host of `COMPAT_HOSTS`. */
  isAtRoot: boolean;
  /** Where the request's key is and under which address it is counted, if it comes from a page or an app. */
  client?: ClientPaths & { address: string };
  caller?: Caller;
  operationId?: string;
  /** Why the request was refused or failed. */
  error?: ServiceError;
}

export type Ctx = ParameterizedContext<State>;
export type Middleware = KoaMiddleware<State>;
