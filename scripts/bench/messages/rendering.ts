import type { CompiledTemplate } from '../../../src/domain/templates/core/compiled.ts';
import { TemplateRenderer } from '../../../src/domain/templates/rendering/template-renderer.ts';
import { readCompiled } from '../../../src/domain/templates/versions.ts';
import { createLog } from '../../../src/process/log.ts';
import type { Stage } from '../automations/stage.ts';
import type { Target } from '../service.ts';
import { newTemplate } from './mails.ts';

/** Messages of a batch, and batches at a time, as a sender has. */
const [BATCH, BATCHES] = [64, 3];
const WARM_UP_MS = 2_000;

/** How many messages the thread that renders makes in a second, with nothing else to do. */
export async function measureRendering(stage: Stage, service: Target, seconds: number): Promise<number> {
  const store = await stage.newStore();
  const templateId = await newTemplate(service, store);
  const found = await readCompiled(stage.sql, store.id, templateId, 1);
  if (!found) throw new Error('The template is not published');
  const compiled = found.compiled.parse<CompiledTemplate>();
  const link = (place: string) => `https://mail.shop.example/m/${place}/${'x'.repeat(88)}`;
  const item = (n: number) => ({
    data: {
      profile: { id: `${n}`, identifiers: { email: `ada${n}@example.com` }, attributes: { first_name: 'Ada' } },
      event: null,
      data: { items: Array.from({ length: 4 }, (_, i) => ({ title: `Number ${i}`, price: 19.95 + i })) },
      store: { name: 'Shop', postal_address: null },
      campaign: null,
      coupon: null,
      recommended: {},
      unsubscribe_url: link('u'),
      preferences_url: link('p'),
      view_url: link('v'),
      now: new Date().toISOString(),
    },
    options: { locale: undefined, timeZone: 'UTC', required: [] },
  });
  const renderer = new TemplateRenderer(createLog('silent'));
  let rendered = 0;
  const during = async (ms: number) => {
    const end = performance.now() + ms;
    const work = async () => {
      while (performance.now() < end) {
        const results = await renderer.render(
          store.id,
          compiled,
          Array.from({ length: BATCH }, (_, n) => item(n)),
        );
        for (const result of results) if (!('html' in result)) throw new Error(result.message);
        rendered += results.length;
      }
    };
    await Promise.all(Array.from({ length: BATCHES }, work));
  };
  try {
    await during(WARM_UP_MS);
    const [before, start] = [rendered, performance.now()];
    await during(seconds * 1_000);
    return (rendered - before) / ((performance.now() - start) / 1_000);
  } finally {
    await renderer.stop();
  }
}
