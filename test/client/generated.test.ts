import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Command, temporaryFolder } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const GENERATORS = ['hey-api', 'openapi-typescript', 'orval', 'swagger-typescript-api', 'oazapfts'] as const;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    skipLibCheck: true,
    rewriteRelativeImportExtensions: true,
    rootDir: '.',
    outDir: 'js',
  },
  include: ['native', 'compat', 'programs'],
};

/** What a program of programs/ has to see. */
const OUTCOMES = {
  native: { event: 'placed_order', profile: 'ada@example.com', code: 'validation_error', field: 'profile.email' },
  compat: {
    event: 'Placed Order',
    profile: 'ada@example.com',
    code: 'validation_error',
    field: '/data/attributes/profile/data/attributes/email',
  },
} as const;

/**
 * Names that nobody would write: numbered ones, those of what has no name in a spec, and doubled words; but orval numbers
 * responses by their status, and hey-api names the errors of an operation that gets errors.
 */
const UNNATURAL = [
  /(?<!Response[2-5]\d)(?<!Response[2-5])(?<!Response)\d$/,
  /inline|unnamed|Anonymous(?!Id)/i,
  /(?:Body|Property)$/,
  /(?!ErrorsErrors)([A-Z][a-z]+)\1/,
];

describe('Clients that integrators generate', function () {
  this.timeout(120_000);
  let service: TestService;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    service = await TestService.start();
    folder = await temporaryFolder();
    const generate = [join(import.meta.dirname, 'generate.ts'), folder.path, service.url];
    const { code, stderr } = await new Command(process.execPath, generate).ended;
    expect(code, stderr).to.equal(0);
    await cp(join(import.meta.dirname, 'programs'), join(folder.path, 'programs'), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    await writeFile(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  });

  after(async () => {
    await folder.remove();
    await service.stop();
  });

  it('compile under strict, with the programs that use them', async () => {
    const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder.path];
    const { stdout } = await new Command(process.execPath, tsc).ended;
    expect(stdout).to.equal('');
  });

  for (const surface of ['native', 'compat'] as const) {
    for (const generator of GENERATORS) {
      describe(`${generator}, ${surface}`, () => {
        it('records an event, upserts a profile and reads an error', async () => {
          const program = join(folder.path, 'js/programs', surface, `${generator}.js`);
          const { run } = await import(pathToFileURL(program).href);
          const { key } = await service.newKey();
          expect(await run(service.url, key)).to.deep.equal(OUTCOMES[surface]);
        });

        it('has the names that a person would give, and types for all that is not free-form', async () => {
          const source = await ownCode(join(folder.path, surface), generator);
          const names = Array.from(
            source.matchAll(/^export (?:type|interface|const|function|enum) (\w+)/gm),
            ([, name = '']) => name,
          );
          expect(names).not.to.be.empty;
          expect(names.filter((name) => UNNATURAL.some((pattern) => pattern.test(name)))).to.deep.equal([]);
          expect(source.match(/^.*[\w'"]\??: (?:any|unknown)\b.*$/gm)).to.equal(null);
          expect(source.match(/^.*(?<!Record|Array)<[^<>\n]*\b(?:any|unknown)\b.*$/gm)).to.equal(null);
        });
      });
    }
  }
});

/** What a generator made of the spec, without the code that it adds to every client. */
async function ownCode(folder: string, generator: (typeof GENERATORS)[number]): Promise<string> {
  if (generator === 'hey-api') {
    const files = ['types.gen.ts', 'sdk.gen.ts'].map((file) => readFile(join(folder, 'hey-api', file), 'utf8'));
    return (await Promise.all(files)).join('\n').replace(/^export type Options<.*?^};$/ms, '');
  }
  const source = await readFile(join(folder, `${generator}.ts`), 'utf8');
  return source.replace(/^export type QueryParamsType.*^export class Api</ms, '');
}
