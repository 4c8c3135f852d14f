import { Anchor, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { useAudiences } from '../../conditions/use-names.ts';
import { segmentPath } from '../segments/use-segments.ts';
import { Explanation, Why } from '../segments/why.tsx';

/** The segments that a customer is in, and why. */
export function CustomerSegments({ profileId }: { profileId: string }) {
  const query = useRows('listProfileSegments', { id: profileId, limit: 50 }, ({ segments }) => segments);
  const [explained, setExplained] = useState<{ id: string; name: string }>();
  const [asks, setAsks] = useState(false);
  return (
    <Section
      title="Segments"
      mt="lg"
      actions={
        <Button size="xs" variant="default" onClick={() => setAsks(true)}>
          Why, or why not?
        </Button>
      }
    >
      <Loaded query={query}>
        {(segments) =>
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
      <LoadMore pages={query} />
      {explained && (
        <Why
          segmentId={explained.id}
          name={explained.name}
          profileId={profileId}
          onClose={() => setExplained(undefined)}
        />
      )}
      {asks && <WhyOrWhyNot profileId={profileId} onClose={() => setAsks(false)} />}
    </Section>
  );
}

/** Says of any segment whether the customer belongs to it. */
function WhyOrWhyNot({ profileId, onClose }: { profileId: string; onClose: () => void }) {
  const { segments } = useAudiences();
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} size="xl" title="Why is this customer in a segment, or why not?">
      <Stack>
        <Select
          label="Segment"
          placeholder="Choose one"
          data={segments.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={setChosen}
          searchable
          data-autofocus
        />
        {chosen && <Explanation key={chosen} segmentId={chosen} profileId={profileId} />}
      </Stack>
    </Modal>
  );
}
