import { expect } from 'chai';
import { useDashboard } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';
import { expectSound, type Look } from './support/looks.ts';

const LOOKS: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', isOfColours: true },
];

describe('The dashboard: System', () => {
  const dashboard = useDashboard();
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  it('tells of refused requests, of the rate limit of each key, and of the health of the service', async () => {
    const { key } = await service.newKey({ name: 'Owner' });
    const client = (await service.client()).as(key);
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    const page = await dashboard.open(service, key, '/settings/system');
    const region = (name: string) => page.getByRole('region', { name });
    await region('Refused requests').getByText('None.').waitFor();
    await region('Rate limits').getByText('Owner').waitFor();
    await region('Rate limits').getByText('of 3,500 a minute').waitFor();
    await region('Health').getByText('ready').waitFor();
    await client.post('/v1/events', { event_type: 'visit', profile: {} }, { expect: 400 });
    await region('Refused requests').getByText('1 in the last 24 hours').waitFor();
    await expectSound(page, 'the system', LOOKS);
  });

  it('shows a key without scopes the health alone', async () => {
    const { key } = await service.newKey({ scopes: ['events:write'] });
    const page = await dashboard.open(service, key, '/settings/system');
    await page.getByRole('region', { name: 'Health' }).getByText('ready').waitFor();
    expect(await page.getByRole('region').count()).to.equal(1);
  });
});
