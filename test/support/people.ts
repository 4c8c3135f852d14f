import { hash, randomBytes } from 'node:crypto';
import type { Role } from '../../src/domain/people/roles.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import type { TestService } from './service.ts';

export const PASSWORD = 'a long way to the sea';

let addresses = 0;

/** A browser that keeps cookies, and calls as the dashboard does; behind a proxy that is trusted, each from another address. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    addresses += 1;
    this.#headers = { 'X-Forwarded-For': `198.51.${addresses >> 8}.${addresses & 255}`, ...headers };
  }

  /** What each request of the dashboard has. */
  get headers(): Record<string, string> {
    return {
      'X-Requested-With': 'footfall-dashboard',
      ...(this.cookies.size > 0 && { Cookie: cookieOf(this.cookies) }),
      ...this.#headers,
    };
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  signIn(email: string, password: string = PASSWORD): Promise<Answer> {
    return this.send('POST', '/dashboard/session', { email, password });
  }

  accept(token: string, given: Record<string, unknown>): Promise<Answer> {
    return this.send('POST', '/dashboard/invitation/acceptance', { token, password: PASSWORD, ...given });
  }

  /** Opens a page, and returns where it leads: an address, or a path of the service. */
  async open(path: string): Promise<string> {
    return await this.#follow(path, [...this.cookies]);
  }

  /** Opens a page of the service by a link of another site, to which it sends what is `Lax` alone. */
  async comeBack(path: string): Promise<string> {
    return await this.#follow(
      path,
      [...this.cookies].filter(([name]) => /(?:^|-)footfall_provider$/.test(name)),
    );
  }

  async #follow(path: string, cookies: readonly [string, string][]): Promise<string> {
    const response = await fetch(this.#url + path, {
      redirect: 'manual',
      headers: { Cookie: cookieOf(cookies), ...this.#headers },
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    await response.arrayBuffer();
    const location = response.headers.get('location');
    if (response.status !== 302 || location === null) throw new Error(`${path} answers with ${response.status}`);
    return location;
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/; Max-Age=0(?:;|$)/.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

const cookieOf = (cookies: Iterable<readonly [string, string]>): string =>
  Array.from(cookies, (pair) => pair.join('=')).join('; ');

export interface Answer {
  status: number;
  headers: Headers;
  body: any;
}

/** Writes an invitation as the operator and owners do, and returns what its link ends in. */
export async function invitationTo(
  { database }: Pick<TestService, 'database'>,
  storeId: string,
  role: Role,
  email?: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await database.query(`
    insert into invitation (store_id, id, digest, email, role, invited_by, created_at, expires_at)
    values ('${storeId}', '${newId()}', '\\x${hash('sha256', token, 'hex')}', ${email ? `'${email}'` : 'null'}, '${role}',
      ${email ? `'${newId()}'` : 'null'}, now(), now() + interval '1 hour')`);
  return token;
}

/** Writes a member of a store who can not sign in, and returns the id. */
export async function addPerson(
  { database }: Pick<TestService, 'database'>,
  storeId: string,
  { id = newId(), name, role, email }: { id?: string; name: string; role: Role; email: string },
): Promise<string> {
  await database.query(`
    insert into person (id, email, name, password, created_at) values ('${id}', '${email}', '${name}', '', now());
    insert into membership (store_id, person_id, role, created_at) values ('${storeId}', '${id}', '${role}', now())`);
  return id;
}

/** Those whom the examples of the native spec list: people join by links that no operation accepts. */
export async function addPeopleOfExamples(service: Pick<TestService, 'database'>, storeId: string): Promise<void> {
  for (const [name, role] of [
    ['Ada', 'owner'],
    ['Ben', 'marketer'],
  ] as const) {
    await addPerson(service, storeId, { name, role, email: `${name.toLowerCase()}@cafe-loewe.example` });
  }
}

/** What only an owner may who is signed in. */
export const BY_OWNER: ReadonlySet<string> = new Set(['setIdentityProvider', 'deleteIdentityProvider']);

/** Has the first owner of a store signed in, and returns the headers of that browser. */
export async function ownerOf(
  { database }: Pick<TestService, 'database'>,
  storeId: string,
): Promise<Record<string, string>> {
  const token = randomBytes(32).toString('base64url');
  await database.query(`
    insert into person_session (digest, store_id, person_id, created_at, seen_at, expires_at)
    select '\\x${hash('sha256', token, 'hex')}', store_id, person_id, now(), now(), now() + interval '1 hour'
    from membership where store_id = '${storeId}' and role = 'owner' order by created_at limit 1`);
  return { Cookie: `footfall_person=${token}`, 'X-Requested-With': 'footfall-dashboard' };
}

/** A browser in which a new person of a role is signed in. */
export async function signedIn(
  service: TestService,
  storeId: string,
  role: Role,
  email: string = `${role}-${newId()}@example.com`,
): Promise<Browser & { email: string }> {
  const browser = new Browser(service.url);
  const { status } = await browser.accept(await invitationTo(service, storeId, role, email), {
    name: `Somebody in ${role}`,
  });
  if (status !== 204) throw new Error(`The invitation of ${email} answers ${status}`);
  return Object.assign(browser, { email });
}
