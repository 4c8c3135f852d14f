interface Node {
  [name: string]: unknown;
}

/**
 * A spec as its validator takes it, so that of a union only the errors of the branch that was meant are reported: it
 * becomes a choice by the member that tells the branches apart, which is the discriminator or `x-told-by`, else the first
 * that each branch requires; of two that require the same, one may have an object there.
 */
export function withChoices<Document>(document: Document): Document {
  return convert(document, document as Node) as Document;
}

function convert(node: unknown, document: Node): unknown {
  if (Array.isArray(node)) return node.map((item) => convert(item, document));
  if (typeof node !== 'object' || node === null) return node;
  const copy: Node = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, convert(value, document)]));
  const { oneOf, discriminator, 'x-told-by': toldBy, ...others } = copy;
  if (!Array.isArray(oneOf)) return copy;
  const teller =
    (discriminator as { propertyName: string } | undefined)?.propertyName ?? (toldBy as string | undefined);
  const choice = choiceOf(oneOf, teller, document);
  const nesting = others['x-max-nesting'];
  if (nesting === undefined) return { ...others, ...choice };
  // What is nested too deep is not looked at any closer.
  return { ...others, type: 'object', ...choiceIf({ 'x-max-nesting': nesting }, choice) };
}

function choiceOf(branches: unknown[], teller: string | undefined, document: Node): Node {
  const schemas = branches.map((branch) => resolve(branch as Node, document));
  if (teller === undefined) {
    const members = schemas.map(({ required }) => (required as string[])[0] as string);
    const allOf = branches.map((branch, i) => {
      const name = members[i] as string;
      const rivals = schemas.filter((_, k) => members[k] === name);
      return choiceIf(
        rivals.length === 1 ? { required: [name] } : testOf(schemas[i] as Node, name, rivals, document),
        branch,
      );
    });
    const named = members.filter((_, i) => !schemas[i]?.deprecated);
    return { type: 'object', 'x-some-of': { members, named }, allOf };
  }
  const values = schemas.map(({ properties }) => ((properties as Node)[teller] as { enum: unknown[] }).enum);
  const allOf = branches.map((branch, i) =>
    choiceIf({ required: [teller], properties: { [teller]: { enum: values[i] } } }, branch),
  );
  return { type: 'object', required: [teller], properties: { [teller]: { enum: values.flat() } }, allOf };
}

/** Of two branches that require the same member, one has an object there: it is meant unless the other one may be. */
function testOf(schema: Node, name: string, rivals: Node[], document: Node): Node {
  const hasObject = (one: Node) => resolve((one.properties as Node)[name] as Node, document).type === 'object';
  const plain = rivals.find((one) => !hasObject(one)) as Node;
  // A copy: the validator takes what occurs twice for a reference.
  const required = [...(plain.required as string[])];
  const others = Object.fromEntries(required.map((one) => [one, true]));
  const isPlain = {
    anyOf: [
      { properties: { [name]: { type: ['string', 'array'] } } },
      { required, properties: { ...others, [name]: { not: { type: 'object' } } } },
    ],
  };
  return { required: [name], ...(schema === plain ? isPlain : { not: isPlain }) };
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
