import { AdditionEntity } from './addition.ts';
import { ApiKeyEntity } from './api-key.ts';
import { AttentionItemEntity } from './attention-item.ts';
import { AttributionEntity } from './attribution.ts';
import { AuditEntryEntity } from './audit-entry.ts';
import { AutomationEntity } from './automation.ts';
import { AutomationAudienceEntity } from './automation-audience.ts';
import { AutomationChainEntity } from './automation-chain.ts';
import { AutomationCountEntity } from './automation-count.ts';
import { AutomationCountNewEntity } from './automation-count-new.ts';
import { AutomationDateEntity } from './automation-date.ts';
import { AutomationDateFillEntity } from './automation-date-fill.ts';
import { AutomationEnrolmentEntity } from './automation-enrolment.ts';
import { AutomationHoldEntity } from './automation-hold.ts';
import { AutomationMemberFillEntity } from './automation-member-fill.ts';
import { AutomationOccurrenceEntity } from './automation-occurrence.ts';
import { AutomationRunEntity } from './automation-run.ts';
import { AutomationSkipEntity } from './automation-skip.ts';
import { AutomationStatusEntity } from './automation-status.ts';
import { AutomationStepEntity } from './automation-step.ts';
import { AutomationVersionEntity } from './automation-version.ts';
import { AutomationWatchEntity } from './automation-watch.ts';
import { BackgroundMigrationEntity } from './background-migration.ts';
import { CampaignEntity } from './campaign.ts';
import { CampaignCountEntity } from './campaign-count.ts';
import { CampaignLinkEntity } from './campaign-link.ts';
import { CatalogCategoryEntity } from './catalog-category.ts';
import { CatalogChangeEntity } from './catalog-change.ts';
import { CatalogCountEntity } from './catalog-count.ts';
import { CatalogFeedEntity } from './catalog-feed.ts';
import { CatalogFeedErrorEntity } from './catalog-feed-error.ts';
import { CatalogFeedPartEntity } from './catalog-feed-part.ts';
import { CatalogFeedRunEntity } from './catalog-feed-run.ts';
import { CatalogItemEntity } from './catalog-item.ts';
import { CatalogItemCategoryEntity } from './catalog-item-category.ts';
import { CatalogSubscriptionEntity } from './catalog-subscription.ts';
import { CatalogSyncEntity } from './catalog-sync.ts';
import { CatalogSyncItemEntity } from './catalog-sync-item.ts';
import { CatalogVariantEntity } from './catalog-variant.ts';
import { CatalogWordEntity } from './catalog-word.ts';
import { ConsentEntity } from './consent.ts';
import { ConsentChangeEntity } from './consent-change.ts';
import { ConsentListEntity } from './consent-list.ts';
import { CountedWebhookEntity } from './counted-webhook.ts';
import { CouponCodeEntity } from './coupon-code.ts';
import { CouponCountEntity } from './coupon-count.ts';
import { CouponCountNewEntity } from './coupon-count-new.ts';
import { CouponPoolEntity } from './coupon-pool.ts';
import { CouponPoolDeletionEntity } from './coupon-pool-deletion.ts';
import { CustomerImportEntity } from './customer-import.ts';
import { CustomerImportPartEntity } from './customer-import-part.ts';
import { CustomerValueEntity } from './customer-value.ts';
import { DrawnKeyEntity } from './drawn-key.ts';
import { ErasureEntity } from './erasure.ts';
import { ErasureGapEntity } from './erasure-gap.ts';
import { EventEntity } from './event.ts';
import { EventCountNewEntity } from './event-count-new.ts';
import { EventDayEntity } from './event-day.ts';
import { FeedHeadEntity } from './feed-head.ts';
import { FeedReaderEntity } from './feed-reader.ts';
import { FeedbackEntity } from './feedback.ts';
import { HookProofEntity } from './hook-proof.ts';
import { IdempotencyKeyEntity } from './idempotency-key.ts';
import { IdentifierCheckEntity } from './identifier-check.ts';
import { IdentifierSplitEntity } from './identifier-split.ts';
import { IdentityProviderEntity } from './identity-provider.ts';
import { ImageEntity } from './image.ts';
import { ImportChunkEntity } from './import-chunk.ts';
import { ImportErrorEntity } from './import-error.ts';
import { ImportJobEntity } from './import-job.ts';
import { ImportProfileEntity } from './import-profile.ts';
import { InvitationEntity } from './invitation.ts';
import { ItemActivityEntity } from './item-activity.ts';
import { ItemDayEntity } from './item-day.ts';
import { KeptAnswerEntity } from './kept-answer.ts';
import { ListEntity } from './list.ts';
import { ListConfirmationEntity } from './list-confirmation.ts';
import { ListDeletionEntity } from './list-deletion.ts';
import { ListMemberEntity } from './list-member.ts';
import { MembershipEntity } from './membership.ts';
import { MessageEntity } from './message.ts';
import { MessageHitEntity } from './message-hit.ts';
import { MessageSettingsEntity } from './message-settings.ts';
import { MessageTouchEntity } from './message-touch.ts';
import { NotificationEntity } from './notification.ts';
import { NotificationSettingsEntity } from './notification-settings.ts';
import { OrderNoteEntity } from './order-note.ts';
import { OrderQuarterEntity } from './order-quarter.ts';
import { OrderSettingsEntity } from './order-settings.ts';
import { OutboxMessageEntity } from './outbox-message.ts';
import { PasswordResetEntity } from './password-reset.ts';
import { PersonEntity } from './person.ts';
import { PersonIdentityEntity } from './person-identity.ts';
import { PersonSessionEntity } from './person-session.ts';
import { ProfileEntity } from './profile.ts';
import { ProfileAliasEntity } from './profile-alias.ts';
import { ProfileChangeEntity } from './profile-change.ts';
import { ProfileHistoryEntity } from './profile-history.ts';
import { ProfileIdentifierEntity } from './profile-identifier.ts';
import { ProfileMergeEntity } from './profile-merge.ts';
import { ProfileNoteEntity } from './profile-note.ts';
import { ProfileUpdateEntity } from './profile-update.ts';
import { ProviderSignInEntity } from './provider-sign-in.ts';
import { RecommendationEntity } from './recommendation.ts';
import { RecoveryCodeEntity } from './recovery-code.ts';
import { RejectionEntity } from './rejection.ts';
import { RfmSegmentEntity } from './rfm-segment.ts';
import { SecondFactorEntity } from './second-factor.ts';
import { SegmentEntity } from './segment.ts';
import { SegmentBuildEntity } from './segment-build.ts';
import { SegmentChangeEntity } from './segment-change.ts';
import { SegmentDayEntity } from './segment-day.ts';
import { SegmentDueEntity } from './segment-due.ts';
import { SegmentLeftoverEntity } from './segment-leftover.ts';
import { SegmentMemberEntity } from './segment-member.ts';
import { SegmentPostponedEntity } from './segment-postponed.ts';
import { SegmentSetAsideEntity } from './segment-set-aside.ts';
import { SegmentStoreEntity } from './segment-store.ts';
import { SenderEntity } from './sender.ts';
import { SignInFailureEntity } from './sign-in-failure.ts';
import { SoftBounceEntity } from './soft-bounce.ts';
import { StoreEntity } from './store.ts';
import { StoreOrderEntity } from './store-order.ts';
import { SuppressedAddressEntity } from './suppressed-address.ts';
import { SuppressedIdentifierEntity } from './suppressed-identifier.ts';
import { SuppressionKeyEntity } from './suppression-key.ts';
import { TemplateEntity } from './template.ts';
import { TemplateVersionEntity } from './template-version.ts';
import { WebhookAttemptEntity } from './webhook-attempt.ts';
import { WebhookDeliveryEntity } from './webhook-delivery.ts';
import { WebhookEndpointEntity } from './webhook-endpoint.ts';

