import type { Sql } from '../../src/db/orm.ts';
import { below, daysAgo, email, pick, type Read, sampleOf } from './reads.ts';

/** Returns the reads of integrations on the compatibility surface by name: all that a filter can ask for. */
export async function makeCompatReads(db: Sql, customers: number): Promise<Record<string, Read>> {
  const ids = await sampleOf(db, 'profile');
  const events = (filter: string, more = '') => `/compat/v1/events?filter=${encodeURIComponent(filter)}${more}`;
  const profiles = (filter: string, more = '') =>
    `/compat/v1/profiles?page[size]=100&filter=${encodeURIComponent(filter)}${more}`;
  const type = () => `equals(metric_id,"type_${below(20)}")`;
  const addresses = () => Array.from({ length: 100 }, () => `"${email(below(customers))}"`);
  const week = (field: string) => {
    const days = below(330);
    return `greater-or-equal(${field},${daysAgo(days + 7)}),less-than(${field},${daysAgo(days)})`;
  };
  const since = (field: string) => `greater-than(${field},${daysAgo(1 + below(330))})`;
  const optedOut = 'equals(subscriptions.email.marketing.suppression.reason,"UNSUBSCRIBE")';
  return {
    listCompatEvents: () => '/compat/v1/events',
    'listCompatEvents, 1,000 of them': () => events(week('datetime'), '&sort=datetime&page[size]=1000'),
    'listCompatEvents, 1,000 of a type': () =>
      events(`${type()},${since('timestamp')}`, '&sort=datetime&page[size]=1000'),
    'listCompatEvents, 1,000 with their profiles': () =>
      events(week('datetime'), '&sort=datetime&page[size]=1000&include=profile,metric'),
    'listCompatEvents of a profile': () => events(`equals(profile_id,"${pick(ids)}")`),
    'listCompatEvents of a type of a profile': () => events(`${type()},equals(profile_id,"${pick(ids)}")`),
    'listCompatProfiles by an e-mail address': () => profiles(`equals(email,"${email(below(customers))}")`),
    'listCompatProfiles by 100 e-mail addresses': () => profiles(`any(email,[${addresses()}])`),
    'listCompatProfiles created since a time': () => profiles(since('created')),
    'listCompatProfiles changed since a time': () => profiles(since('updated'), '&sort=updated'),
    'listCompatProfiles changed since a time, with their consent': () =>
      profiles(since('updated'), '&sort=updated&additional-fields[profile]=subscriptions'),
    'listCompatProfiles created in a week and changed in another': () =>
      profiles(`${week('created')},${week('updated')}`),
    'listCompatProfiles by address, changed in a week': () => profiles(week('updated'), '&sort=email'),
    'listCompatProfiles who have opted out': () => profiles(optedOut),
    'listCompatProfiles who have opted out, latest change first': () => profiles(optedOut, '&sort=-updated'),
  };
}
