import type { Operations } from '../../generated/native/operations.gen.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';

export const listProfileRuns: Handler<Operations, 'listProfileRuns'> = async () => {
  throw new ServiceError('not_found', 'Not offered yet');
};
