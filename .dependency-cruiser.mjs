import { readdirSync } from 'node:fs';

/**
 * The layers of `src`, from the top: a file may import from its own layer and from those below. What shares a line does
 * not import from one another.
 */
const LAYERS = [
  ['main', 'worker'],
  ['cluster'],
  ['service'],
  ['storage', 'app'],
  ['large-requests'],
  ['native', 'compat', 'docs', 'recipient-pages', 'provider-hooks'],
  ['http'],
  ['work', 'metrics', 'streams'],
  ['outbound'],
  ['domain'],
  ['engine'],
  ['backup', 'embedded-postgres', 'rate-limit', 'threads', 'command'],
  ['db'],
  ['concurrency', 'config'],
  ['process', 'ids'],
];

/** Packages and pages, which have rules of their own below. */
const APART = ['client', 'dashboard', 'onsite'];

for (const name of readdirSync('src')) {
  const room = name.replace(/\.ts$/, '');
  if (![...LAYERS.flat(), ...APART].includes(room)) throw new Error(`src/${name} is in no layer`);
}

const pathOf = (rooms) => `^src/(?:${rooms.join('|')})(?:/|\\.ts$)`;

/** What a room of a layer must not import: the layers above, and the rooms beside it. */
const upwards = LAYERS.flatMap((rooms, depth) =>
  rooms.map((room) => ({
    name: `${room}-points-down`,
    comment: `src/${room} imports from the layers below it only`,
    severity: 'error',
    from: { path: pathOf([room]) },
    to: { path: pathOf([...LAYERS.slice(0, depth).flat(), ...rooms.filter((other) => other !== room)]) },
  })),
);

export default {
  forbidden: [
    ...upwards,
    {
      name: 'no-cycles',
      comment: 'Of two files that import each other, neither can be read first',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-cycles-of-folders',
      comment: 'The same for folders',
      severity: 'error',
      scope: 'folder',
      from: { pathNot: '^src/dashboard' },
      to: { circular: true },
    },
    {
      name: 'domain-knows-no-http',
      comment: 'The domain means the same, whoever asks and however',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^generated/|node_modules/(?:@types/)?(?:koa|@koa)|^(?:node:)?https?$' },
    },
    {
      name: 'automations-are-decided-purely',
      comment: 'What automations decide, what a template says, whether a value passes, and which form is canonical, depends on arguments alone: no database, no other part of the service, no clock',
      severity: 'error',
      from: { path: '^src/domain/(?:automations/core|templates/core|canonical|time|conditions/(?!compile))' },
      to: {
        pathNot:
          '^src/domain/(?:automations/core/|templates/core/|canonical/|time/|conditions/(?!compile)|service-error\\.ts$|lossless-json\\.ts$)|^node_modules/(?:liquidjs|htmlparser2)/|^(?:node:)?(?:crypto|url)$',
      },
    },
    {
      name: 'dashboard-is-a-client',
      comment: 'The dashboard knows the service by its contract alone',
      severity: 'error',
      from: { path: '^src/dashboard/' },
      to: { path: '^src/', pathNot: '^src/(?:dashboard|client)/' },
    },
    {
      name: 'onsite-stands-alone',
      comment: 'The script on the pages of shops has to stay small',
      severity: 'error',
      from: { path: '^src/onsite/' },
      to: { pathNot: '^src/onsite/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'The package for integrators has nothing of the service but the types of its contract',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^(?:src|generated)/', pathNot: '^(?:src/client|generated/native)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs'] },
  },
};
