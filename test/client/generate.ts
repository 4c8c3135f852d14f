/**
 * Generates clients of both specs as integrators would: `generate.ts <folder> <base URL>` writes
 * `<folder>/<surface>/<generator>.ts`, or a folder of that name.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { generateSource } from 'oazapfts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { generateApi } from 'swagger-typescript-api';

const [folder = '', baseUrl = ''] = process.argv.slice(2);

for (const surface of ['native', 'compat'] as const) {
  const spec = join(import.meta.dirname, '../../openapi', `${surface}.yaml`);
  const target = (name: string) => join(folder, surface, name);
  await mkdir(join(folder, surface), { recursive: true });
  await createClient({
    input: spec,
    output: { path: target('hey-api'), importFileExtension: '.ts' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  await createClient({
    input: spec,
    output: { path: target('zod'), importFileExtension: '.ts' },
    plugins: ['@hey-api/typescript', 'zod'],
    logs: { level: 'silent', file: false },
  });
  await writeFile(target('openapi-typescript.ts'), astToString(await openapiTypescript(pathToFileURL(spec))));
  await writeFile(target('oazapfts.ts'), await generateSource(spec));
  await generateApi({
    input: spec,
    output: join(folder, surface),
    fileName: 'swagger-typescript-api.ts',
    silent: true,
  });
  await generate({ input: spec, output: { target: target('orval.ts'), client: 'fetch', baseUrl } });
}
