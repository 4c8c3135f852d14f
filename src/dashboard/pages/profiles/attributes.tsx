import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Profile } from '../../../client/index.ts';
import { Section } from '../../components/section.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { AttributeForm } from './attribute-form.tsx';
import { CustomerHistory } from './customer-history.tsx';
import { identifierOf } from './identifier-of.ts';

/** What is known of a customer, each of it a field that can be changed where it stands. */
export function Attributes({ profile }: { profile: Profile }) {
  const { id, attributes } = profile;
  const [showsHistory, setShowsHistory] = useState(false);
  /** The name of the one that is being changed; `''` for a new one. */
  const [changing, setChanging] = useState<string>();
  const customer = identifierOf(profile);
  const mayChange = useAllows('profiles:write') && customer !== undefined;
  const form = (name: string) =>
    customer && (
      <AttributeForm
        customer={customer}
        name={name}
        value={name === '' ? '' : attributes[name]}
        onClose={() => setChanging(undefined)}
      />
    );
  const names = Object.keys(attributes);
  return (
    <Section
      title="Attributes"
      mt="lg"
      actions={
        <Group gap="xs">
          {mayChange && (
            <Button size="xs" variant="default" onClick={() => setChanging('')}>
              Add
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setShowsHistory(true)}>
            What has changed
          </Button>
        </Group>
      }
    >
      {changing === '' && form('')}
      {names.length === 0 ? (
        <Text c="dimmed">None are recorded.</Text>
      ) : (
        <Stack component="ul" gap="xs" m={0} p={0} aria-label="All attributes" style={{ listStyle: 'none' }}>
          {names.map((name) => (
            <li key={name}>
              {changing === name ? (
                form(name)
              ) : (
                <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
                  <Stack gap={0} miw={0}>
                    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {name}
                    </Text>
                    <Shown value={attributes[name]} />
                  </Stack>
                  {mayChange && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      flex="none"
                      aria-label={`Change ${name}`}
                      onClick={() => setChanging(name)}
                    >
                      Change
                    </Button>
                  )}
                </Group>
              )}
            </li>
          ))}
        </Stack>
      )}
      {showsHistory && <CustomerHistory profileId={id} onClose={() => setShowsHistory(false)} />}
    </Section>
  );
}

function Shown({ value }: { value: unknown }) {
  const look = { overflowWrap: 'anywhere' } as const;
  if (typeof value === 'object') return <Code style={look}>{JSON.stringify(value)}</Code>;
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return (
    <Text size="sm" lineClamp={6} style={look}>
      {text}
    </Text>
  );
}
