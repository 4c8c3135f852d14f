import type { Sql } from '../../../db/sql.ts';
import { findSender } from '../../senders/find-senders.ts';
import { invalid, type Violation } from '../../service-error.ts';
import { readTemplates } from '../../templates/named-templates.ts';
import { problemOfSubject } from '../../templates/other-subject.ts';
import { DAY, durationMs, MINUTE, parseDuration } from '../../time/duration.ts';
import type { CampaignChannel, CampaignTest, CampaignVariant } from '../campaign.ts';

const [MIN_AFTER_MS, MAX_AFTER_MS] = [MINUTE, 7 * DAY];

/** Throws `validation_error` for a test that could not be made, or that names what the store does not have. */
export async function expectTest(
  tx: Sql,
  storeId: string,
  test: CampaignTest | null,
  channel: CampaignChannel,
): Promise<void> {
  if (!test) return;
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
    const problem = channel === 'sms' ? 'is of e-mails only' : problemOfSubject(variant.subject);
    if (problem) throw invalid({ path: [...path, 'subject'], problem });
  } else if ('templateId' in variant) {
    const { templateId } = variant;
    if ((await readTemplates(tx, storeId, [templateId])).has(templateId)) return;
    throw invalid({ path: [...path, 'template_id'], problem: 'is not the id of a template' });
  } else if (!(await findSender(tx, storeId, variant.senderId))) {
    throw invalid({ path: [...path, 'sender_id'], problem: 'is not the id of a sender' });
  }
}

/** By what a variant differs, as the contract calls it. */
function kindOf(variant: CampaignVariant): 'subject' | 'template_id' | 'sender_id' {
  if ('subject' in variant) return 'subject';
  return 'templateId' in variant ? 'template_id' : 'sender_id';
}
