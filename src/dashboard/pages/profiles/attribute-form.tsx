import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../api/client.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { Failure } from '../../components/states.tsx';
import { ATTRIBUTE_TYPES, type AttributeType, attributeText, attributeType, attributeValue } from './attribute-text.ts';

/** Changes an attribute of a customer, removes it, or adds one (`name` is `''`). What is typed keeps the type that is chosen. */
export function AttributeForm({
  customer,
  name: given,
  value: former,
  onClose,
}: {
  customer: { [kind: string]: string };
  name: string;
  value: unknown;
  onClose: () => void;
}) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [name, setName] = useState(given);
  const [type, setType] = useState<AttributeType>(attributeType(former));
  const [text, setText] = useState(attributeText(former));
  const read = attributeValue(text, type);
  const saving = useMutation({
    mutationFn: (value: unknown) => client.upsertProfile({ identifiers: customer, attributes: { [name]: value } }),
    onSuccess: async () => {
      onClose();
      const shown: readonly unknown[] = ['getProfile', 'listProfileHistory'];
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => shown.includes(queryKey[0]) });
    },
  });
  const { wrong, rest } = refusalOf(saving.error, [`attributes.${name}`]);
  const problem = wrong(`attributes.${name}`) ?? ('problem' in read && text !== '' ? read.problem : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ('value' in read) saving.mutate(read.value);
  };
  const label = given === '' ? 'Value' : given;
  const field = { label, value: text, error: problem, flex: 1, miw: 160, autoFocus: given !== '' };
  return (
    <form onSubmit={submit} aria-label={given === '' ? 'New attribute' : `Change ${given}`}>
      <Stack gap="xs">
        {given === '' && (
          <TextInput
            label="Name"
            required
            maxLength={255}
            autoFocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        <Group gap="xs" align="flex-start">
          {type === 'boolean' ? (
            <NativeSelect
              label={label}
              flex={1}
              miw={160}
              data={[
                { value: 'true', label: 'yes' },
                { value: 'false', label: 'no' },
              ]}
              value={text === 'true' ? 'true' : 'false'}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          ) : type === 'json' || text.includes('\n') ? (
            <Textarea {...field} autosize maxRows={8} onChange={({ currentTarget }) => setText(currentTarget.value)} />
          ) : (
            <TextInput {...field} onChange={({ currentTarget }) => setText(currentTarget.value)} />
          )}
          <NativeSelect
            label="Is"
            w={120}
            data={Object.entries(ATTRIBUTE_TYPES).map(([value, words]) => ({ value, label: words }))}
            value={type}
            onChange={({ currentTarget }) => setType(currentTarget.value as AttributeType)}
          />
        </Group>
        {rest && <Failure error={rest} title="The attribute was not changed" />}
        <Group gap="xs" justify="flex-end">
          {given !== '' && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              onClick={() => saving.mutate(null)}
              disabled={saving.isPending}
            >
              Remove
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="xs"
            type="submit"
            loading={saving.isPending}
            disabled={!('value' in read) || name.trim() === ''}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
