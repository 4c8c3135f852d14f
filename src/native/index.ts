import { join } from 'node:path';
import type { Operations } from '../../generated/native/operations.gen.ts';
import { ServiceError, STATUS } from '../domain/errors.ts';
import type { Recorder } from '../domain/write/recorder.ts';
import { bindContract } from '../http/contract.ts';
import type { Handlers } from '../http/handler.ts';
import type { Surface } from '../http/surface.ts';
import { createEvent } from './create-event.ts';
import { createEventsBulk } from './create-events-bulk.ts';
import { renderError } from './errors.ts';
import { upsertProfile } from './upsert-profile.ts';

const SPEC = join(import.meta.dirname, '../../openapi/native.yaml');

/** The native surface: flat JSON under `/v1`. */
export async function nativeSurface(recorder: Recorder): Promise<Surface> {
  const handlers: Handlers<Operations> = {
    createEvent: createEvent(recorder),
    createEventsBulk: createEventsBulk(recorder),
    upsertProfile: upsertProfile(recorder),
  };
  return {
    name: 'native',
    prefix: '/v1',
    schemes: new Set(['bearer']),
    operations: await bindContract(SPEC, handlers),
    bodyTypes: ['application/json'],
    responseType: () => 'application/json',
    route: (path) => path,
    notFound: (method) => new ServiceError('not_found', `There is no ${method} operation at this path`),
    statusOf: (code) => STATUS[code],
    renderError,
  };
}
