import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import type { CampaignAudience } from '../../src/domain/campaigns/campaign.ts';
import { findRecipients } from '../../src/domain/campaigns/engine/recipients.ts';
import { LOWEST_ID, newId } from '../../src/ids/uuid-v7.ts';
import { Campaigns } from '../campaigns/support/campaigns.ts';
import type { Shop } from '../messages/support/shop.ts';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import { expectNobodyLost, NOBODY, settleLives } from '../support/lives.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { until } from '../support/process.ts';
import { numbersFrom, SOAK_ROUNDS } from '../support/sample.ts';
import { TestService } from '../support/service.ts';
import { NaiveStore } from './support/naive-store.ts';

/** Histories, what happens in each, and addresses of customers. */
const [HISTORIES, STEPS, ADDRESSES] = [2 * Math.max(1, SOAK_ROUNDS), 30, 5];
/** Rounds in which all happens at the same time, and messages of each. */
const [ROUNDS, AT_ONCE] = [Math.max(1, SOAK_ROUNDS), 30];
const JSON_TYPE = { 'Content-Type': 'application/json' };

interface NaiveMessage {
  class: 'marketing' | 'transactional';
  /** Its campaign. */
  campaign: string | undefined;
  status: string;
  reason: string | null;
  /** Whose it is, and where it went. */
  owner: string;
  address: string | null;
}

/** What would have become of messages, had somebody written each by hand. */
class NaiveShop extends NaiveStore {
  readonly messages = new Map<string, NaiveMessage>();
  /** By profile: the address that is shown, and what was chosen last, when. */
  readonly shown = new Map<string, string>();
  readonly choices = new Map<string, { status: string; at: number }>();
  readonly members = new Set<string>();
  readonly suppressed = new Set<string>();

  queue(id: string, owner: string, kind: NaiveMessage['class'], campaign?: string): void {
    this.messages.set(id, { class: kind, campaign, status: 'waiting', reason: null, owner, address: null });
  }

  deliver(): void {
    for (const message of this.#waiting()) {
      const [address, choice] = [this.shown.get(message.owner), this.choices.get(message.owner)?.status];
      const reason = this.#whyNot(message, address, choice);
      Object.assign(message, { status: reason ? 'skipped' : 'sent', reason, address: address ?? null });
    }
  }

  #whyNot({ class: kind }: NaiveMessage, address: string | undefined, choice: string | undefined): string | null {
    if (address === undefined) return 'no_address';
    if (this.suppressed.has(address)) return 'address_suppressed';
    if (kind === 'transactional' || choice === 'subscribed') return null;
    return choice === 'unsubscribed' ? 'unsubscribed' : 'no_consent';
  }

  override merge(id: string, from: string): void {
    super.merge(id, from);
    const [kept, other] = [this.choices.get(id), this.choices.get(from)];
    if (other && (!kept || other.at > kept.at)) this.choices.set(id, other);
    const shown = this.shown.get(id) ?? this.shown.get(from);
    if (shown !== undefined) this.shown.set(id, shown);
    if (this.members.delete(from)) this.members.add(id);
    this.#sendOnce(id, from);
    for (const message of this.messages.values()) if (message.owner === from) message.owner = id;
  }

  /** Of two messages of one campaign. */
  #sendOnce(id: string, from: string): void {
    const hasGone = ({ status }: NaiveMessage) => status === 'sent';
    const of = (owner: string) => [...this.messages.values()].filter((one) => one.owner === owner && one.campaign);
    const pairs = of(id).flatMap((a) => of(from).map((b): [NaiveMessage, NaiveMessage] => [a, b]));
    const same = pairs.filter(([a, b]) => a.campaign === b.campaign);
    const skipped = same.flatMap(([a, b]) => {
      if (b.status === 'waiting' && (a.status === 'waiting' || hasGone(a))) return b;
      return a.status === 'waiting' && hasGone(b) ? a : [];
    });
    for (const message of skipped) Object.assign(message, { status: 'skipped', reason: 'merged' });
  }

  override erase(id: string, keepsEvents: boolean): void {
    super.erase(id, keepsEvents);
    this.members.delete(id);
    for (const message of this.messages.values()) {
      if (message.owner !== id) continue;
      if (message.status === 'waiting') message.status = 'cancelled';
      Object.assign(message, { owner: NOBODY, address: null });
    }
  }

  #waiting(): NaiveMessage[] {
    return [...this.messages.values()].filter(({ status }) => status === 'waiting');
  }
}

