import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { specDocument } from '../support/spec-documents.ts';

const REQUESTS: [method: string, path: string, detail: RegExp][] = [
  ['GET', 'catalog-items', /^The catalog is .* in the native API \(POST \/v1\/catalog\/items\/bulk/],
  ['POST', 'catalog-variant-bulk-create-jobs', /^The catalog is .* \(POST \/v1\/catalog\/items\/bulk/],
  ['PATCH', 'catalog-categories/$custom:::$default:::x', /^Categories of .* \(POST \/v1\/catalog\/categories/],
  ['POST', 'back-in-stock-subscriptions', /^Back-in-stock .* \(POST \/v1\/catalog\/subscriptions/],
  ['GET', 'campaigns?filter=equals(messages.channel,"email")', /^Campaigns are managed .* \(\/v1\/campaigns\)/],
  ['POST', 'campaign-send-jobs', /^Campaigns are managed .* \(\/v1\/campaigns\)/],
  ['GET', 'lists', /^Lists are managed in the dashboard and in the native API \(\/v1\/lists\), not here/],
  ['GET', 'lists/Y6nRLr', /^Lists are managed in the dashboard/],
  ['POST', 'lists', /^Lists are managed in the dashboard/],
  ['POST', 'lists/Y6nRLr/relationships/profiles', /^Lists are managed in the dashboard/],
  ['GET', 'segments', /^Segments are managed in the dashboard and in the native API \(\/v1\/segments\), not here$/],
  ['GET', 'segments/Y6nRLr/profiles/', /^Segments are managed in the dashboard/],
  ['GET', 'metrics', /^Metrics cannot be browsed here/],
  ['POST', 'metric-aggregates', /^Metrics cannot be browsed here/],
  ['GET', 'profile-suppression-bulk-create-jobs', /^Jobs about consent are complete once they are accepted/],
  ['GET', 'profile-suppression-bulk-delete-jobs/x', /^Jobs about consent are complete once they are accepted/],
  ['GET', 'profile-merge', /^Customers are merged with POST;/],
  ['GET', 'data-privacy-deletion-jobs', /^Customers are erased with POST;/],
  ['POST', 'client/push-tokens', /^Pages and apps can send events, profiles and subscriptions here, with POST/],
  ['GET', 'client/events', /^Pages and apps can send events, profiles and subscriptions here, with POST/],
  ['GET', 'flows', /automations do: .* in the native API \(\/v1\/automations\), not here$/],
  ['PATCH', 'flow-actions/1', /automations do: /],
  ['POST', 'webhooks', /^Webhooks are steps of automations; .* \(\/v1\/webhook-endpoints\), not here$/],
  ['GET', 'webhook-topics', /^Webhooks are steps of automations/],
  ['POST', 'coupon-codes', /^Coupons are managed .* \(\/v1\/coupon-pools\), not here$/],
  ['GET', 'templates', /^Templates are managed .* \(\/v1\/templates\), not here$/],
  ['POST', 'image-upload', /^Images of templates are managed .* \(\/v1\/images\), not here$/],
  ['GET', 'forms', /^This is offered neither here/],
  ['PUT', 'profile-import', /POST \/compat\/v1\/profile-import/],
  ['GET', 'profiles/01936b2e-7c19-7a02-8c51-0d9f6a1e4b77/lists', /^Profiles can be listed, read, created and updated/],
  ['DELETE', 'profiles', /^Profiles can be listed.*not deleted/],
  ['GET', 'events/01936b2e-7c19-7a02-8c51-0d9f6a1e4b77/relationships/metric', /^Events can be recorded, listed/],
  ['POST', 'no-such-thing', /^There is no POST operation at this path$/],
  ['PUT', 'events', /^Events can be recorded, listed and read here, not changed/],
  ['GET', 'event-bulk-create-jobs', /^There is no GET operation at this path$/],
  ['GET', '', /^There is no GET operation at this path$/],
  ['GET', '%E0%A4%A', /^There is no GET operation at this path$/],
];

const NATIVE = specDocument('native').paths;

describe('What the compatibility surface does not offer', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  for (const [method, path, detail] of REQUESTS) {
    it(`returns a 404 for ${method} /${path} that says so`, async () => {
      for (const base of ['/compat/v1/', '/compat/v1/api/', '/compat/v1//api/']) {
        const { body, headers } = await client.send<any>(method, `${base}${path}`, undefined, { expect: 404 });
        const [error] = body.errors;
        expect(error).to.include({ code: 'not_found', status: 404, title: 'Not found', id: headers['x-request-id'] });
        expect(error.detail).to.match(detail);
        for (const [named = ''] of error.detail.matchAll(/(?<!compat)\/v1\/[\w/-]+/g))
          expect(NATIVE).to.have.property(named);
        expect(error.source).to.deep.equal({});
        expect(headers).to.include.keys('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');
      }
    });
  }
});
