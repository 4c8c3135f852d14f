import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventDocument } from '../compat/documents.ts';
import { answerOfLaterVersion, responseSchemas } from '../support/later-versions.ts';
import { Command, temporaryFolder } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Installed by CI alone: `npm ci --prefix test/client/more-generators`. */
const INSTALLED = join(import.meta.dirname, 'more-generators/node_modules');

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    rootDir: '.',
    outDir: 'js',
  },
  include: ['native', 'compat'],
};

const KUBB = `
import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';
export default ['native', 'compat'].map((name) =>
  defineConfig({
    name,
    input: { path: '${ROOT}/openapi/' + name + '.yaml' },
    output: { path: name + '/kubb' },
    plugins: [pluginOas({ validate: false }), pluginTs(), pluginZod({ version: '4', typed: true })],
  }),
);`;

const SURFACES = [
  { name: 'native', event: { event_type: 'visit', profile: { email: 'ada@example.com' } }, operation: 'createEvent' },
  {
    name: 'compat',
    event: eventDocument({ metric: 'Visit', profile: { email: 'ada@example.com' } }),
    operation: 'createCompatEvent',
  },
] as const;

describe('Clients of further generators', () => {
  let service: TestService;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async function () {
    if (!existsSync(INSTALLED)) this.skip();
    service = await TestService.start();
    folder = await temporaryFolder();
    await symlink(INSTALLED, join(folder.path, 'node_modules'));
    await writeFile(join(folder.path, 'package.json'), '{}');
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(join(folder.path, 'kubb.config.mjs'), KUBB);
  });
  after(async () => {
    await folder?.remove();
    await service?.stop();
  });

  const run = async (command: string, args: string[]) => {
    const { code, stdout, stderr } = await new Command(command, args, {}, folder.path).ended;
    expect(code, stdout + stderr).to.equal(0);
  };
  const load = (module: string) => createRequire(join(folder.path, 'js/'))(`./${module}`);

  it('are generated, and compile in strict mode', async () => {
    for (const { name } of SURFACES) {
      const spec = join(ROOT, 'openapi', `${name}.yaml`);
      await run('node_modules/.bin/openapi', ['--input', spec, '--output', `${name}/codegen`]);
      await run('node_modules/.bin/openapi-zod-client', [spec, '-o', `${name}/zod.ts`]);
    }
    await run('node_modules/.bin/kubb', ['generate']);
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.']);
  });

  it('accept what later versions add: openapi-zod-client', () => {
    const { schemas } = load('native/zod.js');
    for (const [name, schema] of responseSchemas()) {
      // Some are written where they are used, and are tried with these.
      const result = schemas[name]?.safeParse(answerOfLaterVersion(schema));
      expect(result?.error, name).to.equal(undefined);
    }
  });

  it('accept what later versions add, and refuse what is wrong: kubb with zod', () => {
    const schemaOf = (name: string) => {
      const file = `${name[0]?.toLowerCase()}${name.slice(1)}Schema`;
      return load(`native/kubb/zod/${file}.js`)[file];
    };
    for (const [name, schema] of responseSchemas()) {
      expect(schemaOf(name).safeParse(answerOfLaterVersion(schema)).error, name).to.equal(undefined);
    }
    expect(schemaOf('Segment').safeParse({ name: 7 }).success).to.equal(false);
    expect(schemaOf('SegmentDefinitionInput').safeParse({ not: { all: [{ list: 7 }] } }).success).to.equal(false);
  });

  for (const { name, event, operation } of SURFACES) {
    it(`record an event: openapi-typescript-codegen, ${name}`, async () => {
      const { OpenAPI, EventsService } = load(`${name}/codegen/index.js`);
      Object.assign(OpenAPI, { BASE: service.url, TOKEN: (await service.newKey()).key });
      expect(await EventsService[operation](event)).to.be.an('object');
    });

    it(`record an event, and report an invalid one: openapi-zod-client, ${name}`, async () => {
      const headers = { Authorization: `Bearer ${(await service.newKey()).key}` };
      const client = load(`${name}/zod.js`).createApiClient(service.url, { axiosConfig: { headers } });
      expect(await client[operation](event)).to.be.an('object');
      const wrong = JSON.parse(JSON.stringify(event).replace('ada@example.com', 'nobody'));
      const error = await client[operation](wrong).catch((problem: Error) => problem);
      // The generator keeps no pattern of what may be null.
      expect(error.message).to.match(name === 'native' ? /Invalid Body/ : /status code 400/);
    });
  }
});
