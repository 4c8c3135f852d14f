import type { Icon } from '@primer/octicons-react';
import {
  CircleSlashIcon,
  FilterIcon,
  GearIcon,
  GraphIcon,
  HistoryIcon,
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
  ShieldLockIcon,
  StopIcon,
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
  { to: '/', label: 'Overview', Icon: GraphIcon },
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
const STORE = { to: '/settings/store', label: 'Store', Icon: GearIcon };
const ORDER_SETTINGS = { to: '/settings/orders', label: 'Order settings', Icon: GearIcon };
const PEOPLE = { to: '/settings/people', label: 'People', Icon: PersonIcon };
const ACCOUNT = { to: '/settings/account', label: 'Your account', Icon: LockIcon };
export const HOLD = { to: '/settings/hold', label: 'Pause everything', Icon: PauseIcon };
const AUDIT_LOG = { to: '/settings/audit-log', label: 'Audit log', Icon: HistoryIcon };
const API_KEYS = { to: '/settings/api-keys', label: 'API keys', Icon: KeyIcon };

/** The pages that who is signed in may see: those of the work, and those of the settings. */
export function usePages(): { pages: MainPage[]; settings: MainPage[] } {
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
  const settings = [
    ...(useAllows('keys:manage') ? [STORE, ORDER_SETTINGS] : []),
    ...(useAllows('settings:manage') ? [PEOPLE] : []),
    API_KEYS,
    ...(useAllows('automations:read') ? [HOLD] : []),
    ...(useAllows('settings:manage') ? [AUDIT_LOG] : []),
    ...(useCaller()?.kind === 'person' ? [ACCOUNT] : []),
  ];
  return { pages, settings };
}
