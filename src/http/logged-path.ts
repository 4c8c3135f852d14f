/** Characters of a path that the log takes, at most. */
const MAX_LENGTH = 160;
/** A name as paths of APIs have, not a number or an address; nor a key, which may stand anywhere by mistake. */
const NAME = /^(?!ffk_)[A-Za-z][A-Za-z_-]{0,39}\d?$/;

/**
 * What the log may know of the target of a request that is no operation: the names of collections in its path, which is
 * every other part of it. All else is `*`, as it may be an id or personal data; so nothing of it needs to be escaped.
 */
export function loggedPath(target: string): string {
  const [path = ''] = target.slice(0, 10 * MAX_LENGTH).split(/[?#]/, 1);
  const [prefix = ''] = /^\/*(?:compat\/+)?(?:v\d\/+)?(?:api\/+)?/.exec(path) ?? [];
  const rest = path.slice(prefix.length).split('/');
  const parts = rest.map((part, index) => (part === '' || (index % 2 === 0 && NAME.test(part)) ? part : '*'));
  return (prefix + parts.join('/')).slice(0, MAX_LENGTH);
}