describe('Messages to customers who come, are merged and are erased at random', () => {
  let service: TestService;
  let relay: ScriptedServer;
  let campaigns: Campaigns;
  let shop: Shop;
  let templates: Record<NaiveMessage['class'], string>;
  let list: string;

  before(async () => {
    relay = await ScriptedServer.start();
    service = await TestService.start({
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      PUBLIC_URL: 'https://mail.shop.example',
    });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    shop = campaigns.shop;
    templates = {
      marketing: await shop.template(),
      transactional: await shop.template({ class: 'transactional' }),
    };
    list = await campaigns.list();
    const default_sender_id = await shop.relay(relay.port);
    await saveMessageSettings(shop.client, { postal_address: '12 Mill Lane', default_sender_id }, 200);
  });
  after(async () => {
    await service.stop();
    await relay[Symbol.asyncDispose]();
  });

  const query = <Row>(statement: string): Promise<Row[]> =>
    service.database.query<Row>(statement.replaceAll('$store', `'${shop.storeId}'`));
  const rest = (isResting: boolean) =>
    query(`update sender set resting_until = ${isResting ? `'2035-01-01Z'` : 'null'} where store_id = $store`);
  const untilSent = () =>
    until(async () => {
      const open = await query(`
        select from message where store_id = $store and status in ('waiting', 'claimed', 'sending')`);
      return open.length === 0;
    }, 'all messages have ended');
  const erase = async (id: string, events = 'delete') =>
    (await shop.client.post<any>('/v1/erasures', { profile_id: id, events, suppress_days: 0 }, { expect: 202 })).body;
  const addressOf = (n: number) => `${shop.storeId.slice(-12)}-${n}@shop.example`;

  /** Where the messages of this store have arrived, by their ids: each once. */
  function arrivals(): Map<string, string> {
    const found = new Map<string, string>();
    for (const message of relay.messages) {
      const [, address = ''] = /^To: (\S+)/m.exec(message) ?? [];
      const [, id = ''] = /^Message-ID: <([^@>]+)@/m.exec(message) ?? [];
      if (!address.startsWith(shop.storeId.slice(-12))) continue;
      expect(found.has(id), 'it arrives once').to.equal(false);
      found.set(id, address);
    }
    return found;
  }

  async function startsRuns(): Promise<void> {
    const definition = {
      name: 'Welcome',
      trigger: { type: 'event', event_type: 'joined' },
      reentry: { mode: 'every_time', per: 'profile' },
      start: 'mail',
      steps: [{ id: 'mail', type: 'send_email', template_id: templates.marketing, next: null }],
    };
    const { id, revision } = (await shop.client.post<any>('/v1/automations', { definition }, { expect: 201 })).body;
    await shop.client.post(`/v1/automations/${id}/publish`, { revision }, { expect: 200 });
  }

  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    it(`are sent as by hand, history ${seed}`, async () => {
      const below = numbersFrom(seed * 104_729);
      const naive = new NaiveShop();
      let now = 0;
      const wentTo = new Map<string, string>();
      const someone = () => [...naive.attributes.keys()][below(naive.attributes.size)];
      const newMessages = async (count: number, source: string) => {
        let rows: { id: string; owner: string; source_id: string }[] = [];
        await until(async () => {
          rows = await query(`
            select id, profile_id as owner, source_id from message where store_id = $store and source = '${source}'`);
          rows = rows.filter(({ id }) => !naive.messages.has(id));
          return rows.length >= count;
        }, `${count} messages of one ${source} are queued`);
        return rows;
      };
      const upsert = async () => {
        const identifiers: Record<string, string> =
          below(4) === 0 ? { external_id: `c-${below(3)}` } : { email: addressOf(below(ADDRESSES)) };
        const { id } = (await shop.client.post<any>('/v1/profiles/upsert', { identifiers })).body;
        if (identifiers.email !== undefined) naive.shown.set(id, identifiers.email);
        if (naive.attributes.has(id)) return;
        naive.write(id, identifiers, {});
        const members = [{ profile_id: id }];
        await shop.client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
        naive.members.add(id);
      };
      const choose = async () => {
        const id = someone();
        if (id === undefined) return;
        const status = below(3) === 0 ? 'unsubscribed' : 'subscribed';
        await shop.choose(id, status);
        now += 1;
        naive.choices.set(id, { status, at: now });
      };
      const suppress = async () => {
        const address = addressOf(below(ADDRESSES));
        await shop.client.post('/v1/suppressed-addresses', { addresses: [address], reason: 'manual' }, { expect: 200 });
        naive.suppressed.add(address);
      };
      const ask = async () => {
        const owner = someone();
        const pair = [...naive.owners].find(([, id]) => id === owner)?.[0].split(' ');
        if (owner === undefined || !pair) return;
        const kind = below(2) ? 'marketing' : 'transactional';
        const profile = { [pair[0] as string]: pair[1] };
        const body = { template_id: templates[kind], profile };
        const { id } = (await shop.client.post<any>('/v1/messages', body, { expect: 201 })).body;
        naive.queue(id, owner, kind);
      };
      const automate = async () => {
        const owner = someone();
        const pair = [...naive.owners].find(([, id]) => id === owner)?.[0].split(' ');
        if (owner === undefined || !pair) return;
        const profile = { [pair[0] as string]: pair[1] };
        const { body } = await shop.client.post<any>('/v1/events', { event_type: 'joined', profile }, { expect: 201 });
        naive.events.set(body.id, owner);
        for (const { id } of await newMessages(1, 'automation')) naive.queue(id, owner, 'marketing');
      };
      const campaign = async () => {
        if (naive.members.size === 0) return;
        // Who is erased leaves lists in the background.
        await settleLives(query);
        const id = await campaigns.draft(list, { template_id: templates.marketing });
        await campaigns.schedule(id);
        const rows = await newMessages(naive.members.size, 'campaign');
        expect(rows.map(({ owner }) => owner)).to.have.members([...naive.members]);
        for (const row of rows) naive.queue(row.id, row.owner, 'marketing', id);
      };
      const merge = async () => {
        const [id, from] = [someone(), someone()];
        if (id === undefined || from === undefined || id === from) return;
        await shop.client.post(`/v1/profiles/${id}/merge`, { from }, { expect: 202 });
        naive.merge(id, from);
      };
      const eraseOne = async () => {
        const id = someone();
        if (id === undefined) return;
        await erase(id, below(2) ? 'anonymise' : 'delete');
        naive.erase(id, true);
      };
      const deliver = async () => {
        await rest(false);
        await untilSent();
        await rest(true);
        naive.deliver();
        for (const [id, { status, address }] of naive.messages) {
          if (status === 'sent' && address !== null) wentTo.set(id, address);
        }
      };

      await startsRuns();
      await rest(true);
      const chances = [upsert, upsert, upsert, upsert, choose, choose, choose, ask, ask, ask, automate, automate]
        .concat([merge, merge, merge, eraseOne, suppress, campaign])
        .concat([campaign, deliver, deliver]);
      for (let step = 0; step < STEPS; step += 1) await chances[below(chances.length)]?.();
      await deliver();
      await settleLives(query);
      const rows = await query<NaiveMessage & { id: string }>(`
        select id, class, status, reason, profile_id as owner, address from message where store_id = $store`);
      const about = ({ class: kind, owner, address, ...message }: NaiveMessage) => {
        // One may be taken before it is swept.
        const isSwept = owner === NOBODY && message.reason === 'profile_deleted';
        const { status, reason } = isSwept ? { status: 'cancelled', reason: null } : message;
        return { class: kind, status, reason, owner, address };
      };
      expect(Object.fromEntries(rows.map((row) => [row.id, about(row)]))).to.deep.equal(
        Object.fromEntries([...naive.messages].map(([id, message]) => [id, about(message)])),
      );
      expect(Object.fromEntries(arrivals())).to.deep.equal(Object.fromEntries(wentTo));
      await expectNobodyLost(query);
    });
  }

  it('of a campaign go once to two who are merged while both wait for it, as a dry run says', async () => {
    await rest(true);
    const [id, from] = [await shop.customer(addressOf(1)), await shop.customer(addressOf(2))];
    await campaigns.join(list, [addressOf(1), addressOf(2)]);
    const campaign = await campaigns.draft(list);
    await campaigns.schedule(campaign);
    await campaigns.reaches(campaign, 'sending');
    const merge = async (body: object, expect: number) =>
      (await shop.client.post<any>(`/v1/profiles/${id}/merge`, { from, ...body }, { expect })).body.changes;
    expect(await merge({ dry_run: true }, 200)).to.include({ skipped_message_count: 1 });
    expect(await campaigns.counts(campaign)).to.deep.equal({ waiting: 2 });
    expect(await merge({}, 202)).to.include({ skipped_message_count: 1 });
    expect(await campaigns.counts(campaign)).to.deep.equal({ waiting: 1, 'skipped: merged': 1 });
    await rest(false);
    await campaigns.reaches(campaign, 'sent');
    expect([...arrivals().values()]).to.deep.equal([addressOf(1)]);
    expect(await campaigns.counts(campaign)).to.deep.equal({ sent: 1, 'skipped: merged': 1 });
  });

  it('of a campaign go once to who is found after somebody who got it was merged into them', async () => {
    await rest(true);
    const [id, from] = [await shop.customer(addressOf(1)), await shop.customer(addressOf(2))];
    await campaigns.join(list, [addressOf(2)]);
    const campaign = await campaigns.draft(list);
    await campaigns.schedule(campaign);
    await campaigns.reaches(campaign, 'sending');
    await campaigns.join(list, [addressOf(1)]);
    await shop.client.post(`/v1/profiles/${id}/merge`, { from }, { expect: 202 });
    await settleLives(query);
    // As a campaign that has not come as far as to them yet.
    await query(`
      update campaign set status = 'preparing', reached = default, prepared_at = null, due_at = now()
      where store_id = $store and id = '${campaign}'`);
    await campaigns.reaches(campaign, 'sending');
    const messages = await query(`select profile_id as id, status from message where store_id = $store`);
    expect(messages).to.deep.equal([{ id, status: 'waiting' }]);
  });

  it('of a campaign go once to who is found while somebody who was found before is merged into them', async () => {
    const [id, from] = [await shop.customer(addressOf(1)), await shop.customer(addressOf(2))];
    const audienceOf = async (n: number): Promise<CampaignAudience> => {
      return { any: [{ kind: 'list', id: await campaigns.list([addressOf(n)]) }], not: [] };
    };
    const [before, now] = [await audienceOf(2), await audienceOf(1)];
    const [template, sender] = [templates.marketing, newId()];
    const preparing = {
      ...{
        id: newId(),
        templateId: template,
        templateVersion: 1,
        senderId: sender,
        channel: 'email',
        class: 'marketing',
      },
      ...{ holdOut: 0, test: null, variants: null, timing: null },
      ...{ startedAt: Date.now(), scheduledAt: Date.now(), step: 0, reached: LOWEST_ID },
    };
    const database = await openDatabase(service.database.address, 2);
    const db = database.stores.of(shop.storeId);
    let merging: Promise<any> | undefined;
    let isMerged = false;
    try {
      await db.transaction().execute((tx) => findRecipients(tx, shop.storeId, { ...preparing, audience: before }));
      await db.transaction().execute(async (tx) => {
        await findRecipients(tx, shop.storeId, { ...preparing, audience: now });
        merging = shop.client.post(`/v1/profiles/${id}/merge`, { from }, { expect: 202 }).finally(() => {
          isMerged = true;
        });
        await until(async () => isMerged || (await service.database.isWaiting()), 'the merge waits');
      });
    } finally {
      await database.close();
    }
    expect((await merging).body.changes).to.include({ skipped_message_count: 1 });
    const messages = await query<{ status: string }>(`select status from message where store_id = $store`);
    expect(messages.map(({ status }) => status).sort()).to.deep.equal(['skipped', 'waiting']);
  });

  it('go to nobody who has opted out or is erased, and are each accounted for once, while all happens at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const below = numbersFrom(round + 31);
      const address = (n: number) => addressOf(100 * (round + 1) + n);
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.push(await shop.customer(address(n)));
      const [a, b, c, d, e] = ids as [string, string, string, string, string];
      const never = new Set<string>();
      const refuse = async (condition: string) => {
        const rows = await query<{ id: string }>(`
          select id from message m where store_id = $store and status = 'waiting' and (${condition})`);
        for (const { id } of rows) never.add(id);
      };
      const isGone = 'not exists (select from profile p where p.store_id = $store and p.id = m.profile_id)';
      const send = async () => {
        const kind = below(2) ? 'marketing' : 'transactional';
        const body = { template_id: templates[kind], profile: { email: address(below(5)) } };
        expect((await shop.client.post('/v1/messages', body)).status).to.be.oneOf([201, 400]);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, send));
      await Promise.all([
        ...Array.from({ length: AT_ONCE }, send),
        shop.client.post(`/v1/profiles/${a}/merge`, { from: b }, { expect: 202 }),
        erase(c).then(() => refuse(isGone)),
        shop.choose(d, 'unsubscribed').then(() => refuse(`profile_id = '${d}' and class = 'marketing'`)),
        shop.client
          .send('PUT', `/v1/profiles/${e}/consent`, JSON.stringify({ email: { suppressed: true } }), {
            headers: JSON_TYPE,
            expect: 200,
          })
          .then(() => refuse(`profile_id = '${e}'`)),
      ]);
      await Promise.all([erase(a).then(() => refuse(isGone)), send(), send()]);
      await untilSent();
      await settleLives(query);
      const rows = await query<{ id: string; status: string; owner: string; address: string | null }>(`
        select id, status, profile_id as owner, address from message where store_id = $store`);
      const arrived = arrivals();
      expect(rows.filter(({ status }) => status === 'sent').map(({ id }) => id)).to.have.members([...arrived.keys()]);
      expect([...never].filter((id) => arrived.has(id))).to.deep.equal([]);
      const sentTo = rows.filter(({ owner, address: to }) => owner !== NOBODY && to !== null);
      for (const { id, address: to } of sentTo) if (arrived.has(id)) expect(arrived.get(id)).to.equal(to);
      expect(rows.filter(({ owner, address: to }) => owner === NOBODY && to !== null)).to.deep.equal([]);
      await expectNobodyLost(query);
    }
  });
});
