import { expect } from 'chai';
import { isClientPath, withCompanyId } from './public-keys.ts';
import { findOperation, loadSpec, type SurfaceName } from './spec.ts';

export interface Response<Body = Record<string, unknown>> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

interface Options {
  /** The status that the test expects; any other fails it. */
  expect?: number;
  headers?: Record<string, string>;
}

/**
 * Talks to a service over HTTP, and holds every answer of a surface against its spec. As a page or an app, it uses a
 * public key of the same store.
 */
export class Client {
  readonly #url: string;
  readonly key: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key?: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.key = key;
    this.#headers = headers;
  }

  /** The same service, from a browser that sends these headers, and no key. */
  inBrowser(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.#url, undefined, headers);
  }

  /** The same service, with another key. */
  as(key: string): Client {
    return new Client(this.#url, key);
  }

  async post<Body = any>(path: string, body: unknown, options: Options = {}): Promise<Response<Body>> {
    const headers = { 'Content-Type': 'application/json', ...options.headers };
    return this.send('POST', path, JSON.stringify(body), { ...options, headers });
  }

  async get<Body = any>(path: string, options: Options = {}): Promise<Response<Body>> {
    return this.send('GET', path, undefined, options);
  }

  /** Sends a request as it is given: any method, any bytes. */
  async send<Body = any>(
    method: string,
    path: string,
    body: string | Buffer | undefined,
    options: Options = {},
  ): Promise<Response<Body>> {
    const isPage = isClientPath(path);
    const authorization: Record<string, string> = this.key && !isPage ? { Authorization: `Bearer ${this.key}` } : {};
    const target = isPage ? await withCompanyId(path, this.key) : path;
    const response = await fetch(`${this.#url}${target}`, {
      method,
      headers: { ...authorization, ...this.#headers, ...options.headers },
      ...(body === undefined ? {} : { body: body as string }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const result = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: isJson ? JSON.parse(text) : text,
    };
    await checkAgainstSpec(method, path, result);
    if (options.expect !== undefined) expect(result.status, text).to.equal(options.expect);
    return result;
  }
}

async function checkAgainstSpec(method: string, path: string, response: Response): Promise<void> {
  const [pathname = ''] = path.split('?');
  const surface = surfaceOf(pathname);
  if (!surface) return;
  const spec = await loadSpec(surface);
  const operation = findOperation(spec, method, surface === 'compat' ? compatPath(pathname) : pathname);
  const problems = operation ? spec.problems(operation.operationId as string, response) : spec.errorProblems(response);
  expect(problems).to.deep.equal([]);
}

function surfaceOf(path: string): SurfaceName | undefined {
  if (path.startsWith('/v1')) return 'native';
  return /^\/+compat\/+v1/.test(path) ? 'compat' : undefined;
}

/** The path of the spec: there it has no `/api`, no doubled slash and none at its end. */
function compatPath(path: string): string {
  return path.replace(/\/+/g, '/').replace(/\/$/, '').replace('/compat/v1/api/', '/compat/v1/');
}
