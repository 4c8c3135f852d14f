/** Maximum characters of a path in the log. */
const MAX_LENGTH = 160;
/** A name as API paths have it: not a number or an address, nor a key, which a client may put anywhere by mistake. */
const NAME = /^(?!ffk_)[A-Za-z][A-Za-z_-]{0,39}\d?$/;

/**
 * Returns what the log may contain of a request target that matches no operation: the collection names, which are every
 * other segment of the path. Everything else becomes `*`, as it may be an id or personal data; so nothing has to be
 * escaped.
 */
export function loggedPath(target: string): string {
  const [path = ''] = target.slice(0, 10 * MAX_LENGTH).split(/[?#]/, 1);
  const [prefix = ''] = /^\/*(?:compat\/+)?(?:v\d\/+)?(?:api\/+)?/.exec(path) ?? [];
  const rest = path.slice(prefix.length).split('/');
  const parts = rest.map((part, index) => (part === '' || (index % 2 === 0 && NAME.test(part)) ? part : '*'));
  return (prefix + parts.join('/')).slice(0, MAX_LENGTH);
}
