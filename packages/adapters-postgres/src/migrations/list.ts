// Written by `npm run docs` from the files of this folder.
import { m0001Accounts } from './0001_accounts.ts'
import { m0002Profiles } from './0002_profiles.ts'
import { m0003Content } from './0003_content.ts'
import { m0004Gates } from './0004_gates.ts'
import { m0005Payments } from './0005_payments.ts'
import { m0006Events } from './0006_events.ts'
import { m0007Tokens } from './0007_tokens.ts'
import { m0008SignIn } from './0008_sign_in.ts'
import { m0009ApiKeys } from './0009_api_keys.ts'
import { m0010Deletion } from './0010_deletion.ts'
import { m0011RateLimits } from './0011_rate_limits.ts'
import { m0012KeyParents } from './0012_key_parents.ts'
import { m0013Teams } from './0013_teams.ts'
import { m0014ProfileNames } from './0014_profile_names.ts'
import { m0015Reactions } from './0015_reactions.ts'
import { m0016OldSlugs } from './0016_old_slugs.ts'
import { m0017Listings } from './0017_listings.ts'
import { m0018Nonces } from './0018_nonces.ts'
import { m0019GateVersions } from './0019_gate_versions.ts'
import { m0020Connections } from './0020_connections.ts'
import { m0021Refunds } from './0021_refunds.ts'
import { m0022Commerce } from './0022_commerce.ts'
import { m0023Idempotency } from './0023_idempotency.ts'
import { m0024Files } from './0024_files.ts'
import { m0025Jobs } from './0025_jobs.ts'
import { m0026FileTexts } from './0026_file_texts.ts'
import { m0027Media } from './0027_media.ts'
import { m0028Subscriptions } from './0028_subscriptions.ts'
import { m0029PaidYears } from './0029_paid_years.ts'
import { m0031HandGrants } from './0031_hand_grants.ts'
import { m0032SellersOfPayments } from './0032_sellers_of_payments.ts'
import { m0033GateVersionSizes } from './0033_gate_version_sizes.ts'
import { m0034ReservedNames } from './0034_reserved_names.ts'
import { m0035ContentSizes } from './0035_content_sizes.ts'
import { m0037Sessions } from './0037_sessions.ts'
import { m0040RefundClaims } from './0040_refund_claims.ts'
import { m0041EntitlementsAndDeliveries } from './0041_entitlements_and_deliveries.ts'
import { m0042Buyers } from './0042_buyers.ts'
import { m0043BoundAllowlists } from './0043_bound_allowlists.ts'
import { m0044EventOrder } from './0044_event_order.ts'
import { m0045EventHorizon } from './0045_event_horizon.ts'
import { m0047Webhooks } from './0047_webhooks.ts'
import { m0048WebhookPauseNotices } from './0048_webhook_pause_notices.ts'
import { m0049EventTimes } from './0049_event_times.ts'
import { m0050Feed } from './0050_feed.ts'
import { m0051Messages } from './0051_messages.ts'
import { m0052Notifications } from './0052_notifications.ts'
import { m0053WebhookPauseNoticeAttempts } from './0053_webhook_pause_notice_attempts.ts'
import { m0054Reports } from './0054_reports.ts'
import { m0055NotificationAttempts } from './0055_notification_attempts.ts'
import { m0057TrustLevels } from './0057_trust_levels.ts'
import { m0058Search } from './0058_search.ts'
import { m0059SearchVectors } from './0059_search_vectors.ts'
import { m0060SearchNewest } from './0060_search_newest.ts'
import { m0061SearchStorage } from './0061_search_storage.ts'
import { m0062GateSessions } from './0062_gate_sessions.ts'
import { m0063SmartSections } from './0063_smart_sections.ts'
import { m0065Analytics } from './0065_analytics.ts'
import { m0067AuditLog } from './0067_audit_log.ts'
import { m0068Workspaces } from './0068_workspaces.ts'
import { m0069SearchPartitions } from './0069_search_partitions.ts'
import { m0070WorkspaceDocuments } from './0070_workspace_documents.ts'
import { m0071Memory } from './0071_memory.ts'
import { m0072SiteScans } from './0072_site_scans.ts'
import { m0074Passkeys } from './0074_passkeys.ts'
import { m0076OwnPurchases } from './0076_own_purchases.ts'
import { m0079JobOrigins } from './0079_job_origins.ts'
import { m0080VisibilityOnceVerified } from './0080_visibility_once_verified.ts'
import { m0081HiddenProfiles } from './0081_hidden_profiles.ts'
import { m0082RefusedPayers } from './0082_refused_payers.ts'
import { m0086WebhookKeys } from './0086_webhook_keys.ts'
import { m0092AccountLanguage } from './0092_account_language.ts'
import { m0093SecondFactors } from './0093_second_factors.ts'
import { m0094SearchTrust } from './0094_search_trust.ts'
import { m0095Retention } from './0095_retention.ts'
import { m0096DeletedPaths } from './0096_deleted_paths.ts'
import { m0098EventTraces } from './0098_event_traces.ts'
import { m0099SitemapParts } from './0099_sitemap_parts.ts'
import { m0100SiteScanHostEnds } from './0100_site_scan_host_ends.ts'
import { m0101SearchRows } from './0101_search_rows.ts'
import { m0103TimelineBasis } from './0103_timeline_basis.ts'
import { m0110SessionUses } from './0110_session_uses.ts'
import { m0115IdempotencyFacts } from './0115_idempotency_facts.ts'
import { m0116RemovedMemory } from './0116_removed_memory.ts'
import { m0120Hashtags } from './0120_hashtags.ts'
import { m0121SearchJoiners } from './0121_search_joiners.ts'
import { m0122WebhookRetryAfter } from './0122_webhook_retry_after.ts'
import { m0123ShownFiles } from './0123_shown_files.ts'
import { m0130PublicEventTypes } from './0130_public_event_types.ts'
import { m0131PlainNames } from './0131_plain_names.ts'
import { m0135TextEncodings } from './0135_text_encodings.ts'
import { m0137OwnedAddresses } from './0137_owned_addresses.ts'
import { m0140SearchFormat } from './0140_search_format.ts'
import { m0141LinkedImages } from './0141_linked_images.ts'
import { m0143DeletedWorkspaces } from './0143_deleted_workspaces.ts'
import type { Migrations } from './index.ts'

