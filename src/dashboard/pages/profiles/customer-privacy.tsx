import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ProfileWithConsent } from '../../../client/index.ts';
import { sessionFetch } from '../../api/client.tsx';

import { SaveButton } from '../../components/save-button.tsx';
import { saveAnswer } from '../../components/save-file.ts';
import { Section } from '../../components/section.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { sizeWords } from '../imports/words.ts';
import { EraseCustomer } from './erase-customer.tsx';
import { MergeCustomer } from './merge-customer.tsx';

/** What a customer may ask for: all that is known of them, that they are one with another, and that they are forgotten. */
export function CustomerPrivacy({ profile }: { profile: ProfileWithConsent }) {
  const [asking, setAsking] = useState<'merge' | 'erase'>();
  const mayMerge = useAllows('profiles:write');
  const close = () => setAsking(undefined);
  const files = [
    { path: 'export', ending: 'json', label: 'Export as JSON' },
    { path: 'export/files', ending: 'zip', label: 'Export as CSV files' },
  ];
  return (
    <Section title="Privacy" mt="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Everything that is held about this customer, for them or for another system.
        </Text>
        <Group gap="xs">
          {files.map(({ path, ending, label }) => (
            <SaveButton
              key={path}
              save={(signal, onBytes) =>
                saveAnswer(
                  (signal) => sessionFetch(`/v1/profiles/${profile.id}/${path}`, { signal }),
                  `customer-${profile.id}.${ending}`,
                  signal,
                  onBytes,
                )
              }
              soFar={sizeWords}
            >
              {label}
            </SaveButton>
          ))}
        </Group>
        <Group gap="xs">
          {mayMerge && (
            <Button size="xs" variant="default" onClick={() => setAsking('merge')}>
              Merge with another customer
            </Button>
          )}
          <Button size="xs" variant="light" color="red" onClick={() => setAsking('erase')}>
            Erase this customer
          </Button>
        </Group>
      </Stack>
      {asking === 'merge' && <MergeCustomer profile={profile} onClose={close} />}
      {asking === 'erase' && <EraseCustomer profile={profile} onClose={close} />}
    </Section>
  );
}
