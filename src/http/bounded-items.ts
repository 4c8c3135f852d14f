import { _, type CodeKeywordDefinition } from 'ajv';
import names from 'ajv/dist/compile/names.js';
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util.js';

/**
 * Maximum errors, after which the items of lists are no longer validated. A body of 5 MB may cause millions, which
 * would take seconds, fill the memory and tell the client nothing more.
 */
export const MAX_ERRORS = 50_000;

/** `items` of JSON Schema, with that limit. */
export const boundedItems: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code(context) {
    const { gen, data, schema, it } = context;
    it.items = true;
    if (alwaysValidSchema(it, schema)) return;
    const valid = gen.name('valid');
    gen.forRange('i', 0, _`${data}.length`, (i) => {
      gen.if(_`${names.default.errors} > ${MAX_ERRORS}`, () => gen.break());
      context.subschema({ keyword: 'items', dataProp: i, dataPropType: Type.Num }, valid);
    });
  },
};
