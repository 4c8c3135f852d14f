import { TextInput } from '@mantine/core';
import type { EventMatch } from '../../../../client/index.ts';
import { ClientEvents } from './client-events.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { NameInput } from './name-input.tsx';
import { withOptional } from './with-optional.ts';

/** Which events of the customer are looked for. */
export function MatchFields<Match extends EventMatch>({
  value,
  onChange,
}: {
  value: Match;
  onChange: (match: Match) => void;
}) {
  const match: EventMatch = value;
  const change = (changed: EventMatch) => onChange({ ...value, ...changed });
  return (
    <>
      <TextInput
        label="Type of event"
        maxLength={128}
        value={match.event_type}
        onChange={({ currentTarget }) => change({ ...match, event_type: currentTarget.value })}
      />
      <NameInput
        label="Property with the same key"
        placeholder="Any event of the customer"
        value={match.match_key?.property ?? ''}
        onChange={(property) =>
          onChange(withOptional(value, 'match_key', property.length > 0 ? { property } : undefined) as Match)
        }
      />
      <ConditionFields
        label="Only where"
        value={match.filter}
        onChange={(filter) => onChange(withOptional(value, 'filter', filter) as Match)}
        of={['property']}
      />
      <ClientEvents
        label="Also events that pages and apps send"
        value={match.from_client}
        onChange={(takes) => onChange(withOptional(value, 'from_client', takes) as Match)}
      />
    </>
  );
}
