import { join } from 'node:path';
import type { Operations } from '../../generated/native/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import type { StoreData } from '../db/store-data.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import type { AuditLog } from '../domain/audit/audit-log.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import type { FeedTools } from '../domain/catalog/feeds/url.ts';
import type { OnJob } from '../domain/imports/bulk/jobs.ts';
import type { MakingTools } from '../domain/messages/sending/make-mails.ts';
import { ReadyTemplates } from '../domain/messages/sending/ready-templates.ts';
import { ExportSlots, OF_AUDIT_LOGS } from '../domain/profile-exports/slots.ts';
import type { FindReplay } from '../domain/record-event.ts';
import { ReportSlots } from '../domain/reports/slots.ts';
import { PreviewSlots } from '../domain/segments/preview-slots.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Send } from '../domain/webhooks/deliveries/attempt.ts';
import type { SecretsOfEndpoints } from '../domain/webhooks/endpoints/sealed-secrets.ts';
import type { UrlRules } from '../domain/webhooks/endpoints/url.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import { bindContract, sharedContract } from '../http/bind-contract.ts';
import type { Handlers } from '../http/handler.ts';
import type { RateLimitUses } from '../http/rate-limit.ts';
import type { Reader } from '../http/read-from-replica.ts';
import { STATUS_OF_CODE } from '../http/status.ts';
import type { Surface } from '../http/surface.ts';
import type { LiveStreams } from '../streams/live-streams.ts';
import { addCouponCodes } from './add-coupon-codes.ts';
import { addListMembers } from './add-list-members.ts';
import { archiveTemplate } from './archive-template.ts';
import { assignCoupon } from './assign-coupon.ts';
import { cancelImport } from './cancel-import.ts';
import { cancelMessage } from './cancel-message.ts';
import { checkCampaign } from './check-campaign.ts';
import { checkSender } from './check-sender.ts';
import { completeCatalogSync } from './complete-catalog-sync.ts';
import { confirmCatalogFeedRun } from './confirm-catalog-feed-run.ts';
import { convertTemplate } from './convert-template.ts';
import { copyCampaign } from './copy-campaign.ts';
import { createApiKey } from './create-api-key.ts';
import { createAutomation } from './create-automation.ts';
import { createCampaign } from './create-campaign.ts';
import { createCatalogFeed } from './create-catalog-feed.ts';
import { createCatalogSubscription } from './create-catalog-subscription.ts';
import { createCouponPool } from './create-coupon-pool.ts';
import { createErasure } from './create-erasure.ts';
import { createEvent } from './create-event.ts';
import { createEventsBulk } from './create-events-bulk.ts';
import { createImage } from './create-image.ts';
import { createImport } from './create-import.ts';
import { createInvitation } from './create-invitation.ts';
import { createList } from './create-list.ts';
import { createProfileNote } from './create-profile-note.ts';
import { createSegment } from './create-segment.ts';
import { createSender } from './create-sender.ts';
import { createTemplate } from './create-template.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteAutomation } from './delete-automation.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { deleteCatalogCategory } from './delete-catalog-category.ts';
import { deleteCatalogFeed } from './delete-catalog-feed.ts';
import { deleteCatalogItem } from './delete-catalog-item.ts';
import { deleteCatalogItems } from './delete-catalog-items.ts';
import { deleteCatalogSubscription } from './delete-catalog-subscription.ts';
import { deleteCouponPool } from './delete-coupon-pool.ts';
import { deleteIdentityProvider } from './delete-identity-provider.ts';
import { deleteImage } from './delete-image.ts';
import { deleteList } from './delete-list.ts';
import { deleteProfileNote } from './delete-profile-note.ts';
import { deleteSegment } from './delete-segment.ts';
import { deleteSender } from './delete-sender.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import { enrolProfile } from './enrol-profile.ts';
import { estimateCampaign } from './estimate-campaign.ts';
import { exitRun } from './exit-run.ts';
import { explainAutomation } from './explain-automation.ts';
import { explainSegmentMember } from './explain-segment-member.ts';
import { exportAuditEntries } from './export-audit-entries.ts';
import { exportProfile, exportProfileFiles } from './export-profile.ts';
import { getApiKey } from './get-api-key.ts';
import { getAttribution } from './get-attribution.ts';
import { getAutomation } from './get-automation.ts';
import { getAutomationStats } from './get-automation-stats.ts';
import { getAutomationVersion } from './get-automation-version.ts';
import { getCampaign } from './get-campaign.ts';
import { getCampaignStats } from './get-campaign-stats.ts';
import { getCatalogCategory } from './get-catalog-category.ts';
import { getCatalogFeed } from './get-catalog-feed.ts';
import { getCatalogFeedRun } from './get-catalog-feed-run.ts';
import { getCatalogItem } from './get-catalog-item.ts';
import { getCohorts } from './get-cohorts.ts';
import { getCouponPool } from './get-coupon-pool.ts';
import { getCurrentApiKey } from './get-current-api-key.ts';
import { getCustomersReport } from './get-customers-report.ts';
import { getErasure } from './get-erasure.ts';
import { getEvent } from './get-event.ts';
import { getEventStats } from './get-event-stats.ts';
import { getEventType } from './get-event-type.ts';
import { getFunnel } from './get-funnel.ts';
import { getIdentityProvider } from './get-identity-provider.ts';
import { getImport } from './get-import.ts';
import { getList } from './get-list.ts';
import { getListMember } from './get-list-member.ts';
import { getMerge } from './get-merge.ts';
import { getMessage } from './get-message.ts';
import { getMessageContent } from './get-message-content.ts';
import { getMessageReport } from './get-message-report.ts';
import { getMessageSettings } from './get-message-settings.ts';
import { getNotificationSettings } from './get-notification-settings.ts';
import { getOrder } from './get-order.ts';
import { getOverview } from './get-overview.ts';
import { getProfile } from './get-profile.ts';
import { getProfileOrderSummary } from './get-profile-order-summary.ts';
import { getRevenue } from './get-revenue.ts';
import { getRfm } from './get-rfm.ts';
import { getRun } from './get-run.ts';
import { getSegment } from './get-segment.ts';
import { getSegmentStats } from './get-segment-stats.ts';
import { getSender } from './get-sender.ts';
import { getSenderFeedback } from './get-sender-feedback.ts';
import { getSession } from './get-session.ts';
import { getStore } from './get-store.ts';
import { getStoreHold } from './get-store-hold.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateVersion } from './get-template-version.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listAuditEntries } from './list-audit-entries.ts';
import { listAutomationRuns } from './list-automation-runs.ts';
import { listAutomationVersions } from './list-automation-versions.ts';
import { listAutomations } from './list-automations.ts';
import { listCampaignMessages } from './list-campaign-messages.ts';
import { listCampaigns } from './list-campaigns.ts';
import { listCatalogCategories } from './list-catalog-categories.ts';
import { listCatalogChanges } from './list-catalog-changes.ts';
import { listCatalogFeedErrors } from './list-catalog-feed-errors.ts';
import { listCatalogFeedRuns } from './list-catalog-feed-runs.ts';
import { listCatalogFeeds } from './list-catalog-feeds.ts';
import { listCatalogItems } from './list-catalog-items.ts';
import { listCatalogSubscriptions } from './list-catalog-subscriptions.ts';
import { listCouponPoolCodes } from './list-coupon-pool-codes.ts';
import { listCouponPools } from './list-coupon-pools.ts';
import { listErasures } from './list-erasures.ts';
import { listEventTypes } from './list-event-types.ts';
import { listEvents } from './list-events.ts';
import { listIdentifierSplits } from './list-identifier-splits.ts';
import { listImages } from './list-images.ts';
import { listImportErrors } from './list-import-errors.ts';
import { listImports } from './list-imports.ts';
import { listInvitations } from './list-invitations.ts';
import { listListMembers } from './list-list-members.ts';
import { listLists } from './list-lists.ts';
import { listMerges } from './list-merges.ts';
import { listMessages } from './list-messages.ts';
import { listOrders } from './list-orders.ts';
import { listPeople } from './list-people.ts';
import { listProfileConsentChanges } from './list-profile-consent-changes.ts';
import { listProfileCoupons } from './list-profile-coupons.ts';
import { listProfileEvents } from './list-profile-events.ts';
import { listProfileHistory } from './list-profile-history.ts';
import { listProfileLists } from './list-profile-lists.ts';
import { listProfileMessages } from './list-profile-messages.ts';
import { listProfileNotes } from './list-profile-notes.ts';
import { listProfileRuns } from './list-profile-runs.ts';
import { listProfileSegments } from './list-profile-segments.ts';
import { listProfiles } from './list-profiles.ts';
import { listRecommendations } from './list-recommendations.ts';
import { listRejections } from './list-rejections.ts';
import { listSegmentChanges } from './list-segment-changes.ts';
import { listSegmentMembers } from './list-segment-members.ts';
import { listSegments } from './list-segments.ts';
import { listSenders } from './list-senders.ts';
import { listSuppressedAddresses } from './list-suppressed-addresses.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { listTemplates } from './list-templates.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import { lookUpCatalogItems } from './look-up-catalog-items.ts';
import { markCouponCodes } from './mark-coupon-codes.ts';
import { mergeProfiles } from './merge-profiles.ts';
import { previewAutomationEntries } from './preview-automation-entries.ts';
import { previewCatalogFeed } from './preview-catalog-feed.ts';
import { previewImport } from './preview-import.ts';
import { previewSegment } from './preview-segment.ts';
import { publishAutomation } from './publish-automation.ts';
import { publishTemplate } from './publish-template.ts';
import { putCatalogFeedPart } from './put-catalog-feed-part.ts';
import { putImportPart } from './put-import-part.ts';
import { rebuildSegment } from './rebuild-segment.ts';
import { refreshRfmSegments } from './refresh-rfm-segments.ts';
import { releaseAddress } from './release-address.ts';
import { releaseIdentifiers } from './release-identifiers.ts';
import { removeListMembers } from './remove-list-members.ts';
import { removePerson } from './remove-person.ts';
import { renderTemplate } from './render-template.ts';
import { replayWebhookDeliveries } from './replay-webhook-deliveries.ts';
import { replayWebhookDelivery } from './replay-webhook-delivery.ts';
import { renderError } from './representations/error.ts';
import { resetPassword } from './reset-password.ts';
import { resetSecondFactor } from './reset-second-factor.ts';
import { resolveCampaign } from './resolve-campaign.ts';
import { resolveMessage } from './resolve-message.ts';
import { retryRun } from './retry-run.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { runCatalogFeed } from './run-catalog-feed.ts';
import { scheduleCampaign } from './schedule-campaign.ts';
import { search } from './search.ts';
import { sendMessage } from './send-message.ts';
import { setAutomationStatus } from './set-automation-status.ts';
import { setCampaignStatus } from './set-campaign-status.ts';
import { setIdentityProvider } from './set-identity-provider.ts';
import { simulateAutomation } from './simulate-automation.ts';
import { startCatalogSync } from './start-catalog-sync.ts';
import { startImport } from './start-import.ts';
import { streamEvents } from './stream-events.ts';
import { suppressAddresses } from './suppress-addresses.ts';
import { testSender } from './test-sender.ts';
import { testTemplate } from './test-template.ts';
import { testWebhookEndpoint } from './test-webhook-endpoint.ts';
import { updateApiKey } from './update-api-key.ts';
import { updateAutomation } from './update-automation.ts';
import { updateCampaign } from './update-campaign.ts';
import { updateCatalogFeed } from './update-catalog-feed.ts';
import { updateCatalogStock } from './update-catalog-stock.ts';
import { updateCouponPool } from './update-coupon-pool.ts';
import { updateList } from './update-list.ts';
import { updateMessageSettings } from './update-message-settings.ts';
import { updateNotificationSettings } from './update-notification-settings.ts';
import { updatePerson } from './update-person.ts';
import { updateProfileConsent } from './update-profile-consent.ts';
import { updateSegment } from './update-segment.ts';
import { updateSender } from './update-sender.ts';
import { updateSenderFeedback } from './update-sender-feedback.ts';
import { updateStore } from './update-store.ts';
import { updateStoreHold } from './update-store-hold.ts';
import { updateTemplate } from './update-template.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';
import { upsertCatalogCategory } from './upsert-catalog-category.ts';
import { upsertCatalogItem } from './upsert-catalog-item.ts';
import { upsertCatalogItemsBulk } from './upsert-catalog-items-bulk.ts';
import { upsertProfile } from './upsert-profile.ts';

