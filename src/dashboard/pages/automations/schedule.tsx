import { List, Text } from '@mantine/core';
import type { AutomationSchedule } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { OCCURRENCE_WORDS } from './words/schedule.ts';

/** When members start next, and what became of earlier times. */
export function Schedule({ schedule: { time_zone, upcoming, past } }: { schedule: AutomationSchedule }) {
  return (
    <Section title="Schedule">
      <Text>{upcoming.length > 0 ? `Next, by the clock of ${time_zone}:` : 'There is no time to come.'}</Text>
      {upcoming.length > 0 && (
        <List>
          {upcoming.map(({ day, due_at }) => (
            <List.Item key={day}>
              <Time value={due_at} />
            </List.Item>
          ))}
        </List>
      )}
      {past.length > 0 && (
        <>
          <Text>So far:</Text>
          <List>
            {past.map(({ day, due_at, status, member_count }) => (
              <List.Item key={day}>
                <Time value={due_at} />: {wordsOf(OCCURRENCE_WORDS, status)} (
                {member_count === 1 ? '1 member' : `${count(member_count)} members`})
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Section>
  );
}
