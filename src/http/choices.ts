interface Node {
  [name: string]: unknown;
}

/**
 * A spec as its validator takes it, so that of a union only the errors of the branch that was meant are reported: it
 * becomes a choice by the member that tells the branches apart, which is the discriminator, else the first that each
 * branch requires; of two that require the same, one may have an object there.
 */
export function withChoices<Document>(document: Document): Document {
  return convert(document, document as Node) as Document;
}

function convert(node: unknown, document: Node): unknown {
  if (Array.isArray(node)) return node.map((item) => convert(item, document));
  if (typeof node !== 'object' || node === null) return node;
  const copy: Node = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, convert(value, document)]));
  const { oneOf, discriminator, ...others } = copy;
  if (!Array.isArray(oneOf)) return copy;
  const choice = choiceOf(oneOf, discriminator as { propertyName: string } | undefined, document);
  const nesting = others['x-max-nesting'];
  if (nesting === undefined) return { ...others, ...choice };
  // What is nested too deep is not looked at any closer.
  return { ...others, type: 'object', ...choiceIf({ 'x-max-nesting': nesting }, choice) };
}

function choiceOf(branches: unknown[], discriminator: { propertyName: string } | undefined, document: Node): Node {
  const schemas = branches.map((branch) => resolve(branch as Node, document));
  if (!discriminator) {
    const members = schemas.map(({ required }) => (required as string[])[0] as string);
    const allOf = branches.map((branch, i) => {
      const name = members[i] as string;
      const isShared = members.indexOf(name) !== members.lastIndexOf(name);
      return choiceIf(isShared ? isLike(schemas[i] as Node, name, document) : { required: [name] }, branch);
    });
    const named = members.filter((_, i) => !schemas[i]?.deprecated);
    return { type: 'object', 'x-some-of': { members, named }, allOf };
  }
  const { propertyName: name } = discriminator;
  const values = schemas.map(({ properties }) => ((properties as Node)[name] as { enum: unknown[] }).enum);
  const allOf = branches.map((branch, i) =>
    choiceIf({ required: [name], properties: { [name]: { enum: values[i] } } }, branch),
  );
  return { type: 'object', required: [name], properties: { [name]: { enum: values.flat() } }, allOf };
}

/** Whether a member is an object, or is none, as a schema says. */
function isLike({ properties }: Node, name: string, document: Node): Node {
  const isObject = resolve((properties as Node)[name] as Node, document).type === 'object';
  return { required: [name], properties: { [name]: isObject ? { type: 'object' } : { not: { type: 'object' } } } };
}

/** Not with `then`, for which JavaScript has a meaning of its own. */
function choiceIf(test: Node, branch: unknown): Node {
  return { if: { not: test }, else: branch };
}

function resolve(node: Node, document: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  const path = node.$ref.split('/').slice(1);
  return path.reduce<Node>((found, name) => found[name] as Node, document);
}
