import { invalid } from '../../service-error.ts';
import type { Sendable } from '../../templates/sendable.ts';

/** Throws `validation_error` for a template that shows a coupon code whether there is one or not: campaigns give out none. */
export function expectNoCoupon({ reads }: Pick<Sendable, 'reads'>): void {
  if (!reads.includes('coupon')) return;
  const problem =
    'is that of a template that shows a coupon code, which runs of automations give out, and campaigns do not';
  throw invalid({ path: ['template_id'], problem });
}
