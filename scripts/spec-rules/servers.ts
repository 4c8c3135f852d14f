import type { Context } from './openapi.ts';

/** Generators take the URL of a server as it is, and a variable in it for a part of the address. */
export const servers = () => ({
  Server({ url = '' }: { url?: string }, ctx: Context) {
    if (!/^https?:\/\/[^{}]+$/.test(url)) ctx.report({ message: 'A server needs a whole URL, without variables' });
  },
});
