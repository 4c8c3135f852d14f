import { defineEntity, p } from '@mikro-orm/postgresql';
import { CustomerImportEntity } from './customer-import.ts';

/** A part of a file that is not imported yet. */
export const CustomerImportPartEntity = defineEntity({
  name: 'CustomerImportPart',
  tableName: 'customer_import_part',
  properties: {
    storeId: p.uuid().primary(),
    importId: p.uuid().primary(),
    /** From 1. */
    number: p.integer().primary(),
    bytes: p.integer(),
    /** UTF-8. */
    content: p.blob(),
    /** The foreign key. Of no type: Kysely's would have columns of it that there are not. */
    customerImport: () =>
      p
        .manyToOne(CustomerImportEntity)
        .joinColumns('store_id', 'import_id')
        .foreignKeyName('customer_import_part_store_id_import_id_fkey')
        .updateRule('no action')
        .deleteRule('cascade')
        .index(false)
        .$type<never>(),
  },
});
