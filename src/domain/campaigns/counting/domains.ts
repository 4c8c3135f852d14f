/** What became of the messages of a campaign by where the addresses of their customers are. */
import { type RawBuilder, sql } from 'kysely';

/** Of messages that were handed over: how many, and of these, those that are known to have arrived, came back, … */
export interface DomainCount {
  /** In lower case; null for all others. */
  domain: string | null;
  sent: number;
  delivered: number;
  bounced: number;
  opened: number;
  clicked: number;
}

/** Domains that are kept between two counts: those of the most messages so far. Characters of one. */
const [MOST_KEPT, MAX_DOMAIN] = [200, 100];
const NUMBERS = ['sent', 'delivered', 'bounced', 'opened', 'clicked'] as const;

/** Of messages: rows as `DomainCount`, of any number of domains as few as are kept. */
export function domainsOf(messages: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select case when place <= ${MOST_KEPT} then domain end as domain, sum(sent) as sent, sum(delivered) as delivered,
      sum(bounced) as bounced, sum(opened) as opened, sum(clicked) as clicked
    from (
      select *, row_number() over (order by sent desc, domain) as place from (
        select left(lower(split_part(address, '@', 2)), ${MAX_DOMAIN}) as domain, count(*) as sent,
          count(*) filter (where status in ('delivered', 'complained')) as delivered,
          count(*) filter (where status = 'bounced') as bounced,
          count(*) filter (where opened_at is not null) as opened, count(*) filter (where clicked_at is not null) as clicked
        from ${messages}
        where status in ('sent', 'delivered', 'bounced', 'complained') and address like '%@%'
        group by 1
      ) each
    ) ranked
    group by 1`;
}

/** Adds up what was counted of different messages, the most messages first; what is left out is among the others, the last. */
export function addUpDomains(all: readonly DomainCount[], most = MOST_KEPT): DomainCount[] {
  const sums = new Map<string | null, DomainCount>();
  for (const one of all) add(sums, one.domain, one);
  const others = sums.get(null);
  sums.delete(null);
  const sorted = [...sums.values()].sort((a, b) => b.sent - a.sent || ((a.domain ?? '') < (b.domain ?? '') ? -1 : 1));
  const rest = new Map<string | null, DomainCount>();
  for (const one of [...(others ? [others] : []), ...sorted.slice(most)]) add(rest, null, one);
  return [...sorted.slice(0, most), ...rest.values()];
}

function add(sums: Map<string | null, DomainCount>, domain: string | null, one: DomainCount): void {
  const sum = sums.get(domain);
  if (!sum) sums.set(domain, { ...one, domain });
  else for (const name of NUMBERS) sum[name] += one[name];
}
