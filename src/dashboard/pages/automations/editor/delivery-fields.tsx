import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { SendEmailStep, SendSmsStep, SendWebhookStep } from '../../../definitions.ts';
import { GoingOnFields } from './going-on.tsx';

type Step = SendEmailStep | SendSmsStep | SendWebhookStep;

/** Until when something is tried, and whether the run waits for what becomes of it. */
export function DeliveryFields<Sent extends Step>({
  step,
  onChange,
  patience,
  awaited,
  words,
}: {
  step: Sent;
  onChange: (step: Sent) => void;
  /** How long it is tried by default. */
  patience: string;
  /** `await` of a step that waits. */
  awaited: NonNullable<Sent['await']>;
  words: Parameters<typeof GoingOnFields>[0]['words'];
}) {
  const { on_failure = 'continue', expires_after = '' } = step;
  const { on_failure: _, await: __, ...goingOn } = step;
  return (
    <>
      <DurationInput
        label="Not sent any more after"
        description={`Without it, ${patience}.`}
        value={expires_after}
        onChange={(duration) =>
          onChange(withOptional<Sent, 'expires_after'>(step, 'expires_after', duration || undefined))
        }
      />
      <GoingOnFields
        value={step.await ? on_failure : 'at-once'}
        onChange={(chosen) =>
          onChange(
            (chosen === 'at-once'
              ? goingOn
              : { ...goingOn, await: awaited, ...(chosen === 'exit' && { on_failure: 'exit' }) }) as Sent,
          )
        }
        words={words}
      />
    </>
  );
}
