import type { Router } from '@koa/router';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import type { ToldFeedback } from '../domain/messages/feedback/item.ts';
import { ReusedProof } from '../domain/messages/feedback/proofs.ts';
import { recordFeedback } from '../domain/messages/feedback/record.ts';
import { type HookToken, readHookToken } from '../domain/messages/hook-token.ts';
import { recordReplies } from '../domain/messages/replies/record-replies.ts';
import type { Secrets, Signer } from '../domain/secrets/secrets.ts';
import { type OpenedFeedback, openFeedback } from '../domain/senders/feedback-settings.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { CountHook } from '../http/count-links.ts';
import type { LoadShedder } from '../http/load-shedder.ts';
import { readBytes } from '../http/read-bytes.ts';
import type { Ctx, State } from '../http/surface.ts';
import { readReport } from './dsn/read-report.ts';
import { expectSecret } from './proof.ts';
import { type ProviderTools, readOfProvider } from './providers/index.ts';
import { NO_ANSWER } from './providers/twilio.ts';
import { type HookRequest, unproven } from './values.ts';

export interface HookRoutes extends ProviderTools {
  hookTokens: Signer;
  secrets: Secrets;
  versions: VersionCache;
  writing: WithConnection;
  loadShedder: LoadShedder;
  /** What URLs of the service begin with, without a slash at the end. */
  linkBase: string;
  /** Counts a request for its sender, or for its address where it proves nothing. Throws `rate_limit_exceeded`. */
  countHook: CountHook;
}

/** Bytes of a body. */
const MAX_BYTES = 1024 * 1024;

/**
 * Where providers of mail tell what becomes of messages: no key, no cookie; each proves itself in its own way. A request is
 * answered with 2xx once all of it is recorded, and providers repeat it otherwise.
 */
export function hookRoutes(router: Router<State>, routes: HookRoutes): void {
  const { hookTokens, secrets, versions, writing, loadShedder, linkBase, countHook } = routes;

  const receive = async (ctx: Ctx, read: (request: HookRequest, settings: OpenedFeedback) => Promise<ToldFeedback>) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const token = readHookToken(hookTokens, ctx.params.sender ?? '');
    await countHook(ctx, token?.senderId);
    if (!token) throw noHook();
    await loadShedder.run(async () => {
      const told = await readProven(ctx, token, read);
      ctx.status = 200;
      ctx.body = await ctx.state.deadline.enforce(record(token, told));
    });
  };

  const readProven = async (ctx: Ctx, token: HookToken, read: Parameters<typeof receive>[1]): Promise<ToldFeedback> => {
    const { storeId, senderId } = token;
    const settings = await ctx.state.deadline.enforce(
      writing(storeId, (db) => openFeedback(db, storeId, senderId, secrets)),
    );
    if (!settings) throw noHook();
    const budget = loadShedder.bodyBudget(storeId);
    try {
      const body = await readBytes(ctx, budget, MAX_BYTES);
      const url = linkBase + ctx.url;
      return await read({ storeId, url, body, header: (name) => ctx.get(name), now: Date.now() }, settings);
    } catch (error) {
      // Whoever proves nothing, or has something fetched that is not there.
      const isUnproven = error instanceof ServiceError && ['unauthorized', 'upstream_error'].includes(error.code);
      if (isUnproven) await countHook(ctx, undefined);
      throw error;
    } finally {
      budget.release();
    }
  };

  const record = async ({ storeId, senderId }: HookToken, told: ToldFeedback) => {
    try {
      const recorded = await recordFeedback(writing, storeId, senderId, told, versions);
      if (!told.replies?.length) return recorded;
      const heard = await recordReplies(writing, storeId, senderId, told.replies);
      return {
        recorded: recorded.recorded + heard.recorded,
        repeated: recorded.repeated + heard.repeated,
        unmatched: recorded.unmatched + heard.unmatched,
      };
    } catch (error) {
      if (error instanceof ReusedProof) throw unproven('The signature was used for another request');
      throw error;
    }
  };

  router.post('/m/hooks/:sender/dsn', (ctx) =>
    receive(ctx, async ({ body, header, now }, { secret }) => {
      expectSecret(header('Authorization'), secret);
      return { items: readReport(body, now), proof: null };
    }),
  );
  router.post('/m/hooks/:sender/events', async (ctx) => {
    let provider: OpenedFeedback['provider'] = null;
    await receive(ctx, async (request, settings) => {
      provider = settings.provider;
      return await readOfProvider(request, settings, routes);
    });
    if (provider !== 'twilio') return;
    // It takes any other answer for a text that is to be sent back.
    ctx.type = 'text/xml';
    ctx.body = NO_ANSWER;
  });
}

function noHook(): ServiceError {
  return new ServiceError('not_found', 'There is no such hook: take its URL from the sender');
}
