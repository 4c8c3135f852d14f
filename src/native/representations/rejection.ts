import type { Rejection } from '../../../generated/native/types.gen.ts';
import type { NamedRejection } from '../../domain/reading/rejections.ts';

export function renderRejection({ keyId, keyName, requestId, rejectedAt, ...rejection }: NamedRejection): Rejection {
  return {
    id: rejection.id,
    rejected_at: rejectedAt.toISOString(),
    request_id: requestId,
    operation: rejection.operation,
    key: { id: keyId, name: keyName },
    status: rejection.status,
    code: rejection.code,
    field: rejection.field,
    message: rejection.message,
  };
}
