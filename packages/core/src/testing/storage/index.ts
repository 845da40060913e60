// Written by `npm run docs` from the files of this folder.
import { accountDeletionCases } from './account-deletion.ts'
import { accountProofCases } from './account-proofs.ts'
import { accountCases } from './accounts.ts'
import {
  actingAppOfEntryCases,
  actingAppOfEventCases,
  actingAppOfNotificationCases,
  actingAppOfVersionCases,
} from './acting-apps.ts'
import { agreementCases } from './agreements.ts'
import { analyticsCases } from './analytics.ts'
import { apiKeyUseCases } from './api-key-uses.ts'
import { apiKeyCases } from './api-keys.ts'
import { appCodeCases } from './app-codes.ts'
import { appDeviceCases } from './app-devices.ts'
import { appRefreshCases } from './app-refresh.ts'
import { appRetentionCases } from './app-retention.ts'
import { appSpendingCases } from './app-spending.ts'
import { auditCases } from './audit.ts'
import { auditLogCases } from './audit-log.ts'
import type { Cases } from './bench.ts'
import { categoryCases, categoryVersionCases } from './categories.ts'
import { connectedAppCases } from './connected-apps.ts'
import { connectionCases } from './connections.ts'
import { customerCases } from './customers.ts'
import { directoryCases } from './directory.ts'
import { disputeCases } from './disputes.ts'
import { entitlementBookCases } from './entitlement-books.ts'
import { entitlementCases } from './entitlements.ts'
import {
  apiKeyErasureCases,
  auditErasureCases,
  erasedProfilesCases,
  fileErasureCases,
  identityErasureCases,
  jobErasureCases,
  mediaErasureCases,
  negotiationErasureCases,
  reactionErasureCases,
  refundErasureCases,
  siteScanErasureCases,
  subscriptionErasureCases,
  teamErasureCases,
  walletErasureCases,
} from './erasure.ts'
import { changelogCases, eventCases, eventTimeCases, followerCases, followerLeaseCases, pruneCases } from './events.ts'
import { expiredCases } from './expired.ts'
import { attachedFileCases, feedCases } from './feed.ts'
import { likeCases } from './feed-likes.ts'
import { feedListCases, followedFeedCases } from './feed-lists.ts'
import { fileTextCases } from './file-texts.ts'
import { fileUseCases } from './file-uses.ts'
import { fileCases } from './files.ts'
import { gateSessionCases } from './gate-sessions.ts'
import { gateCases, gateVersionCases } from './gates.ts'
import { grantCases } from './grants.ts'
import { groupsWithDataCases } from './groups-with-data.ts'
import { hiddenProfileCases } from './hidden-profiles.ts'
import { idempotencyCases } from './idempotency.ts'
import { identityCases } from './identities.ts'
import { invitationCases } from './invitations.ts'
import { jobCases } from './jobs.ts'
import { listingCases, reviewCases } from './listings.ts'
import { mediaCases } from './media.ts'
import { memberCases } from './members.ts'
import { memoryCases } from './memory.ts'
import { messageCases, messageErasureCases } from './messages.ts'
import { moneyKindCases } from './money-kind.ts'
import { namedNotificationCases } from './named-notifications.ts'
import { negotiationCases } from './negotiations.ts'
import { nonceCases } from './nonces.ts'
import { notificationCases } from './notifications.ts'
import { oldPathCases } from './old-paths.ts'
import { ownPurchaseCases } from './own-purchases.ts'
import { pageDraftCases } from './page-drafts.ts'
import { pagePreviewLinkCases } from './page-preview-links.ts'
import { keptVersionCases, pageVersionCases, restoredVersionCases } from './page-versions.ts'
import { pageCases, savedPageCases } from './pages.ts'
import { paidRequestCases } from './paid-requests.ts'
import { passkeyCases } from './passkeys.ts'
import { lastingPurchaseCases, paymentOutcomeCases } from './payment-outcomes.ts'
import { paymentClaimCases } from './payments.ts'
import { payoutCases } from './payouts.ts'
import { prepaidPlanCases } from './prepaid-plans.ts'
import { pricedCatalogueCases } from './priced-catalogue.ts'
import { pricedResourceCases } from './priced-resources.ts'
import { pricingCases } from './pricing.ts'
import { formerNameCases, profileNameCases } from './profile-names.ts'
import { profileNumberCases, profileNumberProfileNumbersCases } from './profile-numbers.ts'
import { deletedProfileCases, profileCases } from './profiles.ts'
import { purgeCases } from './purge.ts'
import { reactionCases } from './reactions.ts'
import { receiptCases } from './receipts.ts'
import { categoryOrderCases, pageOrderCases } from './reorder.ts'
import { reportCases } from './reports.ts'
import { sandboxMailCases, sandboxPaymentCases, sandboxPlanCases, sandboxWalletCases } from './sandbox.ts'
import { sandboxClockCases } from './sandbox-clock.ts'
import { scheduledPublicationCases } from './scheduled-publications.ts'
import { searchSourceCases, searchSourceTrustCases } from './search-sources.ts'
import { secondFactorCases } from './second-factors.ts'
import { sessionCases } from './sessions.ts'
import { siteIndexCases } from './site-index.ts'
import { siteScanCases } from './site-scans.ts'
import { smartSectionCases } from './smart-sections.ts'
import { subscriptionLeaseCases } from './subscription-leases.ts'
import { subscriptionCases } from './subscriptions.ts'
import { takeOverCases, takeOverGrantCases } from './take-over.ts'
import { tokenCases } from './tokens.ts'
import { followedTransactionCases, transactionCases } from './transactions.ts'
import { transferCases } from './transfers.ts'
import { trustLevelCases } from './trust-levels.ts'
import { walletCases } from './wallets.ts'
import { webhookDeliveryCases } from './webhook-deliveries.ts'
import { webhookQueueCases } from './webhook-queue.ts'
import { webhookCases } from './webhooks.ts'
import { withdrawalCases } from './withdrawal.ts'
import { workloadCases } from './workload.ts'
import { documentCommentCases, workspaceDocumentCases } from './workspace-documents.ts'
import { workspaceActivityCases, workspaceInvitationCases } from './workspace-invitations.ts'
import { workspaceCases, workspaceErasureCases, workspaceMemberCases } from './workspaces.ts'

