import type {
  List as ListBody,
  ListMember,
  ListOfProfile as ListOfProfileBody,
} from '../../../generated/native/types.gen.ts';
import type { List } from '../../domain/lists/lists.ts';
import type { ListOfProfile, Member, Membership } from '../../domain/lists/read-members.ts';

export function renderList({ id, name, sourceId, topic, publicName, members, createdAt, updatedAt }: List): ListBody {
  return {
    id,
    name,
    source_id: sourceId,
    topic,
    public_name: publicName,
    member_count: members,
    members,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function renderMember({ profileId, ...membership }: Member): ListMember {
  return { profile_id: profileId, ...renderMembership(membership) };
}

export function renderListOfProfile({ id, name, ...membership }: ListOfProfile): ListOfProfileBody {
  return { id, name, ...renderMembership(membership) };
}

function renderMembership({ joinedAt, how, source }: Membership) {
  return { joined_at: joinedAt.toISOString(), how, source };
}
