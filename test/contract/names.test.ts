import { expect } from 'chai';
import { SURFACES } from '../support/samples.ts';
import { specDocument } from '../support/spec-documents.ts';

interface Property {
  path: string;
  name: string;
  schema: any;
  /** Those of the same object. */
  siblings: Record<string, any>;
}

/** What says that a former name has a better one. */
const SAME = /^The same as `(\w+)`\.$/;
const NUMBERS = ['integer', 'number'];
/** Units that are in the names of what is measured in them. */
const UNITS = { milliseconds: /_ms$/, seconds: /_seconds$/, bytes: /_bytes$/ };
/** Not what is measured, but the time in which something is counted. */
const PERIODS = /\bin (?:a|any|the last)(?: \d+)? seconds?\b/g;

describe('Names in the specs', () => {
  for (const surface of SURFACES) {
    const document = specDocument(surface);
    const properties = propertiesOf(document.components, '#/components');

    it(`of the ${surface} surface that are deprecated lead to those that replace them`, () => {
      for (const { path, schema, siblings } of properties.filter((one) => one.schema.deprecated)) {
        const [, replacement = ''] = SAME.exec(schema.description) ?? [];
        expect(siblings, path).to.have.property(replacement);
        expect(siblings[replacement].deprecated, path).to.equal(undefined);
        expect(document.info.description, path).to.include(`\`${path.split('/').at(-1)}\``);
      }
    });

    it(`of the ${surface} surface are in its examples beside those that replace them, with the same values`, () => {
      const replaced = new Map<string, string>();
      for (const { name, schema } of properties.filter((one) => one.schema.deprecated)) {
        replaced.set(name, SAME.exec(schema.description)?.[1] ?? '');
      }
      for (const example of objectsIn(document.paths)) {
        for (const [name, replacement] of replaced) {
          if (!(name in example) || !(replacement in example)) continue;
          expect(example[name], JSON.stringify(example)).to.deep.equal(example[replacement]);
        }
      }
    });
  }

  const current = propertiesOf(specDocument('native').components, '#/components').filter(
    (one) => !one.schema.deprecated,
  );
  const typesOf = ({ schema }: Property) => [schema.type ?? []].flat();

  it('of the native surface are either counts or arrays', () => {
    const named = (types: string[]) =>
      new Set(current.filter((one) => typesOf(one).some((type) => types.includes(type))).map(({ name }) => name));
    const arrays = named(['array']);
    expect([...named(NUMBERS)].filter((name) => arrays.has(name) && !FREE.includes(name))).to.deep.equal([]);
  });

  it('of the native surface have the unit of what is measured', () => {
    const measures = current.filter((one) => typesOf(one).some((type) => NUMBERS.includes(type)));
    for (const { path, name, schema } of measures) {
      const words = (schema.description ?? '').replaceAll(PERIODS, '');
      for (const [unit, ending] of Object.entries(UNITS)) {
        if (new RegExp(`\\b${unit}\\b`, 'i').test(words)) expect(name, path).to.match(ending);
      }
    }
  });

  it('of the operations of the native surface that list something say what, and of what', () => {
    for (const [path, { get }] of Object.entries<any>(specDocument('native').paths)) {
      const schema = get?.responses[200].content?.['application/json']?.schema.$ref ?? '';
      if (!schema.endsWith('Page')) continue;
      const [parent, , child] = path.split('/').slice(2);
      const words = child === undefined ? [inWords(parent)] : [inWords(parent).replace(/s$/, ''), inWords(child)];
      expect(get.operationId, path).to.equal(NAMED_OTHERWISE[path] ?? `list${words.join('')}`);
    }
  });

  it('of the native surface call how things are `status`', () => {
    expect(current.filter(({ name }) => name === 'state').map(({ path }) => path)).to.deep.equal([]);
  });
});

/** Deliveries are of endpoints alone, a path calls the changes of a consent its history, and the catalog has no id. */
const NAMED_OTHERWISE: Record<string, string> = {
  '/v1/webhook-endpoints/{id}/deliveries': 'listWebhookDeliveries',
  '/v1/profiles/{id}/history': 'listProfileHistory',
  '/v1/profiles/{id}/consent/history': 'listProfileConsentChanges',
  '/v1/catalog/items': 'listCatalogItems',
  '/v1/catalog/categories': 'listCatalogCategories',
  '/v1/catalog/changes': 'listCatalogChanges',
  '/v1/catalog/feeds': 'listCatalogFeeds',
  '/v1/catalog/feeds/{id}/runs': 'listCatalogFeedRuns',
  '/v1/catalog/feeds/{id}/runs/{run_id}/errors': 'listCatalogFeedErrors',
  '/v1/catalog/subscriptions': 'listCatalogSubscriptions',
};

const inWords = (segment = '') => segment.replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());

/** Values of the store's own, which may be anything. */
const FREE = ['value'];

/** The properties of all schemas in a part of a spec. */
function propertiesOf(node: any, path: string): Property[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries<any>(node).flatMap(([key, value]) => {
    if (['examples', 'example', 'enum'].includes(key) && !path.endsWith('/properties')) return [];
    const below = propertiesOf(value, `${path}/${key}`);
    if (!path.endsWith('/properties') || path.endsWith('/properties/properties')) return below;
    return [{ path: `${path}/${key}`, name: key, schema: value, siblings: node }, ...below];
  });
}

function objectsIn(node: any): Record<string, any>[] {
  if (typeof node !== 'object' || node === null) return [];
  return [...(Array.isArray(node) ? [] : [node]), ...Object.values(node).flatMap(objectsIn)];
}
