import { openAddressDigest } from '../domain/messages/address-digest.ts';
import { SettingsCache } from '../domain/messages/sending/sender-settings.ts';
import { type MessageTools, SenderTurn } from '../domain/messages/sending/sender-turn.ts';
import type { Passed } from '../domain/messages/sending/claim.ts';
import { Secrets } from '../domain/secrets/secrets.ts';
import { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { claimTurns, Slots } from '../engine/slots.ts';
import { SmtpHandOver } from '../outbound/smtp/hand-over.ts';
import type { MessagesSetup } from './messages.ts';

/** To each server. */
const CONNECTIONS = 4;
