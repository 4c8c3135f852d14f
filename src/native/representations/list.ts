import type {
  List as ListBody,
  ListMember,
  ListOfProfile as ListOfProfileBody,
} from '../../../generated/native/types.gen.ts';
import type { List } from '../../domain/lists/lists.ts';
import type { ListOfProfile, Member, Membership } from '../../domain/lists/read-members.ts';

export function renderList({ members, ...list }: List): ListBody {
  return {
    id: list.id,
    name: list.name,
    source_id: list.sourceId,
    topic: list.topic,
    public_name: list.publicName,
    opt_in: list.isDoubleOptIn ? 'double' : 'single',
    confirmation_template_id: list.confirmationTemplateId,
    member_count: members,
    members,
    created_at: list.createdAt.toISOString(),
    updated_at: list.updatedAt.toISOString(),
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
