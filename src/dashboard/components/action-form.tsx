import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from './states.tsx';

/** The form of one action: its fields, why it was not done, and the button that does it. */
export function ActionForm({
  verb,
  failure,
  error,
  isPending,
  isDisabled = false,
  isGrave = false,
  cancel = 'Cancel',
  onCancel,
  onSubmit,
  children,
}: {
  /** On the button. */
  verb: string;
  /** What is said if it was not done, above why. */
  failure: string;
  error: Error | null;
  isPending: boolean;
  isDisabled?: boolean;
  /** Whether it takes something away. */
  isGrave?: boolean;
  /** On the button that leaves everything as it is, if there is one: the keyboard is there, unless a field comes first. */
  cancel?: string;
  onCancel?: () => void;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {error && <Failure error={error} title={failure} />}
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel} data-autofocus>
              {cancel}
            </Button>
          )}
          <Button type="submit" loading={isPending} disabled={isDisabled} {...(isGrave && { color: 'red' })}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
