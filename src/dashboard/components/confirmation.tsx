import { Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionForm } from './action-form.tsx';

/** Asks once more before something that can't be undone; says so where it was not done. */
export function Confirmation({
  title,
  verb,
  failure,
  action: { mutate, isPending, error },
  onClose,
  children,
}: {
  title: string;
  /** On the button. */
  verb: string;
  /** What is said if it was not done, above why. */
  failure: string;
  action: { mutate: () => void; isPending: boolean; error: Error | null };
  onClose: () => void;
  /** What comes of it. */
  children: ReactNode;
}) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <ActionForm
        verb={verb}
        failure={failure}
        error={error}
        isPending={isPending}
        isGrave
        onCancel={onClose}
        onSubmit={mutate}
      >
        <Text size="sm" component="div">
          {children}
        </Text>
      </ActionForm>
    </Modal>
  );
}
