import { expect } from 'chai';
import { SURFACES } from '../support/samples.ts';
import { specDocument } from '../support/spec-documents.ts';

/** Records choices beside those that are there, which its description says. */
const RECORDS = ['updateProfileConsent'];
/** What a creation alone takes; and what something is made as, by its operation, which nobody can make of it afterwards. */
const OF_CREATIONS = ['idempotency_key'];
const MADE_AS: Record<string, string[]> = { updateSender: ['kind'] };
/** What clients from before it do not send: their requests go on, and it stays as it is. */
const ADDED_LATER: Record<string, string[]> = {
  updateWebhookEndpoint: ['secret_headers'],
  updateCampaign: ['coupon_pool_id'],
};

for (const surface of SURFACES) {
  const document = specDocument(surface);
  const bodyOf = (operation: any): any => {
    const schema = operation?.requestBody?.content['application/json'].schema ?? {};
    return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  };
  const paths = Object.entries<any>(document.paths);

  describe(`The methods of the ${surface} surface`, () => {
    it('replace with PUT what a creation says, as a whole', () => {
      for (const [path, { put }] of paths) {
        if (!put || RECORDS.includes(put.operationId)) continue;
        const { required = [], properties } = bodyOf(put);
        expect(required, put.operationId).not.to.deep.equal([]);
        const creation = bodyOf(document.paths[path.replace(/\/\{\w+\}$/, '')]?.post);
        const created = Object.keys(creation.properties ?? {}).filter(
          (name) => ![...OF_CREATIONS, ...(MADE_AS[put.operationId] ?? [])].includes(name),
        );
        expect(Object.keys(properties), put.operationId).to.include.members(created);
        const later = ADDED_LATER[put.operationId] ?? [];
        expect([...required, ...later], put.operationId).to.include.members(created);
      }
    });

    it('change with PATCH only what is sent', () => {
      for (const [, { patch }] of paths) {
        if (!patch) continue;
        const { required = [], properties } = bodyOf(patch);
        // Where there is only one thing to change, nothing is left to send without it.
        if (Object.keys(properties).length > 1) expect(required, patch.operationId).to.deep.equal([]);
      }
    });

    it('are explained in the introduction', () => {
      expect(document.info.description).to.match(/\bPUT\b.*\bPATCH\b|\bPATCH\b.*\bPUT\b/s);
    });
  });
}
