/**
 * The script on the pages of a shop. It takes the place of the third party's: pages call `klaviyo` and `_learnq` as
 * before, and what they say goes to the service that the script came from. It reads nothing, and never throws.
 */
import { createCalls, FIRST } from './calls.ts';
import { createSender } from './sender.ts';

/** What pages have put off until the script is there: calls as lists, or functions. */
type Queue = unknown[] & Record<string, unknown>;

declare global {
  interface Window {
    klaviyo?: unknown;
    _learnq?: Queue;
    _klOnsite?: Queue;
  }
}

/** `https://footfall.example.com/compat/v1/onsite/js/ffp_…/klaviyo.js` */
const ADDRESS = /^(.*)\/onsite\/js\/(?:([^/?]+)\/)?klaviyo\.js/;

function start(source: string): void {
  const [, base, inPath] = ADDRESS.exec(source) ?? [];
  if (base === undefined || window._learnq?._loaded) return;
  let key = inPath ?? new URL(source).searchParams.get('company_id') ?? undefined;
  const sender = createSender(
    (operation) => key && `${base}/client/${operation}?company_id=${encodeURIComponent(key)}`,
  );
  const calls = createCalls(sender, (given) => {
    // Pages that are not changed yet name their account at the third party.
    if (!key && /^ffp_/.test(`${given}`)) key = `${given}`;
    return key;
  });

  function run(call: unknown): unknown {
    try {
      if (typeof call === 'function') return call(calls);
      if (!Array.isArray(call)) return;
      const args = call.slice(1);
      const callback = typeof args[args.length - 1] === 'function' ? args.pop() : undefined;
      const name = `${call[0]}`;
      const result = Object.keys(calls).includes(name) ? calls[name]?.(...args) : undefined;
      callback?.(result);
      return result;
    } catch (error) {
      // A mistake in a callback of the page is for its author to see, but stops nothing.
      console.error(error);
    }
  }

  /** Empties a queue of the page, whose later calls run at once. */
  function open(queue: unknown): [Queue, unknown[]] {
    const opened = (Array.isArray(queue) ? queue : []) as Queue;
    const waiting = opened.splice(0);
    opened.push = (...added) => added.map(run).length;
    return [Object.assign(opened, calls, { _loaded: true }), waiting];
  }

  const [old, oldCalls] = open(window._learnq);
  const [onsite, onsiteCalls] = open(window._klOnsite);
  const [, directCalls] = open(window.klaviyo);
  window._learnq = old;
  window._klOnsite = onsite;
  window.klaviyo = new Proxy(onsite, {
    get(target, name) {
      if (name === 'push') return target.push;
      // Not a promise itself.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return (...args: unknown[]) => Promise.resolve(run([name, ...args]));
    },
  });
  const waiting = [...oldCalls, ...onsiteCalls, ...directCalls];
  const isFirst = (call: unknown) => Array.isArray(call) && FIRST.includes(call[0]);
  for (const call of [...waiting.filter(isFirst), ...waiting.filter((call) => !isFirst(call))]) run(call);
  run(['trackActivity']);
  sender.resume();
}

try {
  const script = document.currentScript ?? document.querySelector('script[src*="/onsite/js/"]');
  start((script as HTMLScriptElement).src);
} catch (error) {
  console.error(error);
}
