import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { needPrograms } from '../support/need-programs.ts';
import { Command, temporaryFolder } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const FOLDER = join(import.meta.dirname, '../../src/docs/guides');
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT.*Z$/;

describe('The guides', () => {
  let service: TestService;
  let curl: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async function () {
    needPrograms(this, 'curl');
    service = await TestService.start();
    curl = await temporaryFolder();
    // A status of 400 or more fails the command.
    await writeFile(join(curl.path, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  });
  after(async () => {
    await curl?.remove();
    await service?.stop();
  });

  for (const file of readdirSync(FOLDER)) {
    it(`do what ${file} shows, in its order`, async () => {
      const { key } = await service.newKey();
      const client = new Client(service.url, key);
      const env = { FOOTFALL: service.url, KEY: key, CURL_HOME: curl.path, TMPDIR: curl.path };
      let output = '';
      for (const { language, code } of blocksOf(file)) {
        if (language === 'sh') output = await succeed(code, env);
        if (language === 'json') expect(comparable(JSON.parse(output))).to.deep.equal(comparable(JSON.parse(code)));
        if (language === 'http') await exchange(client, code);
      }
    });
  }
});

function blocksOf(file: string): { language: string; code: string }[] {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)\n(.*?)^```$/gms), ([, language = '', code = '']) => ({ language, code }));
}

/** What a shell prints that runs this. */
async function succeed(code: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { code: exit, stdout, stderr } = await new Command('sh', ['-ec', code], env).ended;
  expect(exit, `${code}\n${stdout}${stderr}`).to.equal(0);
  return stdout;
}

/** Sends a request that is written as `POST /path`, body, empty line, status, body, and expects that answer. */
async function exchange(client: Client, code: string): Promise<void> {
  const [, path, request, status, answer] = /^POST (\S+)\n(.*?)\n\n(\d+)\n(.*)$/s.exec(code) as unknown as string[];
  const { body } = await client.post(path as string, JSON.parse(request as string), { expect: Number(status) });
  expect(comparable(body)).to.deep.equal(comparable(JSON.parse(answer as string)));
}

/** The same, but for what is another each time: ids, and times that the service gave. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
  }
  if (typeof value !== 'string') return value;
  return TIME.test(value) ? value.replaceAll(/\d/g, '0') : value.replaceAll(UUID, 'an id');
}
