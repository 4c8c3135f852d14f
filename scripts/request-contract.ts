/** What a spec says in words or by example, and what it says of responses. */
const NOT_OF_REQUESTS = new Set([
  'description',
  'summary',
  'examples',
  'example',
  'externalDocs',
  'responses',
  'links',
]);
/** What a text looks like and what one member requires of another, where the spec leaves that to the domain, which tells better what is wrong. */
const OF_DOMAIN = new Set(['if', 'then', 'else', 'dependentRequired', 'pattern']);
/** Objects whose members have names of their own, which may be those of keywords. */
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'encoding', 'mapping']);
/** Values of the API. */
const VALUES = new Set(['default', 'const', 'enum']);

interface Spec {
  openapi: string;
  info: { title: string; version: string };
  paths: object;
  components?: Record<string, Record<string, unknown>>;
}

/**
 * Returns what the service needs of a spec, which is what requests are held against: less than half of it, and as JSON it
 * is read in a few milliseconds, without the memory that a parser of YAML leaves behind.
 */
export function requestContract({ openapi, info, paths, components = {} }: Spec): object {
  const contract = { openapi, info: { title: info.title, version: info.version }, paths: strip(paths, true) };
  const { securitySchemes, ...named } = Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [kind, strip(all, true) as Record<string, unknown>]),
  );
  const used = usedComponents(contract, named);
  const kept = Object.entries(named).flatMap(([kind, all]) => {
    const some = Object.entries(all).filter(([name]) => used.has(`#/components/${kind}/${name}`));
    return some.length > 0 ? [[kind, Object.fromEntries(some)] as const] : [];
  });
  return { ...contract, components: { ...(securitySchemes && { securitySchemes }), ...Object.fromEntries(kept) } };
}

function strip(node: unknown, isNamed = false): unknown {
  if (Array.isArray(node)) return node.map((item) => strip(item));
  if (typeof node !== 'object' || node === null) return node;
  const isOfDomain = !isNamed && 'x-checked-by-domain' in node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => isNamed || !(NOT_OF_REQUESTS.has(name) || (isOfDomain && OF_DOMAIN.has(name))))
      .map(([name, value]) => [name, !isNamed && VALUES.has(name) ? value : strip(value, !isNamed && NAMED.has(name))]),
  );
}

/** Returns the references to all components that requests lead to. */
function usedComponents(contract: object, named: Record<string, Record<string, unknown>>): Set<string> {
  const used = new Set<string>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (name !== '$ref' || typeof value !== 'string') {
        visit(value);
        continue;
      }
      const [, , kind = '', component = ''] = value.split('/');
      const whole = `#/components/${kind}/${component}`;
      if (used.has(whole)) continue;
      used.add(whole);
      visit(named[kind]?.[component]);
    }
  };
  visit(contract);
  return used;
}
