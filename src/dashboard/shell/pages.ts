import type { Icon } from '@primer/octicons-react';
import {
  BellIcon,
  CircleSlashIcon,
  FilterIcon,
  GearIcon,
  HistoryIcon,
  HomeIcon,
  IterationsIcon,
  KeyIcon,
  ListUnorderedIcon,
  LockIcon,
  MailIcon,
  MegaphoneIcon,
  MeterIcon,
  PackageDependentsIcon,
  PackageIcon,
  PaperAirplaneIcon,
  PauseIcon,
  PeopleIcon,
  PersonIcon,
  PulseIcon,
  RssIcon,
  ServerIcon,
  ShieldLockIcon,
  StopIcon,
  SyncIcon,
  TableIcon,
  TagIcon,
  TypographyIcon,
  UploadIcon,
  WebhookIcon,
  WorkflowIcon,
} from '@primer/octicons-react';
import { useAllows, useCaller } from '../session/current-caller.tsx';

/** A page that leads to others. */
export interface MainPage {
  to: string;
  label: string;
  Icon: Icon;
}

const PAGES = [
  { to: '/', label: 'Home', Icon: HomeIcon },
  { to: '/events', label: 'Events', Icon: PulseIcon },
];
const PROFILES = { to: '/profiles', label: 'Profiles', Icon: PeopleIcon };
const EVENT_TYPES = { to: '/event-types', label: 'Event types', Icon: MeterIcon };
const AUDIENCES = [
  { to: '/lists', label: 'Lists', Icon: ListUnorderedIcon },
  { to: '/segments', label: 'Segments', Icon: FilterIcon },
  { to: '/imports', label: 'Imports', Icon: UploadIcon },
];
const AUTOMATIONS = { to: '/automations', label: 'Automations', Icon: WorkflowIcon };
const CAMPAIGNS = { to: '/campaigns', label: 'Campaigns', Icon: MegaphoneIcon };
const ORDERS = { to: '/orders', label: 'Orders', Icon: PackageDependentsIcon };
const CATALOG = { to: '/catalog', label: 'Catalog', Icon: PackageIcon };
const FEEDS = { to: '/feeds', label: 'Feeds', Icon: RssIcon };
const COUPONS = { to: '/coupons', label: 'Coupons', Icon: TagIcon };
const MESSAGES = { to: '/messages', label: 'Messages', Icon: MailIcon };
const TEMPLATES = { to: '/templates', label: 'Templates', Icon: TypographyIcon };
const SENDERS = { to: '/senders', label: 'Senders', Icon: PaperAirplaneIcon };
const SUPPRESSIONS = { to: '/suppressions', label: 'Suppressions', Icon: CircleSlashIcon };
const WEBHOOKS = { to: '/webhooks', label: 'Webhooks', Icon: WebhookIcon };
const REJECTIONS = { to: '/rejections', label: 'Rejections', Icon: StopIcon };
const PRIVACY = { to: '/privacy', label: 'Privacy', Icon: ShieldLockIcon };
const REPORTS = [
  { to: '/reports/funnel', label: 'Funnel', Icon: IterationsIcon },
  { to: '/reports/customers', label: 'Customers', Icon: SyncIcon },
  { to: '/reports/cohorts', label: 'Cohorts', Icon: TableIcon },
];
const STORE = { to: '/settings/store', label: 'Store', Icon: GearIcon };
const ORDER_SETTINGS = { to: '/settings/orders', label: 'Order settings', Icon: GearIcon };
const PEOPLE = { to: '/settings/people', label: 'People', Icon: PersonIcon };
const NOTIFICATIONS = { to: '/settings/notifications', label: 'Notifications', Icon: BellIcon };
const ACCOUNT = { to: '/settings/account', label: 'Your account', Icon: LockIcon };
export const HOLD = { to: '/settings/hold', label: 'Pause everything', Icon: PauseIcon };
const AUDIT_LOG = { to: '/settings/audit-log', label: 'Audit log', Icon: HistoryIcon };
const SYSTEM = { to: '/settings/system', label: 'System', Icon: ServerIcon };
const API_KEYS = { to: '/settings/api-keys', label: 'API keys', Icon: KeyIcon };

/** The pages that who is signed in may see: those of the work, reports, and those of the settings. */
export function usePages(): { pages: MainPage[]; reports: MainPage[]; settings: MainPage[] } {
  const pages = [
    ...PAGES,
    ...(useAllows('reports:read') ? [EVENT_TYPES] : []),
    PROFILES,
    ...(useAllows('audiences:read') ? AUDIENCES : []),
    ...(useAllows('automations:read') ? [AUTOMATIONS] : []),
    ...(useAllows('messages:read') ? [CAMPAIGNS] : []),
    ...(useAllows('reports:read') ? [ORDERS] : []),
    ...(useAllows('catalog:read') ? [CATALOG, FEEDS, COUPONS] : []),
    ...(useAllows('messages:read', 'profiles:read') ? [MESSAGES] : []),
    ...(useAllows('messages:read') ? [TEMPLATES, SENDERS] : []),
    ...(useAllows('messages:read', 'profiles:read') ? [SUPPRESSIONS] : []),
    ...(useAllows('webhooks:manage') ? [WEBHOOKS] : []),
    ...(useAllows('privacy:manage') ? [PRIVACY] : []),
    REJECTIONS,
  ];
  const reports = useAllows('reports:read') ? REPORTS : [];
  const settings = [
    ...(useAllows('keys:manage') ? [STORE, ORDER_SETTINGS] : []),
    ...(useAllows('settings:manage') ? [PEOPLE, NOTIFICATIONS] : []),
    API_KEYS,
    ...(useAllows('automations:read') ? [HOLD] : []),
    ...(useAllows('settings:manage') ? [AUDIT_LOG] : []),
    SYSTEM,
    ...(useCaller()?.kind === 'person' ? [ACCOUNT] : []),
  ];
  return { pages, reports, settings };
}
