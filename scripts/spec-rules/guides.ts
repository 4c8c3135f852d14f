import type { Context } from './openapi.ts';

interface Described {
  description?: string;
}

const GUIDE = /\]\(\/docs\//;

/**
 * A spec describes each operation; how to use them together is in the guides, to which it links. In words, as nobody
 * knows the address of a service, and `externalDocs` takes nothing but whole URLs.
 */
export const guided = () => ({
  Info: check,
  Tag: check,
  ExternalDocs(_: unknown, ctx: Context) {
    ctx.report({ message: 'Link to a guide in the description: externalDocs needs the address of the service' });
  },
});

function check({ description = '' }: Described, ctx: Context): void {
  if (!GUIDE.test(description)) ctx.report({ message: 'The description needs a link to a guide' });
}
