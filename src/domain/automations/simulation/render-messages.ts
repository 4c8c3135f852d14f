import type { Sql } from '../../../db/sql.ts';
import { findMessageItems } from '../../catalog/message-items.ts';
import type { Profile } from '../../profile.ts';
import type { CompiledTemplate, RenderedMessage, RenderFailure, TemplateData } from '../../templates/core/compiled.ts';
import { customsOf, messageData } from '../../templates/message-data.ts';
import { PREVIEW_LINKS } from '../../templates/preview-data.ts';
import type { TemplateTools } from '../../templates/template-tools.ts';
import { readCompiled } from '../../templates/versions.ts';
import { isMessage } from '../core/machine/effects.ts';
import type { Simulation } from '../core/simulation/simulate.ts';
import type { SimulatedMessage } from './read-messages.ts';

type Done = Simulation['effects'][number];
/** What a message says, or why there would be none. */
export type SimulatedContent = RenderedMessage | RenderFailure;

/** Messages of one simulation that are rendered, characters of their HTML and texts, and milliseconds for all. */
const [MAX_RENDERED, MAX_CHARACTERS, PATIENCE_MS] = [10, 1024 * 1024, 2_000];

/**
 * Renders the first messages of a simulation, by what renders those that are sent, with the attributes that the customer has
 * by then. Returns what each says, and adds to `notes` what was left out.
 */
export async function renderMessages(
  db: Sql,
  storeId: string,
  { effects, messages, profile, store }: Rendering,
  tools: Pick<TemplateTools, 'render'>,
  notes: string[],
): Promise<ReadonlyMap<Done, SimulatedContent>> {
  const rendered = new Map<Done, SimulatedContent>();
  const ready = new Map<string, Awaited<ReturnType<typeof readCompiled>>>();
  const until = performance.now() + PATIENCE_MS;
  let characters = 0;
  for (const done of effects) {
    const { effect } = done;
    if (!isMessage(effect)) continue;
    const version = messages.get(effect.stepId)?.templateVersion ?? null;
    if (version === null) continue;
    if (rendered.size >= MAX_RENDERED || characters > MAX_CHARACTERS || performance.now() > until) {
      notes.push(`Of the messages, only the first ${rendered.size} are shown as they would be read.`);
      break;
    }
    const key = `${effect.templateId} ${version}`;
    if (!ready.has(key)) ready.set(key, await readCompiled(db, storeId, effect.templateId, version));
    const template = ready.get(key);
    if (!template) continue;
    const { event: asked, coupon, data } = effect.context;
    const [items] = asked ? await findMessageItems(db, storeId, [asked.properties]) : [];
    const event = asked && { ...asked, items };
    const parts = messageData({ profile, event, coupon, data, store, links: PREVIEW_LINKS });
    const simulated = { ...parts, profile: { ...parts.profile, attributes: done.attributes ?? {} } };
    const options = { ...customsOf(simulated), required: template.required };
    const content = await tools.render(storeId, template.compiled.parse<CompiledTemplate>(), {
      data: simulated,
      options,
    });
    rendered.set(done, content);
    characters += 'html' in content ? content.html.length + content.text.length : 0;
  }
  return rendered;
}

interface Rendering {
  effects: readonly Done[];
  messages: ReadonlyMap<string, SimulatedMessage>;
  profile: Profile;
  store: TemplateData['store'];
}
