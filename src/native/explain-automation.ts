import type { Operations } from '../../generated/native/operations.gen.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';

export const explainAutomation: Handler<Operations, 'explainAutomation'> = async () => {
  throw new ServiceError('not_found', 'Not offered yet');
};
