import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Handler } from '../http/handler.ts';
import { toProfileChange } from './document/profile.ts';
import { type ProfileParts, saveProfile } from './save-profile.ts';

export function createOrUpdateCompatProfile(parts: ProfileParts): Handler<Operations, 'createOrUpdateCompatProfile'> {
  return async (call) => {
    const { document, created } = await saveProfile(parts, call, toProfileChange(call.request.body.data, call.caller));
    return { status: created ? 201 : 200, body: document, isRepeatable: true };
  };
}
