import { expect } from 'chai';
import { codesInOrder } from '../../src/domain/coupons/codes/codes-in-orders.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('Codes in orders', () => {
  const forms: [string, object, string[]][] = [
    ['Klaviyo’s plugins', { DiscountCodes: 'SPRING, WELCOME-1' }, ['SPRING', 'WELCOME-1']],
    ['Shopify', { extra: { discount_codes: [{ code: 'SPRING', amount: '5.00' }] } }, ['SPRING']],
    ['a text', { discount_code: ' SPRING ' }, ['SPRING']],
    ['Spree', { coupon: '', total: 5 }, []],
    ['lists', { coupons: ['SPRING', { Code: 'WELCOME-1' }, 7, null, ['X']] }, ['SPRING', 'WELCOME-1']],
    ['an amount', { discount: 5, discounts: null, coupon_code: { code: 7 } }, []],
    ['no text at all', { promo_code: '\ud800', voucher_code: 'x'.repeat(256) }, []],
  ];
  for (const [name, properties, codes] of forms) {
    it(`are found as in ${name}`, () => expect(codesInOrder({ ...properties })).to.deep.equal(codes));
  }

  describe('of pools', () => {
    let service: TestService;
    let client: Client;
    let storeId: string;

    before(async () => {
      service = await TestService.start();
      const created = await service.newKey();
      storeId = created.storeId;
      client = (await service.client()).as(created.key);
    });
    after(() => service.stop());

    const pool = async (codes: string[]): Promise<string> => {
      const { id } = (
        await client.post<any>('/v1/coupon-pools', { name: 'Welcome', kind: 'uploaded' }, { expect: 201 })
      ).body;
      await client.post(`/v1/coupon-pools/${id}/codes`, { codes }, { expect: 200 });
      return id;
    };
    const order = (order_id: string, properties: object, event_type = 'placed_order') =>
      client.post(
        '/v1/events',
        { event_type, profile: { external_id: 'ada' }, properties: { order_id, ...properties } },
        { expect: 201 },
      );
    const codesOf = async (id: string): Promise<Record<string, string>> => {
      const { codes } = (await client.get<any>(`/v1/coupon-pools/${id}/codes`, { expect: 200 })).body;
      return Object.fromEntries(codes.map(({ code, status, order_id }: any) => [code, `${status} ${order_id}`]));
    };

    it('are used by the first order that names them, also without a catalog, and by no other event', async () => {
      const [first, second] = [await pool(['A-1', 'A-2', 'A-3']), await pool(['A-1', 'B-1', 'B-2'])];
      await client.post(
        `/v1/coupon-pools/${second}/mark`,
        { codes: [{ code: 'B-2', status: 'void' }] },
        { expect: 200 },
      );
      await until(
        async () => (await service.database.query(`select from feed_reader where store_id = '${storeId}'`)).length > 0,
        'the store is followed',
      );
      await order('0', { discount_code: 'A-3' }, 'viewed_product');
      await order('1', { DiscountCodes: ['a-1', 'unknown'] });
      await order('2', { discount_code: 'A-1' });
      await order('3', { discount_codes: [{ code: 'B-2' }, { code: 'B-1' }] });
      await until(async () => (await codesOf(second))['B-1'] === 'used 3', 'the orders are read');
      expect(await codesOf(first)).to.deep.equal({ 'A-1': 'used 1', 'A-2': 'free null', 'A-3': 'free null' });
      expect(await codesOf(second)).to.deep.equal({ 'A-1': 'used 1', 'B-1': 'used 3', 'B-2': 'void null' });
      await until(async () => {
        const { body } = await client.get<any>(`/v1/coupon-pools/${second}`, { expect: 200 });
        return body.used_count === 2 && body.void_count === 1 && body.free_count === 0;
      }, 'they are counted');
    });
  });
});
