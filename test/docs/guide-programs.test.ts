import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { Command, temporaryFolder } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../src/docs/guides/migrating.md'), 'utf8');
const [SECTION = ''] = /^### Without an SDK\n.*?(?=^##)/ms.exec(GUIDE) ?? [];
const INTERPRETERS = { python: 'python3', php: 'php', ruby: 'ruby' };

describe('The programs of the guide to migration', () => {
  let service: TestService;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    service = await TestService.start();
    folder = await temporaryFolder();
  });
  after(async () => {
    await folder.remove();
    await service.stop();
  });

  for (const [language, interpreter] of Object.entries(INTERPRETERS)) {
    const isInstalled = spawnSync(interpreter, ['--version']).status === 0;
    const name = `send an event and an import in ${language}`;
    const run = async () => {
      const { key } = await service.newKey();
      const [, code = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(SECTION) ?? [];
      const file = join(folder.path, `program.${language}`);
      await writeFile(file, code);
      const { stdout, stderr } = await new Command(interpreter, [file], { FOOTFALL: service.url, KEY: key }).ended;
      expect(stdout, stderr).to.equal('202\n202\n');
      const { body } = await new Client(service.url, key).get('/v1/events', { expect: 200 });
      expect(body.events.map((event: { event_type: string }) => event.event_type)).to.deep.equal(['placed_order']);
    };
    // Without its interpreter a program is pending; CI installs all of them.
    if (isInstalled) it(name, run);
    else it(name);
  }
});
