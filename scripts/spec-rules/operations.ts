import type { Context, Operation } from './openapi.ts';

const ALWAYS_POSSIBLE = ['400', '401', '429', '500'];
/** The status of an overload: 502 on the native surface, 503 on the other. */
const OVERLOAD = ['502', '503'];
const ALWAYS_SENT = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** The responses after which a client should wait. */
const WAIT = ['429', ...OVERLOAD];
/** A capital, and not the ending of "Records", "Recording" or "Recorded". */
const IMPERATIVE = /^(?!\w+(?:[^s]s|ing|ed)\b)(?!(?:The|An?)\b)[A-Z][^.]*$/;

/** What the service sends is answered by others: they have no errors and headers of ours. */
const isSent = ({ location }: Context) => location.pointer.startsWith('#/webhooks/');

/** An operation declares each status that every operation of its kind may return. */
export const statuses = () => ({
  PathItem: {
    Operation(operation: Operation, ctx: Context) {
      if (isSent(ctx)) return;
      const { responses = {} } = operation;
      const parameters = [...(operation.parameters ?? []), ...((ctx.parent as Operation).parameters ?? [])];
      const inPath = parameters.some((one) => (ctx.resolve(one).node as { in?: string } | undefined)?.in === 'path');
      const possible = [
        ...ALWAYS_POSSIBLE,
        ...(scopesOf(operation).length > 0 ? ['403'] : []),
        ...(inPath ? ['404'] : []),
      ];
      const missing = possible.filter((status) => !(status in responses));
      if (!OVERLOAD.some((status) => status in responses)) missing.push(OVERLOAD.join(' or '));
      if (missing.length > 0) {
        ctx.report({ message: `Can also answer ${missing.join(', ')}`, location: ctx.location.child(['responses']) });
      }
    },
  },
});

export const summary = () => ({
  Operation({ summary: text = '' }: Operation, ctx: Context) {
    if (IMPERATIVE.test(text)) return;
    const message = 'A summary begins with an imperative ("Record an event") and has no full stop';
    ctx.report({ message, location: ctx.location.child(['summary']) });
  },
});

/** Each operation says whether the audit log has its requests: those that read never are, and all others say so for themselves. */
export const audited = () => ({
  Operation({ 'x-audited': isAudited }: Operation, ctx: Context) {
    if (isSent(ctx)) return;
    if (typeof isAudited !== 'boolean') {
      ctx.report({ message: 'An operation says whether it is audited: x-audited is true or false' });
    } else if (isAudited && ctx.key === 'get') {
      ctx.report({
        message: 'What reads changes nothing that could be audited',
        location: ctx.location.child(['x-audited']),
      });
    }
  },
});

/** The description names the scopes that `security` requires, or says that none is: only tools see `security`. */
export const scope = () => ({
  Operation(operation: Operation, ctx: Context) {
    const alternatives = (operation.security ?? []).map((one) => Object.values(one).flat().join());
    if (new Set(alternatives).size > 1) {
      const location = ctx.location.child(['security']);
      ctx.report({ message: 'An operation asks for the same scopes, whatever the scheme', location });
    }
    const scopes = scopesOf(operation).map((name) => `\`${name}\``);
    const [only = 'none'] = scopes;
    const list = `${scopes.slice(0, -1).join(', ')} and ${scopes.at(-1)}`;
    const needed = scopes.length > 1 ? `**Required scopes:** ${list}` : `**Required scope:** ${only}`;
    if (!operation.description?.includes(needed)) {
      ctx.report({ message: `The description needs "${needed}"`, location: ctx.location.child(['description']) });
    }
  },
});

function scopesOf({ security = [] }: Operation): string[] {
  return [...new Set(security.flatMap((alternative) => Object.values(alternative).flat()))];
}

/** The description says what a retry does, because a response may get lost on its way. */
export const retrying = () => ({
  Operation({ description = '' }: Operation, ctx: Context) {
    if (/^\*\*Retrying:\*\* \S/m.test(description)) return;
    const message = 'The description needs "**Retrying:**", and whether the request can be repeated';
    ctx.report({ message, location: ctx.location.child(['description']) });
  },
});

/**
 * A response declares the headers common to all, the time to wait if clients should wait, and the challenge of a 401.
 */
export const headers = () => ({
  Operation({ responses = {} }: Operation, ctx: Context) {
    if (isSent(ctx)) return;
    for (const [status, response] of Object.entries(responses)) {
      const { node } = ctx.resolve(response) as { node?: { headers?: object } };
      const needed = [...ALWAYS_SENT, ...(WAIT.includes(status) ? ['Retry-After'] : [])];
      if (status === '401') needed.push('WWW-Authenticate');
      const missing = needed.filter((header) => !(header in (node?.headers ?? {})));
      if (missing.length > 0) {
        const location = ctx.location.child(['responses', status]);
        ctx.report({ message: `Has undeclared headers: ${missing.join(', ')}`, location });
      }
    }
  },
});
