import { useBrowser } from '../support/browser.ts';
import { useBuiltDashboard } from '../support/dashboard.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { OLD_SNIPPET, Shop } from './shop.ts';

describe('The script under a host of COMPAT_HOSTS', () => {
  const browser = useBrowser();
  let service: TestService;
  let shop: Shop | undefined;

  useBuiltDashboard();
  before(async () => {
    service = await TestService.start({ COMPAT_HOSTS: 'localhost' });
  });
  after(async () => {
    shop?.stop();
    await service?.stop();
  });

  it('sends what a page says to the root of that host', async () => {
    const storeId = await service.newStore();
    const [client, { key }] = [
      await service.client({ storeId }),
      await service.newKey({ storeId, scopes: ['client:write'] }),
    ];
    const { port } = new URL(service.url);
    shop = await Shop.start(`http://localhost:${port}/onsite/js/klaviyo.js?company_id=${key}`, {
      '/': { before: `${OLD_SNIPPET} _learnq.push(['track', 'Visit']);` },
    });
    await shop.open(browser);
    const events = async () => (await client.get('/v1/events')).body.events;
    await until(async () => (await events())[0]?.event_type === 'visit', 'the event is there');
  });
});
