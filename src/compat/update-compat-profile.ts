import type { Operations } from '../../generated/compat/operations.gen.ts';
import { invalid, ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { toProfileChange } from './document/profile.ts';
import { present } from './document/text.ts';
import { type ProfileParts, saveProfile } from './save-profile.ts';

export function updateCompatProfile(parts: ProfileParts): Handler<Operations, 'updateCompatProfile'> {
  return async (call) => {
    const { id } = call.request.path;
    const { data } = call.request.body;
    if (present(data.id) && !isSame(data.id, id)) {
      throw invalid({ path: ['data', 'id'], problem: 'must be the id in the path' });
    }
    if (!present(id) || id.includes('\0')) throw noSuchProfile();
    const { document } = await saveProfile(parts, call, toProfileChange({ ...data, id }, call.caller)).catch(
      asNotFound,
    );
    return { status: 200, body: document, isRepeatable: true };
  };
}

/** Only the ids of this service have no upper and lower case. */
function isSame(id: string, other: string): boolean {
  return id === other || (isId(id) && id.toLowerCase() === other.toLowerCase());
}

/** The id is the path's: if no profile has it, that is what does not exist. */
function asNotFound(error: unknown): never {
  const isUnknown = error instanceof ServiceError && error.violations[0]?.path.join('.') === 'data.id';
  throw isUnknown ? noSuchProfile() : error;
}

export function noSuchProfile(): ServiceError {
  return new ServiceError('not_found', 'There is no such profile');
}
