import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Profile as ProfileBody } from '../../generated/native/types.gen.ts';
import { upsertProfile as upsert } from '../domain/profiles.ts';
import type { Profile } from '../domain/write/draft.ts';
import type { Recorder } from '../domain/write/recorder.ts';
import type { Handler } from '../http/handler.ts';
import { toIdentifiers } from './event.ts';

export function upsertProfile(recorder: Recorder): Handler<Operations, 'upsertProfile'> {
  return async ({ request, caller }) => {
    const { identifiers, attributes = {} } = request.body;
    const { profile, created } = await upsert(recorder, caller, {
      identifiers: toIdentifiers(identifiers),
      patch: { set: attributes },
    });
    return { status: created ? 201 : 200, body: toProfile(profile) };
  };
}

function toProfile(profile: Profile): ProfileBody {
  return {
    id: profile.id,
    identifiers: { email: profile.email, phone: profile.phone, external_id: profile.externalId },
    attributes: profile.attributes,
    created_at: profile.createdAt.toISOString(),
    updated_at: profile.updatedAt.toISOString(),
  };
}
