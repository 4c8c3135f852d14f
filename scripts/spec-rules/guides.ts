import type { Context } from './openapi.ts';

interface Documented {
  externalDocs?: { url?: string; description?: string };
}

/** A spec says what each operation does; how to go about it is in the guides, which it leads to. */
export const guided = () => ({ Root: check, Tag: check });

function check({ externalDocs }: Documented, ctx: Context): void {
  if (!externalDocs?.url || !externalDocs.description)
    ctx.report({ message: 'Needs externalDocs, with a description' });
}
