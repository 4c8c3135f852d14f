import { type ComponentType, useState } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ApiProvider } from './api/client.tsx';
import { Acceptance, isAcceptance } from './session/acceptance.tsx';
import { endProviderSignIn } from './session/provider.tsx';
import { isReset, Reset } from './session/reset.tsx';
import { signOut, useSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Broken } from './shell/broken.tsx';
import { Shell } from './shell/shell.tsx';

const pages: RouteObject[] = [
  { index: true, lazy: page(() => import('./pages/home/home.tsx'), 'Home') },
  { path: 'events/:eventId?', lazy: page(() => import('./pages/events/events.tsx'), 'Events') },
  { path: 'event-types', lazy: page(() => import('./pages/event-types/event-types.tsx'), 'EventTypes') },
  { path: 'event-types/:eventType', lazy: page(() => import('./pages/event-types/event-type.tsx'), 'EventType') },
  { path: 'profiles', lazy: page(() => import('./pages/profiles/profiles.tsx'), 'Profiles') },
  { path: 'profiles/:profileId', lazy: page(() => import('./pages/profiles/profile.tsx'), 'Profile') },
  { path: 'lists', lazy: page(() => import('./pages/lists/lists.tsx'), 'Lists') },
  { path: 'lists/:listId', lazy: page(() => import('./pages/lists/list.tsx'), 'List') },
  { path: 'imports', lazy: page(() => import('./pages/imports/imports.tsx'), 'Imports') },
  { path: 'imports/new', lazy: page(() => import('./pages/imports/new-import.tsx'), 'NewImport') },
  { path: 'imports/:importId', lazy: page(() => import('./pages/imports/import.tsx'), 'Import') },
  { path: 'segments', lazy: page(() => import('./pages/segments/segments.tsx'), 'Segments') },
  { path: 'segments/new', lazy: page(() => import('./pages/segments/edit-segment.tsx'), 'EditSegment') },
  { path: 'segments/:segmentId', lazy: page(() => import('./pages/segments/segment.tsx'), 'Segment') },
  { path: 'segments/:segmentId/edit', lazy: page(() => import('./pages/segments/edit-segment.tsx'), 'EditSegment') },
  { path: 'automations', lazy: page(() => import('./pages/automations/automations.tsx'), 'Automations') },
  {
    path: 'automations/new',
    lazy: page(() => import('./pages/automations/editor/new-automation.tsx'), 'NewAutomation'),
  },
  { path: 'automations/:automationId', lazy: page(() => import('./pages/automations/automation.tsx'), 'Automation') },
  {
    path: 'automations/:automationId/edit',
    lazy: page(() => import('./pages/automations/editor/edit-automation.tsx'), 'EditAutomation'),
  },
  {
    path: 'automations/:automationId/runs/:runId',
    lazy: page(() => import('./pages/automations/runs/run.tsx'), 'Run'),
  },
  { path: 'campaigns', lazy: page(() => import('./pages/campaigns/campaigns.tsx'), 'Campaigns') },
  { path: 'campaigns/:campaignId', lazy: page(() => import('./pages/campaigns/campaign.tsx'), 'Campaign') },
  { path: 'catalog', lazy: page(() => import('./pages/catalog/items.tsx'), 'CatalogItems') },
  { path: 'catalog/:itemId', lazy: page(() => import('./pages/catalog/item.tsx'), 'CatalogItem') },
  { path: 'feeds', lazy: page(() => import('./pages/feeds/feeds.tsx'), 'Feeds') },
  { path: 'feeds/:feedId', lazy: page(() => import('./pages/feeds/feed.tsx'), 'Feed') },
  { path: 'feeds/:feedId/runs/:runId', lazy: page(() => import('./pages/feeds/run.tsx'), 'FeedRun') },
  { path: 'coupons', lazy: page(() => import('./pages/coupons/pools.tsx'), 'CouponPools') },
  { path: 'coupons/:poolId', lazy: page(() => import('./pages/coupons/pool.tsx'), 'CouponPool') },
  { path: 'orders', lazy: page(() => import('./pages/orders/orders.tsx'), 'Orders') },
  { path: 'orders/:orderId', lazy: page(() => import('./pages/orders/order.tsx'), 'Order') },
  { path: 'reports/funnel', lazy: page(() => import('./pages/reports/funnel/funnel.tsx'), 'Funnel') },
  { path: 'reports/customers', lazy: page(() => import('./pages/reports/customers.tsx'), 'Customers') },
  { path: 'reports/cohorts', lazy: page(() => import('./pages/reports/cohorts/cohorts.tsx'), 'Cohorts') },
  { path: 'messages', lazy: page(() => import('./pages/messages/messages.tsx'), 'Messages') },
  { path: 'messages/:messageId', lazy: page(() => import('./pages/messages/message.tsx'), 'Message') },
  { path: 'templates', lazy: page(() => import('./pages/templates/templates.tsx'), 'Templates') },
  { path: 'templates/:templateId', lazy: page(() => import('./pages/templates/template.tsx'), 'Template') },
  { path: 'senders', lazy: page(() => import('./pages/senders/senders.tsx'), 'Senders') },
  { path: 'senders/:senderId', lazy: page(() => import('./pages/senders/sender.tsx'), 'Sender') },
  { path: 'suppressions', lazy: page(() => import('./pages/suppressions/suppressions.tsx'), 'Suppressions') },
  { path: 'webhooks', lazy: page(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks') },
  { path: 'webhooks/:endpointId', lazy: page(() => import('./pages/webhooks/endpoint.tsx'), 'Endpoint') },
  {
    path: 'webhooks/:endpointId/deliveries/:deliveryId',
    lazy: page(() => import('./pages/webhooks/deliveries/delivery.tsx'), 'Delivery'),
  },
  { path: 'rejections', lazy: page(() => import('./pages/rejections/rejections.tsx'), 'Rejections') },
  { path: 'privacy', lazy: page(() => import('./pages/privacy/privacy.tsx'), 'Privacy') },
  { path: 'privacy/erasures/:erasureId', lazy: page(() => import('./pages/privacy/erasure.tsx'), 'Erasure') },
  { path: 'privacy/merges/:mergeId', lazy: page(() => import('./pages/privacy/merge.tsx'), 'Merge') },
  { path: 'settings/store', lazy: page(() => import('./pages/store-settings/store-settings.tsx'), 'StoreSettings') },
  { path: 'settings/orders', lazy: page(() => import('./pages/order-settings/order-settings.tsx'), 'OrderSettings') },
  { path: 'settings/people', lazy: page(() => import('./pages/people/people.tsx'), 'People') },
  {
    path: 'settings/notifications',
    lazy: page(() => import('./pages/notifications/notifications.tsx'), 'Notifications'),
  },
  { path: 'settings/hold', lazy: page(() => import('./pages/store-hold/store-hold.tsx'), 'StoreHold') },
  { path: 'settings/audit-log', lazy: page(() => import('./pages/audit-log/audit-log.tsx'), 'AuditLog') },
  { path: 'settings/system', lazy: page(() => import('./pages/system/system.tsx'), 'System') },
  { path: 'settings/account', lazy: page(() => import('./pages/account/account.tsx'), 'Account') },
  { path: 'settings/api-keys', lazy: page(() => import('./pages/api-keys/api-keys.tsx'), 'ApiKeys') },
  { path: 'settings', element: <Navigate to="/settings/api-keys" replace /> },
  // Of whoever is signed in already.
  { path: 'sign-in', element: <Navigate to="/" replace /> },
  { path: '*', lazy: page(() => import('./pages/not-found.tsx'), 'NotFound') },
];

// Before the page is looked for.
endProviderSignIn();
const router = createBrowserRouter(
  [{ Component: Shell, ErrorBoundary: Broken, children: [{ ErrorBoundary: Broken, children: pages }] }],
  { basename: '/dashboard' },
);

/** The code of a page is fetched when it is first opened. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return { Component: async () => (await load())[name] };
}

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