const contract = sharedContract(join(import.meta.dirname, '../../generated/native/requests.gen.json'));

export interface NativeParts {
  groupCommit: GroupCommit;
  findReplay: FindReplay;
  writing: WithConnection;
  reading: WithConnection;
  onJob: OnJob;
  stores: StoreData;
  background: SchemaProgress;
  reader: Reader;
  keys: ApiKeys;
  auditLog: AuditLog;
  rateLimitUses: RateLimitUses;
  streams: Pick<LiveStreams, 'subscribe'>;
  versions: VersionCache;
  templates: TemplateTools;
  senders: SenderTools;
  /** Makes the messages of checks. */
  making: MakingTools;
  feeds: FeedTools;
  webhooks: {
    rules: UrlRules;
    send: Send;
    secrets: SecretsOfEndpoints;
  };
}

/** Returns the native surface: flat JSON under `/v1`. */
export async function nativeSurface({
  groupCommit,
  findReplay,
  writing,
  reading,
  onJob,
  stores,
  background,
  reader,
  keys,
  auditLog,
  rateLimitUses,
  streams,
  versions,
  templates,
  senders,
  making,
  feeds,
  webhooks,
}: NativeParts): Promise<Surface> {
  // A preview of customers keeps a connection and a core busy, one of a feed waits for a server.
  const [previews, feedPreviews] = [new PreviewSlots(2), new PreviewSlots(10)];
  const reports = new ReportSlots();
  const exporting = { stores, reading, slots: new ExportSlots() };
  const handlers: Handlers<Operations> = {
    createEvent: createEvent(groupCommit, findReplay),
    createEventsBulk: createEventsBulk(groupCommit),
    listEvents: reader((from) => listEvents(from, background)),
    getEvent: getEvent(stores),
    getEventStats: reader(getEventStats),
    listEventTypes: reader((data) => listEventTypes(data, reports)),
    getEventType: reader((data) => getEventType(data, reports)),
    streamEvents: streamEvents(streams),
    listRejections: reader(listRejections),
    upsertProfile: upsertProfile(groupCommit),
    listProfiles: reader((from) => listProfiles(from, background)),
    getProfile: getProfile(stores),
    listProfileEvents: reader(listProfileEvents),
    updateProfileConsent: updateProfileConsent(writing),
    listProfileNotes: reader(listProfileNotes),
    createProfileNote: createProfileNote(writing, stores),
    deleteProfileNote: deleteProfileNote(writing, stores),
    listProfileConsentChanges: reader(listProfileConsentChanges),
    listProfileHistory: reader(listProfileHistory),
    createList: createList(writing),
    listLists: reader(listLists),
    getList: getList(stores),
    updateList: updateList(writing),
    deleteAutomation: deleteAutomation(writing),
    deleteList: deleteList(writing),
    addListMembers: addListMembers(writing),
    listListMembers: reader(listListMembers),
    removeListMembers: removeListMembers(writing),
    listProfileLists: reader(listProfileLists),
    getListMember: getListMember(stores),
    createAutomation: createAutomation(writing),
    listAutomations: reader(listAutomations),
    getAutomation: getAutomation(stores),
    updateAutomation: updateAutomation(writing),
    publishAutomation: publishAutomation(writing),
    setAutomationStatus: setAutomationStatus(writing),
    listAutomationVersions: reader(listAutomationVersions),
    getAutomationVersion: getAutomationVersion(stores),
    getAutomationStats: reader(getAutomationStats),
    simulateAutomation: reader((data) => simulateAutomation(data, versions, templates)),
    previewAutomationEntries: reader((data) => previewAutomationEntries(data, versions)),
    explainAutomation: reader((data) => explainAutomation(data, versions)),
    createImport: createImport(writing),
    listImports: reader(listImports),
    putImportPart: putImportPart(writing),
    previewImport: previewImport(writing),
    startImport: startImport(writing, onJob),
    getImport: getImport(stores),
    cancelImport: cancelImport(writing),
    listImportErrors: reader(listImportErrors),
    createWebhookEndpoint: createWebhookEndpoint(writing, webhooks),
    listWebhookEndpoints: reader(listWebhookEndpoints),
    getWebhookEndpoint: getWebhookEndpoint(stores),
    updateWebhookEndpoint: updateWebhookEndpoint(writing, webhooks),
    deleteWebhookEndpoint: deleteWebhookEndpoint(writing),
    rotateWebhookSecret: rotateWebhookSecret(writing, webhooks.secrets),
    testWebhookEndpoint: testWebhookEndpoint(writing, webhooks),
    listWebhookDeliveries: reader(listWebhookDeliveries),
    replayWebhookDeliveries: replayWebhookDeliveries(writing),
    getWebhookDelivery: getWebhookDelivery(stores),
    replayWebhookDelivery: replayWebhookDelivery(writing),
    createTemplate: createTemplate(writing, templates),
    listTemplates: reader(listTemplates),
    convertTemplate,
    getTemplate: getTemplate(stores, templates),
    updateTemplate: updateTemplate(writing, templates),
    publishTemplate: publishTemplate(writing, templates),
    archiveTemplate: archiveTemplate(writing, templates),
    listTemplateVersions: reader(listTemplateVersions),
    getTemplateVersion: getTemplateVersion(stores),
    renderTemplate: renderTemplate(writing, templates),
    sendMessage: sendMessage(writing),
    listMessages: reader(listMessages),
    getMessage: getMessage(stores),
    getMessageContent: getMessageContent(stores),
    cancelMessage: cancelMessage(writing, versions),
    resolveMessage: resolveMessage(writing),
    listProfileMessages: reader(listProfileMessages),
    suppressAddresses: suppressAddresses(writing),
    listSuppressedAddresses: listSuppressedAddresses(writing),
    releaseAddress: releaseAddress(writing),
    exportProfile: exportProfile(exporting),
    exportProfileFiles: exportProfileFiles(exporting),
    mergeProfiles: mergeProfiles(writing, versions, background),
    listMerges: reader(listMerges),
    getMerge: getMerge(stores),
    createErasure: createErasure(writing, versions, background),
    listErasures: reader(listErasures),
    getErasure: getErasure(stores),
    releaseIdentifiers: releaseIdentifiers(writing),
    createCampaign: createCampaign(writing),
    listCampaigns: reader(listCampaigns),
    getCampaign: getCampaign(stores),
    updateCampaign: updateCampaign(writing),
    deleteCampaign: deleteCampaign(writing),
    copyCampaign: copyCampaign(writing),
    estimateCampaign: estimateCampaign(stores, previews),
    checkCampaign: checkCampaign(writing, { making, templates: new ReadyTemplates(), senders }, previews),
    scheduleCampaign: scheduleCampaign(writing),
    setCampaignStatus: setCampaignStatus(writing),
    resolveCampaign: resolveCampaign(writing),
    getCampaignStats: reader(getCampaignStats),
    getAttribution: reader((data) => getAttribution(data, reports)),
    listOrders: reader(listOrders),
    getOrder: reader(getOrder),
    getOverview: reader((data) => getOverview(data)),
    getProfileOrderSummary: reader(getProfileOrderSummary),
    getRevenue: reader((data) => getRevenue(data, reports)),
    getRfm: reader((data) => getRfm(data, reports)),
    getFunnel: reader((data) => getFunnel(data, reports)),
    getMessageReport: reader((data) => getMessageReport(data, reports)),
    getCustomersReport: reader((data) => getCustomersReport(data, reports)),
    getCohorts: reader((data) => getCohorts(data, reports)),
    search: reader((data) => search(data, background)),
    listRecommendations: listRecommendations(writing),
    createCouponPool: createCouponPool(writing),
    listCouponPools: listCouponPools(stores),
    getCouponPool: getCouponPool(stores),
    updateCouponPool: updateCouponPool(writing),
    deleteCouponPool: deleteCouponPool(writing),
    addCouponCodes: addCouponCodes(writing),
    listCouponPoolCodes: listCouponPoolCodes(stores),
    assignCoupon: assignCoupon(writing),
    markCouponCodes: markCouponCodes(writing),
    listProfileCoupons: listProfileCoupons(stores),
    listCampaignMessages: reader(listCampaignMessages),
    upsertCatalogItem: upsertCatalogItem(writing),
    upsertCatalogItemsBulk: upsertCatalogItemsBulk(writing),
    updateCatalogStock: updateCatalogStock(writing),
    listCatalogItems: reader(listCatalogItems),
    getCatalogItem: getCatalogItem(stores),
    lookUpCatalogItems: lookUpCatalogItems(stores),
    deleteCatalogItem: deleteCatalogItem(writing),
    deleteCatalogItems: deleteCatalogItems(writing),
    upsertCatalogCategory: upsertCatalogCategory(writing),
    listCatalogCategories: reader(listCatalogCategories),
    getCatalogCategory: getCatalogCategory(stores),
    deleteCatalogCategory: deleteCatalogCategory(writing),
    listCatalogChanges: reader(listCatalogChanges),
    createCatalogSubscription: createCatalogSubscription(writing),
    listCatalogSubscriptions: listCatalogSubscriptions(stores),
    deleteCatalogSubscription: deleteCatalogSubscription(writing),
    startCatalogSync: startCatalogSync(writing),
    completeCatalogSync: completeCatalogSync(writing),
    createCatalogFeed: createCatalogFeed(writing, feeds),
    listCatalogFeeds: listCatalogFeeds(stores),
    previewCatalogFeed: previewCatalogFeed(feeds, feedPreviews),
    putCatalogFeedPart: putCatalogFeedPart(writing),
    runCatalogFeed: runCatalogFeed(writing),
    listCatalogFeedRuns: listCatalogFeedRuns(stores),
    getCatalogFeedRun: getCatalogFeedRun(stores),
    listCatalogFeedErrors: listCatalogFeedErrors(stores),
    confirmCatalogFeedRun: confirmCatalogFeedRun(writing),
    getCatalogFeed: getCatalogFeed(stores),
    updateCatalogFeed: updateCatalogFeed(writing, feeds),
    deleteCatalogFeed: deleteCatalogFeed(writing),
    createImage: createImage(writing, senders.publicUrl),
    listImages: listImages(stores, senders.publicUrl),
    deleteImage: deleteImage(writing, senders.publicUrl),
    createSender: createSender(writing, senders),
    listSenders: listSenders(writing),
    getSender: getSender(stores),
    updateSender: updateSender(writing, senders),
    getSenderFeedback: getSenderFeedback(stores, senders),
    updateSenderFeedback: updateSenderFeedback(writing, senders),
    deleteSender: deleteSender(writing),
    checkSender: checkSender(writing, senders),
    testSender: testSender(writing, senders),
    testTemplate: testTemplate(writing, templates, senders),
    getMessageSettings: getMessageSettings(stores),
    updateMessageSettings: updateMessageSettings(writing),
    getNotificationSettings: getNotificationSettings(stores),
    updateNotificationSettings: updateNotificationSettings(writing),
    enrolProfile: enrolProfile(writing, versions),
    listAutomationRuns: reader(listAutomationRuns),
    listProfileRuns: reader(listProfileRuns),
    getRun: getRun(stores),
    exitRun: exitRun(writing, versions),
    retryRun: retryRun(writing, versions),
    createSegment: createSegment(writing),
    listSegments: listSegments(stores),
    getSegment: getSegment(stores),
    updateSegment: updateSegment(writing),
    deleteSegment: deleteSegment(writing),
    previewSegment: previewSegment(stores, previews),
    listSegmentMembers: reader(listSegmentMembers),
    explainSegmentMember: explainSegmentMember(stores),
    listSegmentChanges: reader(listSegmentChanges),
    getSegmentStats: reader(getSegmentStats),
    rebuildSegment: rebuildSegment(writing),
    refreshRfmSegments: refreshRfmSegments(writing, stores, reports),
    listProfileSegments: reader(listProfileSegments),
    getStore: getStore(writing),
    updateStore: updateStore(writing),
    getStoreHold: getStoreHold(writing, stores),
    updateStoreHold: updateStoreHold(writing, stores),
    listIdentifierSplits: reader(listIdentifierSplits),
    listApiKeys: listApiKeys(keys, rateLimitUses),
    createApiKey: createApiKey(keys, rateLimitUses),
    getCurrentApiKey: getCurrentApiKey(keys, rateLimitUses),
    getApiKey: getApiKey(keys, rateLimitUses),
    updateApiKey: updateApiKey(keys, rateLimitUses),
    revokeApiKey: revokeApiKey(keys, rateLimitUses),
    getSession: getSession(stores, keys),
    listPeople: listPeople(stores),
    updatePerson: updatePerson(writing),
    removePerson: removePerson(writing),
    resetPassword: resetPassword(writing),
    resetSecondFactor: resetSecondFactor(writing),
    setIdentityProvider: setIdentityProvider(writing, feeds),
    getIdentityProvider: getIdentityProvider(stores),
    deleteIdentityProvider: deleteIdentityProvider(writing),
    createInvitation: createInvitation(writing),
    listInvitations: listInvitations(stores),
    revokeInvitation: revokeInvitation(writing),
    listAuditEntries: listAuditEntries(stores),
    exportAuditEntries: exportAuditEntries({ stores, reading, slots: new ExportSlots(OF_AUDIT_LOGS) }),
  };
  const statusOf: Surface['statusOf'] = (code) => STATUS_OF_CODE[code];
  return {
    name: 'native',
    prefix: '/v1',
    schemes: new Set(['bearer']),
    hasSessions: true,
    operations: bindContract(await contract(), handlers, { log: auditLog, statusOf }),
    bodyTypes: ['application/json'],
    responseType: () => 'application/json',
    route: (path) => path,
    notFound: (method) => new ServiceError('not_found', `There is no ${method} operation at this path`),
    statusOf,
    renderError,
  };
}
