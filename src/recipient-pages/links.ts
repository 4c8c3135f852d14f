import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Router } from '@koa/router';
import type { Sql } from '../db/sql.ts';
import { confirm, readConfirmation, type Standing } from '../domain/confirmations/confirm.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import { changePreferences, nothingOf, readPreferences } from '../domain/messages/preferences.ts';
import { type MessageToken, readToken, type TokenKind, writeToken } from '../domain/messages/tokens.ts';
import { unsubscribe } from '../domain/messages/unsubscribe.ts';
import { type ViewTools, viewMessage } from '../domain/messages/view-message.ts';
import { readHistoryDays } from '../domain/profile-history/history-setting.ts';
import { escapeHtml } from '../domain/templates/core/escaping/escape.ts';
import type { CountLink } from '../http/count-links.ts';
import type { LoadShedder } from '../http/load-shedder.ts';
import { PAGE_POLICY } from '../http/security-headers.ts';
import { StaticFile } from '../http/static-file.ts';
import type { Ctx, State } from '../http/surface.ts';
import { isFaultOfForm, readForm } from './form.ts';
import {
  CONFIRMATION_EXPIRED,
  CONFIRMED,
  confirmPage,
  FORGOTTEN,
  HAS_UNSUBSCRIBED,
  INVALID_LINK,
  NOT_KEPT,
  NOT_THE_FORM,
  type RecipientPage,
  renderPage,
  TRY_AGAIN,
  unsubscribedPage,
  unsubscribePage,
} from './page.ts';
import { choiceIn, preferencesPage } from './preferences.ts';

export interface LinkRoutes extends ViewTools {
  loadShedder: LoadShedder;
  /** Throws `rate_limit_exceeded`. */
  count: CountLink;
}

/**
 * The pages that links in messages lead to: no key, no cookie, no script. Programs that look for harmful links open all of
 * them, so GET changes nothing.
 */
export function linkRoutes(router: Router<State>, { loadShedder, count, ...tools }: LinkRoutes): void {
  const { tokens, writing } = tools;
  const open = async (ctx: Ctx, kind: TokenKind, text = ''): Promise<MessageToken | undefined> => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const token = readToken(tokens, kind, text);
    await count(ctx, token?.messageId);
    if (!token) show(ctx, INVALID_LINK, 404);
    return token;
  };
  const placeOf = (token: MessageToken, kind: TokenKind, place: string) =>
    `/m/${place}/${writeToken(tokens, { ...token, kind })}`;
  const inStore = <Result>({ storeId }: MessageToken, work: (db: Sql) => Promise<Result>) => writing(storeId, work);

  router.get('/m/page.css', (ctx) => STYLES.serve(ctx));

  router.get('/m/u/:token', async (ctx) => {
    const token = await open(ctx, 'unsubscribe', ctx.params.token);
    if (token) show(ctx, unsubscribePage(token.channel));
  });
  router.post('/m/u/:token', async (ctx) => {
    const token = await open(ctx, 'unsubscribe', ctx.params.token);
    if (!token) return;
    await changing(ctx, async () => {
      await inStore(token, (db) => unsubscribe(db, token));
      show(ctx, unsubscribedPage(token.channel, placeOf(token, 'preferences', 'p')));
    });
  });

  const preferencesOf = (token: MessageToken) =>
    writing(token.storeId, async (db, shared) => readPreferences(db, token, await openAddressDigest(shared)));

  router.get('/m/p/:token', async (ctx) => {
    const token = await open(ctx, 'preferences', ctx.params.token);
    if (!token) return;
    await changing(ctx, async () => {
      const preferences = await preferencesOf(token);
      show(ctx, preferences ? preferencesPage(preferences) : FORGOTTEN);
    });
  });
  router.post('/m/p/:token', async (ctx) => {
    const token = await open(ctx, 'preferences', ctx.params.token);
    if (!token) return;
    await changing(ctx, async () => {
      const form = await readForm(ctx, loadShedder, token);
      const known = await preferencesOf(token);
      if (!known) return show(ctx, FORGOTTEN);
      const isForNothing = form.get('all') === 'none';
      const choice = isForNothing ? nothingOf(known) : choiceIn(form, known);
      await writing(token.storeId, async (db, shared) => {
        const keepsHistory = (await readHistoryDays(shared, token.storeId)) > 0;
        await changePreferences(db, token, known, choice, keepsHistory);
      });
      const preferences = isForNothing ? undefined : await preferencesOf(token);
      show(
        ctx,
        preferences
          ? preferencesPage(preferences, 'Your preferences are saved')
          : unsubscribedPage('all', placeOf(token, 'preferences', 'p')),
      );
    });
  });

  router.get('/m/confirm/:token', async (ctx) => {
    const token = await open(ctx, 'confirm', ctx.params.token);
    if (!token) return;
    await changing(ctx, async () => show(ctx, pageOf(await inStore(token, (db) => readConfirmation(db, token)))));
  });
  router.post('/m/confirm/:token', async (ctx) => {
    const token = await open(ctx, 'confirm', ctx.params.token);
    if (!token) return;
    await changing(ctx, async () => show(ctx, pageOf(await inStore(token, (db) => confirm(db, token)))));
  });

  router.get('/m/v/:token', async (ctx) => {
    const token = await open(ctx, 'view', ctx.params.token);
    if (!token) return;
    await changing(ctx, async () => {
      const said = await viewMessage(token, tools);
      if (said) showMessage(ctx, said.html || asHtml(said.text));
      else show(ctx, NOT_KEPT, 404);
    });
  });
}

function pageOf({ state, listName }: Standing): RecipientPage {
  switch (state) {
    case 'open':
      return confirmPage(listName);
    case 'confirmed':
      return CONFIRMED;
    case 'expired':
      return CONFIRMATION_EXPIRED;
    case 'left':
      return HAS_UNSUBSCRIBED;
  }
}

/** A text message has no HTML. */
function asHtml(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}

/** A message is the store's own HTML: it runs nothing, and is no part of this service to the browser. */
const MESSAGE_POLICY = "sandbox; default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'";

const STYLES = new StaticFile('css', () => readFileSync(join(import.meta.dirname, 'page.css')));

function showMessage(ctx: Ctx, html: string): void {
  ctx.status = 200;
  ctx.set('Content-Security-Policy', MESSAGE_POLICY);
  ctx.type = 'html';
  ctx.body = html;
}

/** A reader can do nothing with the error of an API. */
async function changing(ctx: Ctx, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isFaultOfForm(error)) return show(ctx, NOT_THE_FORM, 400);
    show(ctx, TRY_AGAIN, 503);
    ctx.set('Retry-After', '60');
    ctx.app.emit('error', error, ctx);
  }
}

export function show(ctx: Ctx, page: RecipientPage, status = 200): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', PAGE_POLICY);
  ctx.type = 'html';
  ctx.body = renderPage(page);
}
