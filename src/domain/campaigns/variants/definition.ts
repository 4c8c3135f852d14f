import type { Sql } from '../../../db/sql.ts';
import { findSender } from '../../senders/find-senders.ts';
import { invalid, type Violation } from '../../service-error.ts';
import { readTemplates } from '../../templates/named-templates.ts';
import { problemOfSubject } from '../../templates/other-subject.ts';
import { DAY, durationMs, MINUTE, parseDuration } from '../../time/duration.ts';
import type { CampaignChannel, CampaignDraft, CampaignVariant } from '../campaign.ts';

const [MIN_AFTER_MS, MAX_AFTER_MS] = [MINUTE, 7 * DAY];

/** Throws `validation_error` for a test that could not be made, or that names what the store does not have. */
export async function expectTest(
  tx: Sql,
  storeId: string,
  { test, channel, timing }: Pick<CampaignDraft, 'test' | 'channel' | 'timing'>,
): Promise<void> {
  if (!test) return;
  if (timing && timing.localTime !== null && test.percent < 100) {
    const problem = 'needs a time that is the same for all, as the rest go once it is decided; or a percent of 100';
    throw invalid({ path: ['test'], problem });
  }
  expectAfter(test.after);
  const [first] = test.variants;
  for (const [i, variant] of test.variants.entries()) {
    const path: Violation['path'] = ['test', 'variants', i];
    if (first && kindOf(variant) !== kindOf(first)) {
      throw invalid({
        path,
        problem: 'must differ from the others in the same: the subject, the template or the sender',
      });
    }
    await expectVariant(tx, storeId, variant, channel, path);
  }
}

function expectAfter(after: string): void {
  const ms = parseDuration(after) ? durationMs(after) : 0;
  if (ms >= MIN_AFTER_MS && ms <= MAX_AFTER_MS) return;
  throw invalid({ path: ['test', 'after'], problem: 'must be a duration such as PT4H, from a minute to seven days' });
}

async function expectVariant(
  tx: Sql,
  storeId: string,
  variant: CampaignVariant,
  channel: CampaignChannel,
  path: Violation['path'],
): Promise<void> {
  if ('subject' in variant) {
    expectSubject(variant.subject, channel, [...path, 'subject']);
  } else if ('templateId' in variant) {
    const { templateId } = variant;
    if ((await readTemplates(tx, storeId, [templateId])).has(templateId)) return;
    throw invalid({ path: [...path, 'template_id'], problem: 'is not the id of a template' });
  } else if (!(await findSender(tx, storeId, variant.senderId))) {
    throw invalid({ path: [...path, 'sender_id'], problem: 'is not the id of a sender' });
  }
}

/** Throws `validation_error` for what can't be the subject of a message of a channel. */
export function expectSubject(subject: string, channel: CampaignChannel, path: Violation['path']): void {
  const problem = channel === 'sms' ? 'is of e-mails only' : problemOfSubject(subject);
  if (problem) throw invalid({ path, problem });
}

/** By what a variant differs, as the contract calls it. */
function kindOf(variant: CampaignVariant): 'subject' | 'template_id' | 'sender_id' {
  if ('subject' in variant) return 'subject';
  return 'templateId' in variant ? 'template_id' : 'sender_id';
}
