import { Radio, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useClient } from '../../api/client.tsx';
import { NameField, SaveDialog } from '../../components/save-dialog.tsx';
import type { TemplateDraft } from '../../definitions.ts';
import { starter } from './starters.ts';
import { templatePath, useRefreshTemplates } from './use-templates.ts';
import { KIND_WORDS } from './words.ts';

type Use = TemplateDraft['use'];

const USES: readonly { value: Use; label: string; description: string }[] = [
  { value: 'message', label: 'A message', description: 'What a customer is sent.' },
  { value: 'layout', label: 'A layout', description: 'What stands around messages, the same for many.' },
  { value: 'snippet', label: 'A snippet', description: 'What stands within messages, such as their end.' },
];

/** Creates a template with something to begin from, and goes on to it. */
export function CreateTemplate({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshTemplates();
  const [name, setName] = useState('');
  const [use, setUse] = useState<Use>('message');
  const [chosen, setKind] = useState<TemplateDraft['kind']>('blocks');
  // Blocks are of messages alone.
  const kinds = Object.entries(KIND_WORDS).filter(([kind]) => use === 'message' || kind !== 'blocks');
  const kind = use !== 'message' && chosen === 'blocks' ? 'mjml' : chosen;
  const save = () =>
    client.createTemplate({
      name: name.trim(),
      kind,
      use,
      ...(use === 'message' && kind !== 'sms' && { subject: name.trim() }),
      body: starter(kind, use),
    });
  return (
    <SaveDialog
      what="template"
      fields={['name']}
      isDisabled={name.trim() === ''}
      save={save}
      refresh={refresh}
      pathOf={templatePath}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <NameField value={name} error={wrong('name')} onChange={setName} />
          <Radio.Group label="What it is" value={use} onChange={(value) => setUse(value as Use)}>
            <Stack gap="xs" mt="xs">
              {USES.map(({ value, label, description }) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          <Select
            label="Kind"
            description="This and what it is stay as they are."
            data={kinds.map(([value, label]) => ({ value, label }))}
            value={kind}
            onChange={(value) => setKind(value as TemplateDraft['kind'])}
            allowDeselect={false}
          />
        </>
      )}
    </SaveDialog>
  );
}