/** All tables of ours. */
export const ENTITIES = [
  StoreEntity,
  BackgroundMigrationEntity,
  DrawnKeyEntity,
  ApiKeyEntity,
  ProfileEntity,
  ProfileHistoryEntity,
  ProfileNoteEntity,
  ProfileIdentifierEntity,
  ProfileUpdateEntity,
  IdentifierCheckEntity,
  IdentifierSplitEntity,
  IdentityProviderEntity,
  ProfileAliasEntity,
  ProfileMergeEntity,
  ErasureEntity,
  SuppressedIdentifierEntity,
  SuppressionKeyEntity,
  EventEntity,
  IdempotencyKeyEntity,
  KeptAnswerEntity,
  EventDayEntity,
  EventCountNewEntity,
  AdditionEntity,
  FeedHeadEntity,
  FeedReaderEntity,
  RejectionEntity,
  ImportJobEntity,
  ImageEntity,
  ItemActivityEntity,
  ItemDayEntity,
  RecommendationEntity,
  CouponPoolEntity,
  CountedWebhookEntity,
  CouponCodeEntity,
  CouponCountNewEntity,
  CouponCountEntity,
  CouponPoolDeletionEntity,
  ImportChunkEntity,
  ImportErrorEntity,
  ImportProfileEntity,
  ConsentEntity,
  ConsentListEntity,
  ConsentChangeEntity,
  ListEntity,
  ListMemberEntity,
  ListDeletionEntity,
  ListConfirmationEntity,
  AutomationEntity,
  AutomationVersionEntity,
  AutomationStatusEntity,
  AutomationWatchEntity,
  ProfileChangeEntity,
  AutomationEnrolmentEntity,
  AutomationRunEntity,
  AutomationStepEntity,
  AutomationSkipEntity,
  AutomationDateEntity,
  AutomationDateFillEntity,
  AutomationMemberFillEntity,
  AutomationAudienceEntity,
  AutomationOccurrenceEntity,
  AutomationCountNewEntity,
  AutomationCountEntity,
  AutomationHoldEntity,
  ErasureGapEntity,
  AutomationChainEntity,
  CustomerImportEntity,
  CustomerImportPartEntity,
  WebhookEndpointEntity,
  WebhookDeliveryEntity,
  WebhookAttemptEntity,
  MessageEntity,
  CampaignEntity,
  CampaignCountEntity,
  CampaignLinkEntity,
  MessageHitEntity,
  MessageTouchEntity,
  AttributionEntity,
  AuditEntryEntity,
  OrderSettingsEntity,
  OrderNoteEntity,
  StoreOrderEntity,
  OrderQuarterEntity,
  CustomerValueEntity,
  OutboxMessageEntity,
  SuppressedAddressEntity,
  FeedbackEntity,
  HookProofEntity,
  SoftBounceEntity,
  TemplateEntity,
  TemplateVersionEntity,
  SenderEntity,
  MessageSettingsEntity,
  CatalogItemEntity,
  CatalogVariantEntity,
  CatalogWordEntity,
  CatalogCategoryEntity,
  CatalogItemCategoryEntity,
  CatalogChangeEntity,
  CatalogCountEntity,
  CatalogFeedEntity,
  CatalogFeedRunEntity,
  CatalogFeedErrorEntity,
  CatalogFeedPartEntity,
  CatalogSubscriptionEntity,
  CatalogSyncEntity,
  CatalogSyncItemEntity,
  SegmentEntity,
  SegmentBuildEntity,
  SegmentMemberEntity,
  SegmentChangeEntity,
  SegmentDayEntity,
  SegmentDueEntity,
  SegmentPostponedEntity,
  SegmentLeftoverEntity,
  SegmentSetAsideEntity,
  SegmentStoreEntity,
  RfmSegmentEntity,
  PersonEntity,
  PersonIdentityEntity,
  ProviderSignInEntity,
  MembershipEntity,
  InvitationEntity,
  PersonSessionEntity,
  SecondFactorEntity,
  RecoveryCodeEntity,
  PasswordResetEntity,
  SignInFailureEntity,
  NotificationSettingsEntity,
  AttentionItemEntity,
  NotificationEntity,
];
