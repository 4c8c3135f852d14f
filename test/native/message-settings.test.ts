import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { saveMessageSettings, USUAL_SETTINGS } from '../support/message-settings.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
let client: Client;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await service.client();
});
after(() => service.stop());

const update = (fields: object, expected = 200) => saveMessageSettings(client, fields, expected);

describe('GET /v1/message-settings', () => {
  it('returns what is usual, until somebody changes it', async () => {
    const { body } = await client.get<any>('/v1/message-settings', { expect: 200 });
    expect(body).to.deep.equal({ ...USUAL_SETTINGS, updated_at: null });
  });
});

describe('PUT /v1/message-settings', () => {
  it('replaces them', async () => {
    const wanted = {
      postal_address: 'Café Löwe\nMarktplatz 1',
      caps: null,
      smart_sending: null,
      tracking: { opens: false, clicks: true, transactional: true, sent: false, delivered: false },
    };
    const { body } = await update(wanted);
    expect(body).to.deep.include(wanted);
    expect((await client.get<any>('/v1/message-settings')).body).to.deep.equal(body);
    expect((await update({ postal_address: '  ' })).body.postal_address).to.equal(null);
  });

  it('takes durations of up to 30 days', async () => {
    for (const duration of ['PT1S', 'P30D', 'P4W', 'P1DT12H']) {
      await update({ caps: { most: 1, within: duration }, smart_sending: duration });
    }
    for (const duration of ['P1M', 'P31D', 'PT0S', '-P1D', 'P7D\n', '7 days']) {
      const cap = await update({ caps: { most: 1, within: duration } }, 400);
      expect(cap.body.error.field, duration).to.equal('caps.within');
      expect((await update({ smart_sending: duration }, 400)).body.error.field).to.equal('smart_sending');
    }
  });

  it('takes a sender of the store that is not deleted', async () => {
    const [outbox] = (await client.get<any>('/v1/senders')).body.senders;
    const { body } = await update({ default_sender_id: outbox.id.toUpperCase() });
    expect(body.default_sender_id).to.equal(outbox.id);
    const stranger = await service.client();
    const [other] = (await stranger.get<any>('/v1/senders')).body.senders;
    for (const id of [other.id, crypto.randomUUID()]) {
      expect((await update({ default_sender_id: id }, 400)).body.error.field).to.equal('default_sender_id');
    }
  });
});
