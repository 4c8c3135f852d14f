import type { ValidateFunction } from 'ajv';
import { type Document, ValidationContext } from 'openapi-backend';
import { withChoices } from '../../src/http/choices.ts';
import { createAjv } from '../../src/http/validation.ts';
import type { DeclaredHeader } from './headers.ts';

interface Node {
  [name: string]: any;
}

/** A response as a spec declares it, with its references resolved. */
export interface DeclaredResponse {
  headers: Record<string, DeclaredHeader>;
  /** The media types; undefined for a response without a body. */
  types: string[] | undefined;
  /** What is wrong with a JSON body; empty where nothing is. */
  bodyProblems(body: unknown): string[];
}

const ID = 'spec';

/**
 * Finds what a spec declares of the responses of its operations. Schemas are compiled when a body is first held against
 * them, and those that operations share only once.
 */
export class ResponseSchemas {
  readonly #document: Node;
  readonly #ajv = createAjv(ValidationContext.Response);
  readonly #found = new Map<string, DeclaredResponse | undefined>();

  constructor(document: Document) {
    this.#document = withChoices(closed(document)) as Node;
    this.#ajv.addSchema(this.#document, ID);
  }

  /** Undefined where the operation declares no such status. */
  find(path: string, method: string, status: number): DeclaredResponse | undefined {
    const pointer = pointerTo('paths', path, method, 'responses', String(status));
    if (!this.#found.has(pointer)) this.#found.set(pointer, this.#read(pointer));
    return this.#found.get(pointer);
  }

  #read(pointer: string): DeclaredResponse | undefined {
    const response = this.#resolve(pointer);
    if (!response) return undefined;
    const { headers = {}, content } = response.node;
    const declaredHeaders = Object.keys(headers).map((name) => {
      const header = this.#resolve(`${response.pointer}${pointerTo('headers', name)}`);
      return [name, { ...header?.node, schema: this.#resolve(`${header?.pointer}/schema`)?.node }] as const;
    });
    const schema = content?.['application/json']?.schema && `${response.pointer}/content/application~1json/schema`;
    return {
      headers: Object.fromEntries(declaredHeaders) as Record<string, DeclaredHeader>,
      types: content && Object.keys(content),
      bodyProblems: (body) => (schema ? this.#problemsOf(schema, body) : []),
    };
  }

  #problemsOf(pointer: string, body: unknown): string[] {
    const $ref = `${ID}#${encodeURI(this.#resolve(pointer)?.pointer ?? pointer)}`;
    const validate = (this.#ajv.getSchema($ref) ?? this.#ajv.compile({ $ref })) as ValidateFunction;
    return validate(body) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }

  /** A part of the document, or what it refers to. */
  #resolve(pointer: string): { pointer: string; node: Node } | undefined {
    const steps = pointer.split('/').slice(1);
    const node = steps.reduce<Node | undefined>(
      (parent, step) => parent?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#document,
    );
    if (typeof node?.$ref === 'string') return this.#resolve(node.$ref.slice(1));
    return node && { pointer, node };
  }
}

function pointerTo(...steps: string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * A spec whose objects have the properties that it knows, and no others, and whose choices have no room for those of later
 * versions: published responses leave room for more, but what a service of this version answers is in it.
 */
function closed<Part>(node: Part): Part {
  if (Array.isArray(node)) return node.filter((part) => !isOfLaterVersions(part)).map(closed) as Part;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) => [name, closed(value)]);
  const isSchema = 'type' in node && [node.type].flat().includes('object') && 'properties' in node;
  return Object.fromEntries([...(isSchema ? [['additionalProperties', false]] : []), ...entries]);
}

/** The schemas for what only later versions answer have names of their own. */
const isOfLaterVersions = (part: unknown) => /^#\/components\/schemas\/Unknown/.test((part as Node | null)?.$ref ?? '');
