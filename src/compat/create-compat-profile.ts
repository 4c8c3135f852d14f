import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Handler } from '../http/handler.ts';
import { toProfileChange } from './document/profile.ts';
import { type ProfileParts, saveProfile } from './save-profile.ts';

export function createCompatProfile(parts: ProfileParts): Handler<Operations, 'createCompatProfile'> {
  return async (call) => {
    const { document } = await saveProfile(parts, call, toProfileChange(call.request.body.data, call.caller));
    return { status: 201, body: document, isRepeatable: true };
  };
}
