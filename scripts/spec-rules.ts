/**
 * Footfall's rules for its specs, in addition to Redocly's: a plugin for `redocly lint`, named in
 * spec-rules/redocly.yaml.
 */

import { example, pairs } from './spec-rules/examples.ts';
import { guided } from './spec-rules/guides.ts';
import { audited, headers, retrying, scope, statuses, summary } from './spec-rules/operations.ts';
import { bounded, described, exemplified, open, sized } from './spec-rules/schemas.ts';
import { servers } from './spec-rules/servers.ts';

export default () => ({
  id: 'footfall',
  rules: {
    oas3: {
      example,
      pairs,
      statuses,
      summary,
      scope,
      audited,
      retrying,
      headers,
      guided,
      servers,
      bounded,
      described,
      exemplified,
      open,
      sized,
    },
  },
});
