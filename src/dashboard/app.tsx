import { useState } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ApiProvider } from './api/client.tsx';
import { Account } from './pages/account/account.tsx';
import { ApiKeys } from './pages/api-keys/api-keys.tsx';
import { Automation } from './pages/automations/automation.tsx';
import { Automations } from './pages/automations/automations.tsx';
import { EditAutomation } from './pages/automations/editor/edit-automation.tsx';
import { NewAutomation } from './pages/automations/editor/new-automation.tsx';
import { Run } from './pages/automations/runs/run.tsx';
import { Campaign } from './pages/campaigns/campaign.tsx';
import { Campaigns } from './pages/campaigns/campaigns.tsx';
import { CatalogItem } from './pages/catalog/item.tsx';
import { CatalogItems } from './pages/catalog/items.tsx';
import { CouponPool } from './pages/coupons/pool.tsx';
import { CouponPools } from './pages/coupons/pools.tsx';
import { EventType } from './pages/event-types/event-type.tsx';
import { EventTypes } from './pages/event-types/event-types.tsx';
import { Events } from './pages/events/events.tsx';
import { Feed } from './pages/feeds/feed.tsx';
import { Feeds } from './pages/feeds/feeds.tsx';
import { FeedRun } from './pages/feeds/run.tsx';
import { Import } from './pages/imports/import.tsx';
import { Imports } from './pages/imports/imports.tsx';
import { NewImport } from './pages/imports/new-import.tsx';
import { List } from './pages/lists/list.tsx';
import { Lists } from './pages/lists/lists.tsx';
import { Message } from './pages/messages/message.tsx';
import { Messages } from './pages/messages/messages.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Orders } from './pages/orders/orders.tsx';
import { Overview } from './pages/overview/overview.tsx';
import { People } from './pages/people/people.tsx';
import { Erasure } from './pages/privacy/erasure.tsx';
import { Merge } from './pages/privacy/merge.tsx';
import { Privacy } from './pages/privacy/privacy.tsx';
import { Profile } from './pages/profiles/profile.tsx';
import { Profiles } from './pages/profiles/profiles.tsx';
import { Rejections } from './pages/rejections/rejections.tsx';
import { EditSegment } from './pages/segments/edit-segment.tsx';
import { Segment } from './pages/segments/segment.tsx';
import { Segments } from './pages/segments/segments.tsx';
import { Sender } from './pages/senders/sender.tsx';
import { Senders } from './pages/senders/senders.tsx';
import { StoreSettings } from './pages/store-settings/store-settings.tsx';
import { Suppressions } from './pages/suppressions/suppressions.tsx';
import { Template } from './pages/templates/template.tsx';
import { Templates } from './pages/templates/templates.tsx';
import { Delivery } from './pages/webhooks/deliveries/delivery.tsx';
import { Endpoint } from './pages/webhooks/endpoint.tsx';
import { Webhooks } from './pages/webhooks/webhooks.tsx';
import { Acceptance, isAcceptance } from './session/acceptance.tsx';
import { isReset, Reset } from './session/reset.tsx';
import { signOut, useSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Broken } from './shell/broken.tsx';
import { Shell } from './shell/shell.tsx';

const pages: RouteObject[] = [
  { index: true, Component: Overview },
  { path: 'events/:eventId?', Component: Events },
  { path: 'event-types', Component: EventTypes },
  { path: 'event-types/:eventType', Component: EventType },
  { path: 'profiles', Component: Profiles },
  { path: 'profiles/:profileId', Component: Profile },
  { path: 'lists', Component: Lists },
  { path: 'lists/:listId', Component: List },
  { path: 'imports', Component: Imports },
  { path: 'imports/new', Component: NewImport },
  { path: 'imports/:importId', Component: Import },
  { path: 'segments', Component: Segments },
  { path: 'segments/new', Component: EditSegment },
  { path: 'segments/:segmentId', Component: Segment },
  { path: 'segments/:segmentId/edit', Component: EditSegment },
  { path: 'automations', Component: Automations },
  { path: 'automations/new', Component: NewAutomation },
  { path: 'automations/:automationId', Component: Automation },
  { path: 'automations/:automationId/edit', Component: EditAutomation },
  { path: 'automations/:automationId/runs/:runId', Component: Run },
  { path: 'campaigns', Component: Campaigns },
  { path: 'campaigns/:campaignId', Component: Campaign },
  { path: 'catalog', Component: CatalogItems },
  { path: 'catalog/:itemId', Component: CatalogItem },
  { path: 'feeds', Component: Feeds },
  { path: 'feeds/:feedId', Component: Feed },
  { path: 'feeds/:feedId/runs/:runId', Component: FeedRun },
  { path: 'coupons', Component: CouponPools },
  { path: 'coupons/:poolId', Component: CouponPool },
  { path: 'orders', Component: Orders },
  { path: 'messages', Component: Messages },
  { path: 'messages/:messageId', Component: Message },
  { path: 'templates', Component: Templates },
  { path: 'templates/:templateId', Component: Template },
  { path: 'senders', Component: Senders },
  { path: 'senders/:senderId', Component: Sender },
  { path: 'suppressions', Component: Suppressions },
  { path: 'webhooks', Component: Webhooks },
  { path: 'webhooks/:endpointId', Component: Endpoint },
  { path: 'webhooks/:endpointId/deliveries/:deliveryId', Component: Delivery },
  { path: 'rejections', Component: Rejections },
  { path: 'privacy', Component: Privacy },
  { path: 'privacy/erasures/:erasureId', Component: Erasure },
  { path: 'privacy/merges/:mergeId', Component: Merge },
  { path: 'settings/store', Component: StoreSettings },
  { path: 'settings/people', Component: People },
  { path: 'settings/account', Component: Account },
  { path: 'settings/api-keys', Component: ApiKeys },
  { path: 'settings', element: <Navigate to="/settings/api-keys" replace /> },
  { path: '*', Component: NotFound },
];

const router = createBrowserRouter(
  [{ Component: Shell, ErrorBoundary: Broken, children: [{ ErrorBoundary: Broken, children: pages }] }],
  { basename: '/dashboard' },
);

export function App() {
  const { since, reason } = useSession();
  const [isAccepting, setIsAccepting] = useState(isAcceptance);
  const [isResetting, setIsResetting] = useState(isReset);
  if (isResetting) {
    return (
      <Reset
        onDone={() => {
          signOut('Your password is changed. Sign in with it.');
          setIsResetting(false);
        }}
      />
    );
  }
  if (isAccepting) return <Acceptance onDone={() => setIsAccepting(false)} />;
  if (since === undefined) return <SignIn reason={reason} />;
  return (
    <ApiProvider key={since}>
      <RouterProvider router={router} />
    </ApiProvider>
  );
}
