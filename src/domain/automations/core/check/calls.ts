import type { Path } from '../../../conditions/tree.ts';
import type { CallWebhookStep } from '../definition/steps.ts';
import { problemOfHeaderName } from './header-names.ts';
import type { DefinitionReport } from './limits.ts';

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:; ?charset=[a-z0-9-]+)?$/i;

/** Checks a request of one's own. Whatever is filled in, it goes to the host of its endpoint. */
export function checkCall(
  { method = 'POST', path, headers = {}, body }: CallWebhookStep,
  at: Path,
  report: DefinitionReport,
): void {
  if (path !== undefined && !path.startsWith('/')) {
    report.add([...at, 'path'], 'must begin with /: the scheme and the host are those of the endpoint');
  }
  if (path !== undefined && /[\p{Cc}\\#]/u.test(path)) {
    report.add([...at, 'path'], 'must have no line breaks, no # and no backslash');
  }
  for (const name of Object.keys(headers)) {
    const problem = problemOfHeaderName(name);
    if (problem !== undefined) report.add([...at, 'headers', name], problem);
  }
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) report.add([...at, 'headers'], 'must have no name twice');
  if (body && method === 'GET') report.add([...at, 'body'], 'must be absent from a GET');
  if (body?.content_type !== undefined && !MEDIA_TYPE.test(body.content_type)) {
    report.add([...at, 'body', 'content_type'], 'must be a media type, such as application/xml');
  }
}
