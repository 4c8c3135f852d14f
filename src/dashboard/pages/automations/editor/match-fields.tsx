import { withOptional } from '../../../components/with-optional.ts';
import { ClientEvents } from '../../../conditions/client-events.tsx';
import { ConditionFields } from '../../../conditions/condition-fields.tsx';
import { NameInput } from '../../../conditions/name-input.tsx';
import { OF_EVENT } from '../../../conditions/words.ts';
import type { EventMatch } from '../../../definitions.ts';
import { useEventTypes, useProperties } from '../../../recorded/recorded.ts';
import { RecordedInput } from '../../../recorded/recorded-input.tsx';

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
      <RecordedInput
        recorded={useEventTypes()}
        label="Type of event"
        maxLength={128}
        value={match.event_type}
        onChange={(event_type) => change({ ...match, event_type })}
      />
      <NameInput
        label="Property with the same key"
        placeholder="Any event of the customer"
        recorded={useProperties(match.event_type)}
        value={match.match_key?.property ?? ''}
        onChange={(property) =>
          onChange(withOptional(value, 'match_key', property.length > 0 ? { property } : undefined) as Match)
        }
      />
      <ConditionFields
        label="Only where"
        value={match.filter}
        onChange={(filter) => onChange(withOptional(value, 'filter', filter) as Match)}
        of={OF_EVENT}
        eventType={match.event_type}
      />
      <ClientEvents
        label="Also events that pages and apps send"
        value={match.from_client}
        onChange={(takes) => onChange(withOptional(value, 'from_client', takes) as Match)}
      />
    </>
  );
}
