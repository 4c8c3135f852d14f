import { Alert, Anchor, Code, DataList, Grid } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { FootfallError, type Profile as ProfileData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { Attributes } from './attributes.tsx';
import { Consent } from './consent.tsx';
import { CustomerCoupons } from './customer-coupons.tsx';
import { CustomerLists } from './customer-lists.tsx';
import { CustomerMessages } from './customer-messages.tsx';
import { CustomerNotes } from './customer-notes.tsx';
import { CustomerOrders } from './customer-orders.tsx';
import { CustomerPrivacy } from './customer-privacy.tsx';
import { CustomerRuns } from './customer-runs.tsx';
import { CustomerSegments } from './customer-segments.tsx';
import { KnownSince } from './known-since.tsx';
import { nameOf } from './name-of.ts';
import { Timeline } from './timeline.tsx';

/** A customer: who they are, what is known of them, and what they did. */
export function Profile() {
  const { profileId = '' } = useParams();
  const showsRuns = useAllows('automations:read', 'events:read', 'profiles:read');
  const showsOrders = useAllows('events:read', 'profiles:read');
  const showsAudiences = useAllows('audiences:read');
  const showsMessages = useAllows('messages:read', 'profiles:read');
  const showsCoupons = useAllows('catalog:write', 'catalog:read', 'profiles:read');
  const showsPrivacy = useAllows('privacy:manage', 'profiles:read');
  const query = useOperation('getProfile', { id: profileId });

  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Profile">
        <Empty
          title="Customer not found"
          action={
            <Anchor component={Link} to="/profiles">
              Find another customer
            </Anchor>
          }
        />
      </Page>
    );
  }
  return (
    <Page title={query.data ? nameOf(query.data) : 'Profile'} description="A customer of the store.">
      <Loaded query={query}>
        {(profile) => (
          <Grid gap="lg">
            {profile.merged_from && (
              <Grid.Col span={12}>
                <Alert color="gray" role="status">
                  Another customer, with the id <Code>{profile.merged_from}</Code>, was merged into this one.
                </Alert>
              </Grid.Col>
            )}
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Identifiers profile={profile} />
              {showsOrders && <CustomerOrders profileId={profile.id} />}
              <Consent profile={profile} />
              {showsAudiences && (
                <>
                  <CustomerLists profileId={profile.id} />
                  <CustomerSegments profileId={profile.id} />
                </>
              )}
              {showsMessages && <CustomerMessages profile={profile} />}
              {showsCoupons && <CustomerCoupons profileId={profile.id} />}
              {showsRuns && <CustomerRuns profile={profile} />}
              <Attributes profile={profile} />
              <CustomerNotes profileId={profile.id} />
              {showsPrivacy && <CustomerPrivacy profile={profile} />}
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Timeline profileId={profile.id} />
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}

function Identifiers({ profile }: { profile: ProfileData }) {
  const { id, identifiers, updated_at } = profile;
  return (
    <Section title="Identifiers">
      <DataList>
        <Item label="E-mail">{identifiers.email ?? '–'}</Item>
        <Item label="Phone">{identifiers.phone ?? '–'}</Item>
        <Item label="External id">{identifiers.external_id ?? '–'}</Item>
        {identifiers.source_id && <Item label="Id in the previous system">{identifiers.source_id}</Item>}
        <Item label="Profile id">
          <Code>{id}</Code>
        </Item>
        <Item label="Known since">
          <KnownSince profile={profile} />
        </Item>
        <Item label="Last changed">
          <Time value={updated_at} />
        </Item>
      </DataList>
    </Section>
  );
}
