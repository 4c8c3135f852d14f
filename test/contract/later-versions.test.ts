import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { answerOfLaterVersion, closedChoices, responseSchemas } from '../support/later-versions.ts';
import { specDocument } from '../support/spec-documents.ts';

const NO_CODES = 'no code is added within /v1';
const ITEMS = 'what becomes of an item of a request: whoever sent it has to understand all of them';
/** Choices of responses that never grow within /v1, and why. */
const CLOSED: Readonly<Record<string, string>> = {
  'ErrorDetails.code': NO_CODES,
  'RateLimitDetails.code': NO_CODES,
  'Rejection.code': NO_CODES,
  'RejectedEvent.error.code': NO_CODES,
  'RejectedMember.error.code': NO_CODES,
  'ImportError.code': NO_CODES,
  'EventBatchResult.events[]': ITEMS,
  'RecordedEvent.status': ITEMS,
  'RejectedEvent.status': ITEMS,
  'ListMembersAdded.members[]': ITEMS,
  'ListMembersRemoved.members[]': ITEMS,
  'AddedMember.status': ITEMS,
  'RemovedMember.status': ITEMS,
  'RejectedMember.status': ITEMS,
  'CouponMarks.codes[].status': ITEMS,
  'CatalogItemBatchResult.items[]': ITEMS,
  'WrittenCatalogItem.status': ITEMS,
  'RejectedCatalogItem.status': ITEMS,
  'RejectedCatalogItem.error.code': NO_CODES,
  'CatalogStockResult.updates[]': ITEMS,
  'AppliedCatalogStock.status': ITEMS,
  'RejectedCatalogStock.status': ITEMS,
  'RejectedCatalogStock.error.code': NO_CODES,
  'Event.from_client': 'it is there only if it is true',
  'ConsentChange.from_client': 'it is there only if it is true',
  'EventStats.interval': 'it is what the request asked for',
  'SegmentChangePage.changes[].kind': 'there is nothing between in and out',
  'DelayStep.until.weekdays[]': 'a week has seven days',
  'SendingHours.weekdays[]': 'a week has seven days',
};

describe('Responses leave room for what later versions add', () => {
  const found = [...responseSchemas()];

  it('in every choice but those that never grow', () => {
    const closed = found.flatMap(([name, schema]) => closedChoices(schema).map((place) => `${name}.${place}`));
    expect(closed.toSorted()).to.deep.equal(Object.keys(CLOSED).toSorted());
  });

  it('so that a validator accepts what this version does not know', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv as never);
    ajv.addSchema(specDocument('native') as AnySchemaObject, 'spec');
    for (const [name, schema] of found) {
      const validate = ajv.compile({ $ref: `spec#/components/schemas/${name}` });
      const answer = answerOfLaterVersion(schema);
      expect(validate(answer), `${name}: ${JSON.stringify(answer)} ${JSON.stringify(validate.errors)}`).to.equal(true);
    }
  });
});
