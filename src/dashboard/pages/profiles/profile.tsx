import { Alert, Anchor, Button, Code, DataList, Grid, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { FootfallError, type Profile as ProfileData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Json } from '../../components/copyable-code.tsx';
import { Item } from '../../components/item.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { Consent } from './consent.tsx';
import { CustomerCoupons } from './customer-coupons.tsx';
import { CustomerHistory } from './customer-history.tsx';
import { CustomerLists } from './customer-lists.tsx';
import { CustomerMessages } from './customer-messages.tsx';
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
              <Consent profile={profile} />
              {showsAudiences && (
                <>
                  <CustomerLists profileId={profile.id} />
                  <CustomerSegments profileId={profile.id} />
                </>
              )}
              {showsMessages && <CustomerMessages profile={profile} />}
              {showsCoupons && <CustomerCoupons profileId={profile.id} />}
              {showsRuns && <CustomerRuns profileId={profile.id} />}
              <Attributes profile={profile} />
              {showsPrivacy && <CustomerPrivacy profile={profile} />}
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Section title="Timeline">
                <Timeline profileId={profile.id} />
              </Section>
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

function Attributes({ profile: { id, attributes } }: { profile: ProfileData }) {
  const [showsHistory, setShowsHistory] = useState(false);
  return (
    <Section
      title="Attributes"
      mt="lg"
      actions={
        <Button size="xs" variant="default" onClick={() => setShowsHistory(true)}>
          What has changed
        </Button>
      }
    >
      {Object.keys(attributes).length === 0 ? (
        <Text c="dimmed">None are recorded.</Text>
      ) : (
        <Json value={attributes} label="All attributes" />
      )}
      {showsHistory && <CustomerHistory profileId={id} onClose={() => setShowsHistory(false)} />}
    </Section>
  );
}
