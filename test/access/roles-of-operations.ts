/**
 * What each role may do: for every operation of the native surface, in the order of its spec, + for those that may and - for
 * those that are refused. No role has anything of the compatibility surface, which takes keys alone.
 */
export const OPERATIONS_OF_ROLES = `
                             owner admin marketer analyst support
  # Profiles
  upsertProfile                +     +      +        -       +

  # Privacy
  exportProfile                +     +      -        -       +
  exportProfileFiles           +     +      -        -       +
  mergeProfiles                +     +      -        -       +

  # Events
  createEvent                  +     +      +        -       -
  listEvents                   +     +      +        -       +
  createEventsBulk             +     +      +        -       -
  getEventStats                +     +      +        -       +
  streamEvents                 +     +      +        -       +
  getEvent                     +     +      +        -       +
  listEventTypes               +     +      +        +       -
  getEventType                 +     +      +        +       -
  listRejections               +     +      +        -       +

  # Profiles
  listProfiles                 +     +      +        -       +
  getProfile                   +     +      +        -       +
  listProfileEvents            +     +      +        -       +

  # Consent
  updateProfileConsent         +     +      +        -       +

  # Profiles
  listProfileHistory           +     +      +        -       +
  createProfileNote            +     +      +        -       +
  listProfileNotes             +     +      +        -       +
  deleteProfileNote            +     +      +        -       +

  # Consent
  listProfileConsentChanges    +     +      +        -       +

  # Lists
  createList                   +     +      +        -       -
  listLists                    +     +      +        +       +
  getList                      +     +      +        +       +
  updateList                   +     +      +        -       -
  deleteList                   +     +      +        -       -
  addListMembers               +     +      +        -       -
  listListMembers              +     +      +        -       +
  getListMember                +     +      +        -       +
  listProfileLists             +     +      +        -       +
  removeListMembers            +     +      +        -       -

  # Segments
  createSegment                +     +      +        -       -
  listSegments                 +     +      +        +       +
  getSegment                   +     +      +        +       +
  updateSegment                +     +      +        -       -
  deleteSegment                +     +      +        -       -
  previewSegment               +     +      +        -       +
  refreshRfmSegments           +     +      +        -       -
  listSegmentMembers           +     +      +        -       +
  explainSegmentMember         +     +      +        -       +
  listSegmentChanges           +     +      +        -       +
  getSegmentStats              +     +      +        +       +
  rebuildSegment               +     +      +        -       -
  listProfileSegments          +     +      +        -       +

  # API keys
  createApiKey                 +     +      -        -       -
  listApiKeys                  +     +      -        -       -
  getCurrentApiKey             +     +      +        +       +

  # Store
  getStore                     +     +      -        -       -
  updateStore                  +     +      -        -       -
  getStoreHold                 +     +      +        +       +
  updateStoreHold              +     +      +        -       -

  # Profiles
  listIdentifierSplits         +     +      +        -       +

  # API keys
  getApiKey                    +     +      -        -       -
  updateApiKey                 +     +      -        -       -
  revokeApiKey                 +     +      -        -       -

  # People
  getSession                   +     +      +        +       +
  listPeople                   +     +      -        -       -
  resetPassword                +     +      -        -       -
  resetSecondFactor            +     +      -        -       -
  updatePerson                 +     +      -        -       -
  removePerson                 +     +      -        -       -
  createInvitation             +     +      -        -       -
  listInvitations              +     +      -        -       -
  revokeInvitation             +     +      -        -       -
  setIdentityProvider          +     +      -        -       -
  getIdentityProvider          +     +      -        -       -
  deleteIdentityProvider       +     +      -        -       -
  listAuditEntries             +     +      -        -       -
  exportAuditEntries           +     +      -        -       -
  getNotificationSettings      +     +      -        -       -
  updateNotificationSettings   +     +      -        -       -

  # Imports
  createImport                 +     +      +        -       -
  listImports                  +     +      +        +       +
  putImportPart                +     +      +        -       -
  previewImport                +     +      +        -       -
  startImport                  +     +      +        -       -
  getImport                    +     +      +        +       +
  cancelImport                 +     +      +        -       -
  listImportErrors             +     +      +        -       +

  # Webhooks
  createWebhookEndpoint        +     +      -        -       -
  listWebhookEndpoints         +     +      -        -       -
  getWebhookEndpoint           +     +      -        -       -
  updateWebhookEndpoint        +     +      -        -       -
  deleteWebhookEndpoint        +     +      -        -       -
  rotateWebhookSecret          +     +      -        -       -
  testWebhookEndpoint          +     +      -        -       -
  listWebhookDeliveries        +     +      -        -       -
  replayWebhookDeliveries      +     +      -        -       -
  getWebhookDelivery           +     +      -        -       -
  replayWebhookDelivery        +     +      -        -       -

  # Templates
  createTemplate               +     +      +        -       -
  listTemplates                +     +      +        +       +
  convertTemplate              +     +      +        -       -
  getTemplate                  +     +      +        +       +
  updateTemplate               +     +      +        -       -
  publishTemplate              +     +      +        -       -
  listTemplateVersions         +     +      +        +       +
  getTemplateVersion           +     +      +        +       +
  renderTemplate               +     +      +        -       +
  testTemplate                 +     +      +        -       -
  archiveTemplate              +     +      +        -       -
  createImage                  +     +      +        -       -
  listImages                   +     +      +        +       +
  deleteImage                  +     +      +        -       -

  # Senders
  createSender                 +     +      +        -       -
  listSenders                  +     +      +        +       +
  getSender                    +     +      +        +       +
  updateSender                 +     +      +        -       -
  deleteSender                 +     +      +        -       -
  checkSender                  +     +      +        -       -
  testSender                   +     +      +        -       -
  getSenderFeedback            +     +      +        +       +
  updateSenderFeedback         +     +      +        -       -
  getMessageSettings           +     +      +        +       +
  updateMessageSettings        +     +      +        -       -

  # Messages
  sendMessage                  +     +      +        -       -
  listMessages                 +     +      +        -       +
  getMessage                   +     +      +        -       +
  getMessageContent            +     +      +        -       +
  cancelMessage                +     +      +        -       -
  resolveMessage               +     +      +        -       -
  listProfileMessages          +     +      +        -       +
  suppressAddresses            +     +      +        -       -
  listSuppressedAddresses      +     +      +        -       +
  releaseAddress               +     +      +        -       -

  # Campaigns
  createCampaign               +     +      +        -       -
  listCampaigns                +     +      +        +       +
  getCampaign                  +     +      +        +       +
  updateCampaign               +     +      +        -       -
  deleteCampaign               +     +      +        -       -
  copyCampaign                 +     +      +        -       -
  estimateCampaign             +     +      +        +       +
  checkCampaign                +     +      +        -       +
  scheduleCampaign             +     +      +        -       -
  setCampaignStatus            +     +      +        -       -
  resolveCampaign              +     +      +        -       -
  getCampaignStats             +     +      +        +       +
  listCampaignMessages         +     +      +        -       +

  # Messages
  getAttribution               +     +      +        +       +
  getMessageReport             +     +      +        +       +

  # Orders
  listOrders                   +     +      +        +       -
  getOrder                     +     +      +        +       -
  getProfileOrderSummary       +     +      +        -       +
  getRevenue                   +     +      +        +       -
  getOverview                  +     +      +        +       -
  getRfm                       +     +      +        +       -
  getFunnel                    +     +      +        +       -
  getCustomersReport           +     +      +        +       -
  getCohorts                   +     +      +        +       -

  # Search
  search                       +     +      +        +       +

  # Coupons
  createCouponPool             +     +      +        -       -
  listCouponPools              +     +      +        +       +
  getCouponPool                +     +      +        +       +
  updateCouponPool             +     +      +        -       -
  deleteCouponPool             +     +      +        -       -
  addCouponCodes               +     +      +        -       -
  listCouponPoolCodes          +     +      +        -       -
  assignCoupon                 +     +      +        -       -
  markCouponCodes              +     +      +        -       -
  listProfileCoupons           +     +      +        -       -

  # Privacy
  listMerges                   +     +      -        -       +
  getMerge                     +     +      -        -       +
  createErasure                +     +      -        -       +
  listErasures                 +     +      -        -       +
  getErasure                   +     +      -        -       +
  releaseIdentifiers           +     +      -        -       +

  # Automations
  createAutomation             +     +      +        -       -
  listAutomations              +     +      +        +       +
  getAutomation                +     +      +        +       +
  updateAutomation             +     +      +        -       -
  deleteAutomation             +     +      +        -       -
  publishAutomation            +     +      +        -       -
  setAutomationStatus          +     +      +        -       -
  listAutomationVersions       +     +      +        +       +
  getAutomationVersion         +     +      +        +       +
  getAutomationStats           +     +      +        +       +
  simulateAutomation           +     +      +        -       +
  previewAutomationEntries     +     +      +        -       +
  explainAutomation            +     +      +        -       +
  enrolProfile                 +     +      +        -       -
  listAutomationRuns           +     +      +        -       +
  listProfileRuns              +     +      +        -       +
  getRun                       +     +      +        -       +
  exitRun                      +     +      +        -       -
  retryRun                     +     +      +        -       -

  # Catalog
  upsertCatalogCategory        +     +      +        -       -
  listCatalogCategories        +     +      +        +       +
  getCatalogCategory           +     +      +        +       +
  deleteCatalogCategory        +     +      +        -       -
  upsertCatalogItem            +     +      +        -       -
  upsertCatalogItemsBulk       +     +      +        -       -
  updateCatalogStock           +     +      +        -       -
  listCatalogItems             +     +      +        +       +
  lookUpCatalogItems           +     +      +        +       +
  createCatalogSubscription    +     +      +        -       -
  listCatalogSubscriptions     +     +      +        -       +
  deleteCatalogSubscription    +     +      +        -       -
  getCatalogItem               +     +      +        +       +
  deleteCatalogItem            +     +      +        -       -
  listCatalogChanges           +     +      +        +       +
  listRecommendations          +     +      +        +       +
  startCatalogSync             +     +      +        -       -
  completeCatalogSync          +     +      +        -       -
  createCatalogFeed            +     +      +        -       -
  listCatalogFeeds             +     +      +        +       +
  previewCatalogFeed           +     +      +        -       -
  putCatalogFeedPart           +     +      +        -       -
  runCatalogFeed               +     +      +        -       -
  listCatalogFeedRuns          +     +      +        +       +
  getCatalogFeedRun            +     +      +        +       +
  listCatalogFeedErrors        +     +      +        +       +
  confirmCatalogFeedRun        +     +      +        -       -
  getCatalogFeed               +     +      +        +       +
  updateCatalogFeed            +     +      +        -       -
  deleteCatalogFeed            +     +      +        -       -
  deleteCatalogItems           +     +      +        -       -
`;
