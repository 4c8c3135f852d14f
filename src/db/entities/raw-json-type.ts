import { Type } from '@mikro-orm/postgresql';
import type { RawJson } from '../raw-json.ts';

/** Columns of JSON, which entities have as the driver returns them: as text that nobody has parsed. */
export class RawJsonType extends Type<RawJson, string | RawJson> {
  override convertToDatabaseValue({ text }: RawJson): string {
    return text;
  }

  override convertToJSValue(value: string | RawJson): RawJson {
    return value as RawJson;
  }
}
