import { defineEntity, p } from '@mikro-orm/postgresql';

/** A key that a service without one in its settings has drawn for itself. */
export const DrawnKeyEntity = defineEntity({
  name: 'DrawnKey',
  tableName: 'drawn_key',
  properties: {
    name: p.text().primary(),
    /** Of 32 random bytes, in base64. */
    text: p.text(),
    createdAt: p.datetime(3),
  },
});
