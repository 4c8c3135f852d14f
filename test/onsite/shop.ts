import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserOptions, Pages } from '../support/browser.ts';

/** How pages have called the third party for years. */
export const OLD_SNIPPET = 'var _learnq = window._learnq || [];';

/**
 * What the third party's newer snippet does until its script is there: calls wait in `_klOnsite`, with a function as
 * their last argument that resolves the promise that the page got.
 */
export const NEW_SNIPPET = `if (!window.klaviyo) {
  window._klOnsite = window._klOnsite || [];
  const wait = (...calls) => { window._klOnsite.push(...calls); };
  window.klaviyo = new Proxy({}, {
    get: (target, name) => name === 'push' ? wait : (...args) => {
      const callback = typeof args[args.length - 1] === 'function' ? args.pop() : undefined;
      return new Promise((resolve) => wait([name, ...args, (result) => { callback?.(result); resolve(result); }]));
    },
  });
}`;

export interface ShopPage {
  /** Runs before the tag of the script. */
  before?: string;
  /** Runs after it; which of them is first depends on how soon the script is there. */
  after?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** The website of a shop, at an origin of its own, whose pages have the script. */
export class Shop {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #pages: Record<string, ShopPage>;
  readonly #script: string;

  private constructor(server: ReturnType<typeof createServer>, script: string, pages: Record<string, ShopPage>) {
    this.#server = server;
    this.#script = script;
    this.#pages = pages;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** `script` is the address in the pages' tag; `pages` are by their path. */
  static async start(script: string, pages: Record<string, ShopPage>): Promise<Shop> {
    const server = createServer((request, response) => shop.#serve(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const shop = new Shop(server, script, pages);
    return shop;
  }

  /** Opens a page in a browser that allows it to ask nobody but this shop and the origin of the script. */
  open(browser: Pages, path = '/', options: BrowserOptions = {}) {
    return browser.open(this.url + path, { origins: [new URL(this.#script).origin], ...options });
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #serve({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const page = this.#pages[url.split('?')[0] as string];
    if (!page) return void response.writeHead(404).end();
    const { origin } = new URL(this.#script);
    // As strict as a page with the script can be.
    const policy = `default-src 'none'; script-src 'nonce-shop' ${origin}; connect-src ${origin}`;
    const inline = (code = '') => `<script nonce="shop">${code}</script>`;
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy, ...page.headers });
    response.end(`<!doctype html><title>Shop</title>${inline(page.before)}
<script async src="${this.#script}"></script>${inline(page.after)}${page.body ?? ''}`);
  }
}
