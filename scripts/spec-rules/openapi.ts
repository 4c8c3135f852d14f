/** The parts of a spec and of Redocly that the rules use. */

export interface Location {
  pointer: string;
  child(path: (string | number)[]): Location;
}

export interface Context {
  location: Location;
  key: string | number;
  /** The node that contains this one. */
  parent: unknown;
  report(problem: { message: string; location?: Location }): void;
  resolve(node: unknown): { node?: unknown; location?: Location };
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  unevaluatedProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  'x-unbounded'?: string;
}

export interface Parameter {
  example?: unknown;
  examples?: object;
  schema?: Schema;
}

export interface Operation {
  operationId?: string;
  'x-audited'?: unknown;
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: unknown[];
  requestBody?: Body;
  responses?: Record<string, unknown>;
}

export interface Body {
  content?: Record<string, Media>;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string }>;
}
