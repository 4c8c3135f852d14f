import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newSecret, signedHeaders } from '../../src/domain/webhooks/signing.ts';
import { temporaryFolder } from '../support/process.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../src/docs/guides/webhooks.md'), 'utf8');

/** How each language runs `verify` of the guide with the arguments, as JSON, of its first argument. */
const LANGUAGES: Record<
  string,
  { program: string; args: (file: string) => string[]; version: string; around: (code: string) => string }
> = {
  js: {
    program: process.execPath,
    version: '--version',
    args: (file) => [file],
    around: (code) => `${code}\nconsole.log(verify(...JSON.parse(process.argv[2])))`,
  },
  python: {
    program: 'python3',
    version: '--version',
    args: (file) => [file],
    around: (code) => `${code}\nimport json, sys\nprint(str(verify(*json.loads(sys.argv[1]))).lower())`,
  },
  php: {
    program: 'php',
    version: '--version',
    args: (file) => [file],
    around: (code) => `<?php\n${code}\necho verify(...json_decode($argv[1], true)) ? 'true' : 'false';`,
  },
  ruby: {
    program: 'ruby',
    version: '--version',
    args: (file) => [file],
    around: (code) => `${code}\nrequire 'json'\nputs verify(*JSON.parse(ARGV[0]))`,
  },
  go: {
    program: 'go',
    version: 'version',
    args: (file) => ['run', file],
    around: (code) =>
      `${code.replace('"time"', '"time"\n\t"encoding/json"\n\t"fmt"\n\t"os"')}
func main() {
	var raw []json.RawMessage
	var secret, body string
	var headers map[string]string
	json.Unmarshal([]byte(os.Args[1]), &raw)
	json.Unmarshal(raw[0], &secret)
	json.Unmarshal(raw[1], &headers)
	json.Unmarshal(raw[2], &body)
	fmt.Println(verify(secret, headers, body))
}`,
  },
};

describe('The programs of the guide to webhooks', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  for (const [language, { program, args, version, around }] of Object.entries(LANGUAGES)) {
    const name = `verify a delivery in ${language}, and refuse what is not one`;
    const isInstalled = spawnSync(program, [version]).status === 0;
    const run = () => {
      const [, code = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(GUIDE) ?? [];
      mkdirSync(join(folder.path, language));
      const file = join(folder.path, language, `verify.${language === 'js' ? 'mjs' : language}`);
      writeFileSync(file, around(code));
      const verify = (...given: unknown[]) => {
        const { stdout, stderr } = spawnSync(program, [...args(file), JSON.stringify(given)], { encoding: 'utf8' });
        return stdout.trim() || stderr;
      };
      const [old, secret, body] = [newSecret(), newSecret(), '{"type":"webhook.test","data":{"note":"Grüße"}}'];
      const sign = (at: number) => signedHeaders('01a1f852', new Date(at), Buffer.from(body), [secret, old]);
      const headers = sign(Date.now());
      expect(verify(secret, headers, body)).to.equal('true');
      expect(verify(old, headers, body)).to.equal('true');
      expect(verify(newSecret(), headers, body)).to.equal('false');
      expect(verify(secret, headers, `${body} `)).to.equal('false');
      expect(verify(secret, sign(Date.now() - 600_000), body)).to.equal('false');
    };
    // Without its interpreter a program is pending; CI installs those of the other guide.
    if (isInstalled || language === 'js') it(name, run).timeout(60_000);
    else if (language !== 'go') it(name);
  }
});
