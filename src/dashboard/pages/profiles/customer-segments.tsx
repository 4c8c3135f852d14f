import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useOperation } from '../../api/operations.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { segmentPath } from '../segments/use-segments.ts';
import { Why } from '../segments/why.tsx';

/** The segments that a customer is in, and why. */
export function CustomerSegments({ profileId }: { profileId: string }) {
  const query = useOperation('listProfileSegments', { id: profileId });
  const [explained, setExplained] = useState<{ id: string; name: string }>();
  return (
    <Section title="Segments" mt="lg">
      <Loaded query={query}>
        {({ segments }) =>
          segments.length === 0 ? (
            <Text size="sm" c="dimmed">
              This customer is in none.
            </Text>
          ) : (
            <Stack gap="xs">
              {segments.map(({ id, name }) => (
                <Group key={id} justify="space-between" gap="xs">
                  <Anchor component={Link} to={segmentPath(id)} size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Anchor>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Why in ${name}?`}
                    onClick={() => setExplained({ id, name })}
                  >
                    Why?
                  </Button>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
      {explained && (
        <Why
          segmentId={explained.id}
          name={explained.name}
          profileId={profileId}
          onClose={() => setExplained(undefined)}
        />
      )}
    </Section>
  );
}
