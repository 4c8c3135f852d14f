import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ApiProvider } from './api/client.tsx';
import { useSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Broken } from './shell/broken.tsx';
import { PageLoading, Shell } from './shell/shell.tsx';

/** The pages, each in a file of its own that is loaded when it is first opened. */
const pages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./pages/overview/overview.tsx')).Overview }) },
  {
    path: 'events/:eventId?',
    lazy: async () => ({ Component: (await import('./pages/events/events.tsx')).Events }),
  },
  { path: 'profiles', lazy: async () => ({ Component: (await import('./pages/profiles/profiles.tsx')).Profiles }) },
  {
    path: 'profiles/:profileId',
    lazy: async () => ({ Component: (await import('./pages/profiles/profile.tsx')).Profile }),
  },
  {
    path: 'rejections',
    lazy: async () => ({ Component: (await import('./pages/rejections/rejections.tsx')).Rejections }),
  },
  {
    path: 'settings/api-keys',
    lazy: async () => ({ Component: (await import('./pages/api-keys/api-keys.tsx')).ApiKeys }),
  },
  { path: 'settings', element: <Navigate to="/settings/api-keys" replace /> },
  { path: '*', lazy: async () => ({ Component: (await import('./pages/not-found.tsx')).NotFound }) },
];

const router = createBrowserRouter(
  [
    {
      Component: Shell,
      HydrateFallback: PageLoading,
      ErrorBoundary: Broken,
      children: [{ ErrorBoundary: Broken, children: pages }],
    },
  ],
  { basename: '/dashboard' },
);

export function App() {
  const { apiKey, reason } = useSession();
  if (apiKey === undefined) return <SignIn reason={reason} />;
  return (
    <ApiProvider key={apiKey} apiKey={apiKey}>
      <RouterProvider router={router} />
    </ApiProvider>
  );
}
