import { Modal, type ModalProps, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ActionForm } from './action-form.tsx';
import { refusalOf } from './refusal.ts';

/** What is wrong with a field, if anything is. */
export type WrongField = (field: string) => string | undefined;

/** A dialog that creates something and goes on to its page, or changes what there is to say of one. */
export function SaveDialog<Saved extends { id: string }>({
  what,
  changed,
  size,
  fields,
  isDisabled,
  save,
  refresh,
  pathOf,
  onSaved,
  onClose,
  children,
}: {
  /** In words, such as `list`. */
  what: string;
  /** The name of the one that is changed; without it one is created. */
  changed?: string | undefined;
  size?: ModalProps['size'];
  /** Those that show by themselves why they were refused. */
  fields: readonly string[];
  isDisabled: boolean;
  save: () => Promise<Saved>;
  /** Reads again what is shown of them. */
  refresh: () => Promise<void>;
  pathOf: (id: string) => string;
  onSaved?: (saved: Saved) => void;
  onClose: () => void;
  children: (wrong: WrongField) => ReactNode;
}) {
  const navigate = useNavigate();
  const isNew = changed === undefined;
  const saving = useMutation({
    mutationFn: save,
    onSuccess: async (saved) => {
      onClose();
      onSaved?.(saved);
      if (isNew) navigate(pathOf(saved.id));
      await refresh();
    },
  });
  const { wrong, rest } = refusalOf(saving.error, fields);
  return (
    <Modal opened onClose={onClose} {...(size && { size })} title={isNew ? `Create a ${what}` : `Change “${changed}”`}>
      <ActionForm
        verb={isNew ? 'Create' : 'Save'}
        failure={`The ${what} was not saved`}
        error={rest}
        isPending={saving.isPending}
        isDisabled={isDisabled}
        onSubmit={saving.mutate}
      >
        {children(wrong)}
      </ActionForm>
    </Modal>
  );
}

/** The first field of such a dialog. */
export function NameField({
  description,
  value,
  error,
  onChange,
}: {
  description?: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      label="Name"
      description={description}
      required
      maxLength={100}
      data-autofocus
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
    />
  );
}
