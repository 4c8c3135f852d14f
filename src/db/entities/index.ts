import { AdditionEntity } from './addition.ts';
import { ApiKeyEntity } from './api-key.ts';
import { ConsentEntity } from './consent.ts';
import { ConsentChangeEntity } from './consent-change.ts';
import { ConsentListEntity } from './consent-list.ts';
import { EventEntity } from './event.ts';
import { EventCountNewEntity } from './event-count-new.ts';
import { EventDayEntity } from './event-day.ts';
import { FeedHeadEntity } from './feed-head.ts';
import { FeedReaderEntity } from './feed-reader.ts';
import { IdempotencyKeyEntity } from './idempotency-key.ts';
import { ImportChunkEntity } from './import-chunk.ts';
import { ImportErrorEntity } from './import-error.ts';
import { ImportJobEntity } from './import-job.ts';
import { ImportProfileEntity } from './import-profile.ts';
import { ProfileEntity } from './profile.ts';
import { ProfileIdentifierEntity } from './profile-identifier.ts';
import { RejectionEntity } from './rejection.ts';
import { StoreEntity } from './store.ts';

/** All tables of ours. */
export const ENTITIES = [
  StoreEntity,
  ApiKeyEntity,
  ProfileEntity,
  ProfileIdentifierEntity,
  EventEntity,
  IdempotencyKeyEntity,
  EventDayEntity,
  EventCountNewEntity,
  AdditionEntity,
  FeedHeadEntity,
  FeedReaderEntity,
  RejectionEntity,
  ImportJobEntity,
  ImportChunkEntity,
  ImportErrorEntity,
  ImportProfileEntity,
  ConsentEntity,
  ConsentListEntity,
  ConsentChangeEntity,
];