/** The cases of the storage contract, by the name of their file. */
export const storageCases: Readonly<Record<string, readonly Cases[]>> = {
  'account-deletion': [accountDeletionCases],
  'account-proofs': [accountProofCases],
  accounts: [accountCases],
  'acting-apps': [actingAppOfEventCases, actingAppOfVersionCases, actingAppOfNotificationCases, actingAppOfEntryCases],
  agreements: [agreementCases],
  analytics: [analyticsCases],
  'api-key-uses': [apiKeyUseCases],
  'api-keys': [apiKeyCases],
  'app-codes': [appCodeCases],
  'app-devices': [appDeviceCases],
  'app-refresh': [appRefreshCases],
  'app-retention': [appRetentionCases],
  'app-spending': [appSpendingCases],
  'audit-log': [auditLogCases],
  audit: [auditCases],
  categories: [categoryCases, categoryVersionCases],
  'connected-apps': [connectedAppCases],
  connections: [connectionCases],
  customers: [customerCases],
  directory: [directoryCases],
  disputes: [disputeCases],
  'entitlement-books': [entitlementBookCases],
  entitlements: [entitlementCases],
  erasure: [
    erasedProfilesCases,
    teamErasureCases,
    apiKeyErasureCases,
    identityErasureCases,
    walletErasureCases,
    refundErasureCases,
    jobErasureCases,
    siteScanErasureCases,
    fileErasureCases,
    mediaErasureCases,
    reactionErasureCases,
    negotiationErasureCases,
    subscriptionErasureCases,
    auditErasureCases,
  ],
  events: [eventCases, pruneCases, eventTimeCases, changelogCases, followerCases, followerLeaseCases],
  expired: [expiredCases],
  'feed-likes': [likeCases],
  'feed-lists': [feedListCases, followedFeedCases],
  feed: [feedCases, attachedFileCases],
  'file-texts': [fileTextCases],
  'file-uses': [fileUseCases],
  files: [fileCases],
  'gate-sessions': [gateSessionCases],
  gates: [gateCases, gateVersionCases],
  grants: [grantCases],
  'groups-with-data': [groupsWithDataCases],
  'hidden-profiles': [hiddenProfileCases],
  idempotency: [idempotencyCases],
  identities: [identityCases],
  invitations: [invitationCases],
  jobs: [jobCases],
  listings: [listingCases, reviewCases],
  media: [mediaCases],
  members: [memberCases],
  memory: [memoryCases],
  messages: [messageCases, messageErasureCases],
  'money-kind': [moneyKindCases],
  'named-notifications': [namedNotificationCases],
  negotiations: [negotiationCases],
  nonces: [nonceCases],
  notifications: [notificationCases],
  'old-paths': [oldPathCases],
  'own-purchases': [ownPurchaseCases],
  'page-drafts': [pageDraftCases],
  'page-preview-links': [pagePreviewLinkCases],
  'page-versions': [pageVersionCases, keptVersionCases, restoredVersionCases],
  pages: [pageCases, savedPageCases],
  'paid-requests': [paidRequestCases],
  passkeys: [passkeyCases],
  'payment-outcomes': [paymentOutcomeCases, lastingPurchaseCases],
  payments: [paymentClaimCases],
  payouts: [payoutCases],
  'prepaid-plans': [prepaidPlanCases],
  'priced-catalogue': [pricedCatalogueCases],
  'priced-resources': [pricedResourceCases],
  pricing: [pricingCases],
  'profile-names': [profileNameCases, formerNameCases],
  'profile-numbers': [profileNumberCases, profileNumberProfileNumbersCases],
  profiles: [profileCases, deletedProfileCases],
  purge: [purgeCases],
  reactions: [reactionCases],
  receipts: [receiptCases],
  reorder: [categoryOrderCases, pageOrderCases],
  reports: [reportCases],
  'sandbox-clock': [sandboxClockCases],
  sandbox: [sandboxWalletCases, sandboxPaymentCases, sandboxPlanCases, sandboxMailCases],
  'scheduled-publications': [scheduledPublicationCases],
  'search-sources': [searchSourceCases, searchSourceTrustCases],
  'second-factors': [secondFactorCases],
  sessions: [sessionCases],
  'site-index': [siteIndexCases],
  'site-scans': [siteScanCases],
  'smart-sections': [smartSectionCases],
  'subscription-leases': [subscriptionLeaseCases],
  subscriptions: [subscriptionCases],
  'take-over': [takeOverCases, takeOverGrantCases],
  tokens: [tokenCases],
  transactions: [transactionCases, followedTransactionCases],
  transfers: [transferCases],
  'trust-levels': [trustLevelCases],
  wallets: [walletCases],
  'webhook-deliveries': [webhookDeliveryCases],
  'webhook-queue': [webhookQueueCases],
  webhooks: [webhookCases],
  withdrawal: [withdrawalCases],
  workload: [workloadCases],
  'workspace-documents': [workspaceDocumentCases, documentCommentCases],
  'workspace-invitations': [workspaceInvitationCases, workspaceActivityCases],
  workspaces: [workspaceCases, workspaceMemberCases, workspaceErasureCases],
}
