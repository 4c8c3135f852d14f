import { Anchor, Badge, List, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { EntryCandidate } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Listed } from '../../components/rows.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { SkipWords } from '../automations/skip-words.tsx';
import { TRIGGER_NAMES } from '../automations/words/trigger.ts';
import { messagePath } from '../messages/use-messages.ts';
import { whyNotWords } from '../messages/why-not.ts';

const PAGE = 20;

/** Says why a customer is in an automation, or is not. */
export function WhyNot({ profileId, onClose }: { profileId: string; onClose: () => void }) {
  const automations = useRows('listAutomations', { limit: 100 }, ({ automations }) => automations);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} size="lg" title="Why is this customer not in an automation?">
      <Loaded query={automations}>
        {(rows) => (
          <Stack>
            <Select
              label="Automation"
              placeholder="Choose one"
              data={rows.map(({ id, name }) => ({ value: id, label: name }))}
              value={chosen}
              onChange={setChosen}
              searchable
              data-autofocus
            />
            <LoadMore pages={automations} />
            {chosen && <Candidates key={chosen} automationId={chosen} profileId={profileId} />}
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

function Candidates({ automationId, profileId }: { automationId: string; profileId: string }) {
  const query = useRows(
    'explainAutomation',
    { id: automationId, profile_id: profileId, limit: PAGE },
    ({ candidates }) => candidates.map((candidate) => ({ ...candidate, id: idOf(candidate) })),
  );
  return (
    <Listed
      query={query}
      empty={<Empty title="Nothing could have started it" description="This customer had no occasion to enter." />}
    >
      {(candidates) => (
        <Stack>
          <List listStyleType="none" spacing="md" aria-label="Occasions to enter">
            {candidates.map((candidate) => (
              <List.Item key={candidate.id}>
                <Occasion candidate={candidate} automationId={automationId} />
              </List.Item>
            ))}
          </List>
          <LoadMore pages={query} />
        </Stack>
      )}
    </Listed>
  );
}

/** There is no id of a decision; the same customer has one of a kind at a time. */
function idOf({ type, event_id, occurred_at, received_at, run_id }: EntryCandidate): string {
  return [type, event_id, occurred_at, received_at, run_id].join(' ');
}

function Occasion({ candidate, automationId }: { candidate: EntryCandidate; automationId: string }) {
  const { type, event_id, event_type, occurred_at, decision, run_id, reason, detail, unsent_messages } = candidate;
  return (
    <>
      <Text size="sm" component="div">
        {event_id ? (
          <Anchor component={Link} to={`/events/${event_id}`} inherit fw={500}>
            {event_type}
          </Anchor>
        ) : (
          <b>{wordsOf(TRIGGER_NAMES, type)}</b>
        )}
        , <Time value={occurred_at} />
      </Text>
      {decision === 'entered' && (
        <Text size="sm" component="div">
          <Badge color="green">entered</Badge>{' '}
          {run_id && (
            <Anchor component={Link} to={`/automations/${automationId}/runs/${run_id}`} inherit underline="always">
              The run
            </Anchor>
          )}
        </Text>
      )}
      {unsent_messages?.map(({ message_id, why_not }) => (
        <Text key={message_id} size="sm" component="div">
          {whyNotWords(why_not)}{' '}
          <Anchor component={Link} to={messagePath(message_id)} inherit underline="always">
            The message
          </Anchor>
        </Text>
      ))}
      {decision === 'pending' && <Text size="sm">Decided in a moment.</Text>}
      {decision === 'skipped' && <SkipWords reason={reason} detail={detail} automationId={automationId} />}
    </>
  );
}
