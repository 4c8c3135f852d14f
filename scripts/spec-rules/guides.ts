import type { Context } from './openapi.ts';

interface Documented {
  externalDocs?: { url?: string; description?: string };
}

/** A spec describes each operation; how to use them together is in the guides, to which it links. */
export const guided = () => ({ Root: check, Tag: check });

function check({ externalDocs }: Documented, ctx: Context): void {
  if (!externalDocs?.url || !externalDocs.description)
    ctx.report({ message: 'Needs externalDocs, with a description' });
}