/** In code, so that bundlers carry them, and applied in this order. */
export const migrations: Migrations = {
  '0001_accounts': m0001Accounts,
  '0002_profiles': m0002Profiles,
  '0003_content': m0003Content,
  '0004_gates': m0004Gates,
  '0005_payments': m0005Payments,
  '0006_events': m0006Events,
  '0007_tokens': m0007Tokens,
  '0008_sign_in': m0008SignIn,
  '0009_api_keys': m0009ApiKeys,
  '0010_deletion': m0010Deletion,
  '0011_rate_limits': m0011RateLimits,
  '0012_key_parents': m0012KeyParents,
  '0013_teams': m0013Teams,
  '0014_profile_names': m0014ProfileNames,
  '0015_reactions': m0015Reactions,
  '0016_old_slugs': m0016OldSlugs,
  '0017_listings': m0017Listings,
  '0018_nonces': m0018Nonces,
  '0019_gate_versions': m0019GateVersions,
  '0020_connections': m0020Connections,
  '0021_refunds': m0021Refunds,
  '0022_commerce': m0022Commerce,
  '0023_idempotency': m0023Idempotency,
  '0024_files': m0024Files,
  '0025_jobs': m0025Jobs,
  '0026_file_texts': m0026FileTexts,
  '0027_media': m0027Media,
  '0028_subscriptions': m0028Subscriptions,
  '0029_paid_years': m0029PaidYears,
  '0031_hand_grants': m0031HandGrants,
  '0032_sellers_of_payments': m0032SellersOfPayments,
  '0033_gate_version_sizes': m0033GateVersionSizes,
  '0034_reserved_names': m0034ReservedNames,
  '0035_content_sizes': m0035ContentSizes,
  '0037_sessions': m0037Sessions,
  '0040_refund_claims': m0040RefundClaims,
  '0041_entitlements_and_deliveries': m0041EntitlementsAndDeliveries,
  '0042_buyers': m0042Buyers,
  '0043_bound_allowlists': m0043BoundAllowlists,
  '0044_event_order': m0044EventOrder,
  '0045_event_horizon': m0045EventHorizon,
  '0047_webhooks': m0047Webhooks,
  '0048_webhook_pause_notices': m0048WebhookPauseNotices,
  '0049_event_times': m0049EventTimes,
  '0050_feed': m0050Feed,
  '0051_messages': m0051Messages,
  '0052_notifications': m0052Notifications,
  '0053_webhook_pause_notice_attempts': m0053WebhookPauseNoticeAttempts,
  '0054_reports': m0054Reports,
  '0055_notification_attempts': m0055NotificationAttempts,
  '0057_trust_levels': m0057TrustLevels,
  '0058_search': m0058Search,
  '0059_search_vectors': m0059SearchVectors,
  '0060_search_newest': m0060SearchNewest,
  '0061_search_storage': m0061SearchStorage,
  '0062_gate_sessions': m0062GateSessions,
  '0063_smart_sections': m0063SmartSections,
  '0065_analytics': m0065Analytics,
  '0067_audit_log': m0067AuditLog,
  '0068_workspaces': m0068Workspaces,
  '0069_search_partitions': m0069SearchPartitions,
  '0070_workspace_documents': m0070WorkspaceDocuments,
  '0071_memory': m0071Memory,
  '0072_site_scans': m0072SiteScans,
  '0074_passkeys': m0074Passkeys,
  '0076_own_purchases': m0076OwnPurchases,
  '0079_job_origins': m0079JobOrigins,
  '0080_visibility_once_verified': m0080VisibilityOnceVerified,
  '0081_hidden_profiles': m0081HiddenProfiles,
  '0082_refused_payers': m0082RefusedPayers,
  '0086_webhook_keys': m0086WebhookKeys,
  '0092_account_language': m0092AccountLanguage,
  '0093_second_factors': m0093SecondFactors,
  '0094_search_trust': m0094SearchTrust,
  '0095_retention': m0095Retention,
  '0096_deleted_paths': m0096DeletedPaths,
  '0098_event_traces': m0098EventTraces,
  '0099_sitemap_parts': m0099SitemapParts,
  '0100_site_scan_host_ends': m0100SiteScanHostEnds,
  '0101_search_rows': m0101SearchRows,
  '0103_timeline_basis': m0103TimelineBasis,
  '0110_session_uses': m0110SessionUses,
  '0115_idempotency_facts': m0115IdempotencyFacts,
  '0116_removed_memory': m0116RemovedMemory,
  '0120_hashtags': m0120Hashtags,
  '0121_search_joiners': m0121SearchJoiners,
  '0122_webhook_retry_after': m0122WebhookRetryAfter,
  '0123_shown_files': m0123ShownFiles,
  '0130_public_event_types': m0130PublicEventTypes,
  '0131_plain_names': m0131PlainNames,
  '0135_text_encodings': m0135TextEncodings,
  '0137_owned_addresses': m0137OwnedAddresses,
  '0140_search_format': m0140SearchFormat,
  '0141_linked_images': m0141LinkedImages,
  '0143_deleted_workspaces': m0143DeletedWorkspaces,
}
