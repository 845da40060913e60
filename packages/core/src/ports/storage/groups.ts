import type { AccountReader, AccountStore } from './accounts.ts'
import type { DirectoryReader } from './admin.ts'
import type { NonceReader, NonceStore } from './agents.ts'
import type { AgreementReader, AgreementStore } from './agreements.ts'
import type { AnalyticsReader, AnalyticsStore } from './analytics.ts'
import type { ApiKeyReader, ApiKeyStore } from './api-keys.ts'
import type { AppSpendingReader, AppSpendingStore } from './app-spending.ts'
import type { AuditReader, AuditStore } from './audit.ts'
import type { AuditLogReader, AuditLogStore } from './audit-log.ts'
import type { NegotiationReader, NegotiationStore } from './commerce.ts'
import type { ConnectedAppReader, ConnectedAppStore } from './connected-apps.ts'
import type { ConnectionReader, ConnectionStore } from './connections.ts'
import type {
  CategoryReader,
  CategoryStore,
  OldPathReader,
  OldPathStore,
  OrderingStore,
  PageReader,
  PageStore,
  PageVersionReader,
  PageVersionStore,
} from './content.ts'
import type { CustomerReader } from './customers.ts'
import type { SiteIndexReader } from './discovery.ts'
import type { PaymentDisputeStore } from './disputes.ts'
import type {
  EntitlementReader,
  EntitlementStore,
  GrantReader,
  GrantStore,
  OpenPurchaseReader,
} from './entitlements.ts'
import type {
  ChangelogReader,
  EventReader,
  EventRetentionReader,
  EventRetentionStore,
  EventStore,
  FollowerStore,
} from './events.ts'
import type { ExpiredStore } from './expired.ts'
import type { FeedReader, FeedStore } from './feed.ts'
import type { FileTextReader, FileTextStore } from './file-texts.ts'
import type { FileReader, FileStore } from './files.ts'
import type { GateSessionReader, GateSessionStore } from './gate-sessions.ts'
import type { GateReader, GateStore, GateVersionReader, GateVersionStore } from './gates.ts'
import type { HiddenProfileStore } from './hidden-profiles.ts'
import type { IdempotencyReader, IdempotencyStore } from './idempotency.ts'
import type { JobReader, JobStore } from './jobs.ts'
import type { ListingReader, ListingStore } from './listings.ts'
import type { MediaReader, MediaStore } from './media.ts'
import type { MemoryReader, MemoryStore } from './memory.ts'
import type { MessageReader, MessageStore } from './messages.ts'
import type { NotificationReader, NotificationStore } from './notifications.ts'
import type { IdentityReader, IdentityStore } from './oauth.ts'
import type {
  PageDraftReader,
  PageDraftStore,
  ScheduledPublicationReader,
  ScheduledPublicationStore,
} from './page-drafts.ts'
import type { PagePreviewLinkReader, PagePreviewLinkStore } from './page-previews.ts'
import type { PaidRequestReader, PaidRequestStore } from './paid-requests.ts'
import type { PasskeyReader, PasskeyStore } from './passkeys.ts'
import type {
  PaymentReader,
  PaymentStore,
  ReceiptReader,
  ReceiptStore,
  RefundReader,
  RefundStore,
  SalesReader,
} from './payments.ts'
import type { PrepaidPlanReader, PrepaidPlanStore } from './prepaid-plans.ts'
import type { PricedResourceReader, PricedResourceStore } from './priced-resources.ts'
import type {
  ProfileNameReader,
  ProfileNameStore,
  ProfileNumberReader,
  ProfileReader,
  ProfileStore,
} from './profiles.ts'
import type { ReactionReader, ReactionStore } from './reactions.ts'
import type { ReportReader, ReportStore } from './reports.ts'
import type {
  SandboxMailReader,
  SandboxMailStore,
  SandboxPaymentReader,
  SandboxPaymentStore,
  SandboxPlanReader,
  SandboxPlanStore,
  SandboxWalletReader,
  SandboxWalletStore,
} from './sandbox.ts'
import type { SearchSourceReader } from './search.ts'
import type { SecondFactorReader, SecondFactorStore } from './second-factors.ts'
import type { SessionReader, SessionStore } from './sessions.ts'
import type { SiteScanStore } from './site-scans.ts'
import type { SmartSectionReader, SmartSectionStore } from './smart-sections.ts'
import type { PricingReader, PricingStore, SubscriptionReader, SubscriptionStore } from './subscriptions.ts'
import type {
  InvitationReader,
  InvitationStore,
  MemberReader,
  MemberStore,
  TransferReader,
  TransferStore,
} from './teams.ts'
import type { TokenReader, TokenStore } from './tokens.ts'
import type { TrustLevelStore } from './trust-levels.ts'
import type { PayoutReader, PayoutStore, WalletReader, WalletStore } from './wallets.ts'
import type { WebhookReader, WebhookStore } from './webhooks.ts'
import type {
  DocumentCommentReader,
  DocumentCommentStore,
  WorkspaceDocumentReader,
  WorkspaceDocumentStore,
} from './workspace-documents.ts'
import type {
  WorkspaceActivityReader,
  WorkspaceActivityStore,
  WorkspaceInvitationReader,
  WorkspaceInvitationStore,
  WorkspaceMemberReader,
  WorkspaceMemberStore,
  WorkspaceReader,
  WorkspaceStore,
} from './workspaces.ts'

/** The two halves of a store: the reader, available at any time, and the store, available inside a transaction only. */
interface Halves<Reader, Store extends Reader> {
  readonly reader: Reader
  readonly store: Store
}

/** The reading half of a store without reading methods. */
type NoReader = Readonly<Record<never, never>>

/** The required group, which every storage has: accounts, profiles, content, gates and payments. */
export interface RequiredStores {
  readonly accounts: Halves<AccountReader, AccountStore>
  readonly sessions: Halves<SessionReader, SessionStore>
  readonly tokens: Halves<TokenReader, TokenStore>
  readonly profiles: Halves<ProfileReader, ProfileStore>
  readonly categories: Halves<CategoryReader, CategoryStore>
  readonly pages: Halves<PageReader, PageStore>
  readonly gates: Halves<GateReader, GateStore>
  readonly entitlements: Halves<EntitlementReader, EntitlementStore>
  readonly payments: Halves<PaymentReader, PaymentStore>
  readonly receipts: Halves<ReceiptReader, ReceiptStore>
  readonly nonces: Halves<NonceReader, NonceStore>
  readonly idempotency: Halves<IdempotencyReader, IdempotencyStore>
  readonly expired: Halves<NoReader, ExpiredStore>
  readonly events: Halves<EventReader, EventStore>
}

/**
 * The optional groups, each with its stores. A module lists the groups it needs in `stores`, and is off when the storage
 * lacks one. A new module with a table adds its group here, to {@link STORES_OF_GROUP} and to {@link ERASING_STORE}.
 */
export interface OptionalGroups {
  readonly teams: {
    readonly members: Halves<MemberReader, MemberStore>
    readonly invitations: Halves<InvitationReader, InvitationStore>
    readonly transfers: Halves<TransferReader, TransferStore>
  }
  readonly apiKeys: { readonly apiKeys: Halves<ApiKeyReader, ApiKeyStore> }
  readonly connectedApps: {
    readonly connectedApps: Halves<ConnectedAppReader, ConnectedAppStore>
    readonly appSpending: Halves<AppSpendingReader, AppSpendingStore>
  }
  readonly identities: { readonly identities: Halves<IdentityReader, IdentityStore> }
  readonly passkeys: { readonly passkeys: Halves<PasskeyReader, PasskeyStore> }
  readonly secondFactors: { readonly secondFactors: Halves<SecondFactorReader, SecondFactorStore> }
  readonly wallets: {
    readonly wallets: Halves<WalletReader, WalletStore>
    readonly payouts: Halves<PayoutReader, PayoutStore>
  }
  readonly connections: { readonly connections: Halves<ConnectionReader, ConnectionStore> }
  readonly profileNames: { readonly profileNames: Halves<ProfileNameReader, ProfileNameStore> }
  readonly hiddenProfiles: { readonly hiddenProfiles: Halves<NoReader, HiddenProfileStore> }
  readonly profileNumbers: { readonly profileNumbers: Halves<ProfileNumberReader, ProfileNumberReader> }
  readonly gateVersions: { readonly gateVersions: Halves<GateVersionReader, GateVersionStore> }
  readonly agreements: { readonly agreements: Halves<AgreementReader, AgreementStore> }
  readonly sales: {
    readonly sales: Halves<SalesReader, SalesReader>
    readonly refunds: Halves<RefundReader, RefundStore>
    readonly grants: Halves<GrantReader, GrantStore>
    readonly disputes: Halves<NoReader, PaymentDisputeStore>
    readonly customers: Halves<CustomerReader, CustomerReader>
  }
  readonly paidRequests: { readonly paidRequests: Halves<PaidRequestReader, PaidRequestStore> }
  readonly openPurchases: { readonly openPurchases: Halves<OpenPurchaseReader, OpenPurchaseReader> }
  readonly changelog: { readonly changelog: Halves<ChangelogReader, ChangelogReader> }
  readonly followers: { readonly followers: Halves<NoReader, FollowerStore> }
  readonly eventRetention: { readonly eventRetention: Halves<EventRetentionReader, EventRetentionStore> }
  readonly pageVersions: { readonly pageVersions: Halves<PageVersionReader, PageVersionStore> }
  readonly pageDrafts: {
    readonly pageDrafts: Halves<PageDraftReader, PageDraftStore>
    readonly scheduledPublications: Halves<ScheduledPublicationReader, ScheduledPublicationStore>
    readonly pagePreviewLinks: Halves<PagePreviewLinkReader, PagePreviewLinkStore>
  }
  readonly ordering: { readonly ordering: Halves<NoReader, OrderingStore> }
  readonly oldPaths: { readonly oldPaths: Halves<OldPathReader, OldPathStore> }
  readonly jobs: { readonly jobs: Halves<JobReader, JobStore> }
  readonly files: { readonly files: Halves<FileReader, FileStore> }
  readonly fileTexts: { readonly fileTexts: Halves<FileTextReader, FileTextStore> }
  readonly media: { readonly media: Halves<MediaReader, MediaStore> }
  readonly reactions: { readonly reactions: Halves<ReactionReader, ReactionStore> }
  readonly feed: { readonly feed: Halves<FeedReader, FeedStore> }
  readonly negotiations: { readonly negotiations: Halves<NegotiationReader, NegotiationStore> }
  readonly listings: { readonly listings: Halves<ListingReader, ListingStore> }
  readonly messages: { readonly messages: Halves<MessageReader, MessageStore> }
  readonly reports: { readonly reports: Halves<ReportReader, ReportStore> }
  readonly subscriptions: {
    readonly subscriptions: Halves<SubscriptionReader, SubscriptionStore>
    readonly pricing: Halves<PricingReader, PricingStore>
    readonly prepaidPlans: Halves<PrepaidPlanReader, PrepaidPlanStore>
  }
  readonly trustLevels: { readonly trustLevels: Halves<NoReader, TrustLevelStore> }
  readonly gateSessions: { readonly gateSessions: Halves<GateSessionReader, GateSessionStore> }
  readonly smartSections: { readonly smartSections: Halves<SmartSectionReader, SmartSectionStore> }
  readonly siteScans: { readonly siteScans: Halves<NoReader, SiteScanStore> }
  readonly sandbox: {
    readonly sandboxWallets: Halves<SandboxWalletReader, SandboxWalletStore>
    readonly sandboxPayments: Halves<SandboxPaymentReader, SandboxPaymentStore>
    readonly sandboxPlans: Halves<SandboxPlanReader, SandboxPlanStore>
    readonly sandboxMail: Halves<SandboxMailReader, SandboxMailStore>
  }
  readonly siteIndex: { readonly siteIndex: Halves<SiteIndexReader, SiteIndexReader> }
  readonly pricedResources: { readonly pricedResources: Halves<PricedResourceReader, PricedResourceStore> }
  readonly directory: { readonly directory: Halves<DirectoryReader, DirectoryReader> }
  readonly audit: { readonly audit: Halves<AuditReader, AuditStore> }
  readonly auditLog: { readonly auditLog: Halves<AuditLogReader, AuditLogStore> }
  readonly webhooks: { readonly webhooks: Halves<WebhookReader, WebhookStore> }
  readonly notifications: { readonly notifications: Halves<NotificationReader, NotificationStore> }
  readonly searchSources: { readonly searchSources: Halves<SearchSourceReader, SearchSourceReader> }
  readonly analytics: { readonly analytics: Halves<AnalyticsReader, AnalyticsStore> }
  readonly memory: { readonly memory: Halves<MemoryReader, MemoryStore> }
  readonly workspaces: {
    readonly workspaces: Halves<WorkspaceReader, WorkspaceStore>
    readonly workspaceMembers: Halves<WorkspaceMemberReader, WorkspaceMemberStore>
    readonly workspaceInvitations: Halves<WorkspaceInvitationReader, WorkspaceInvitationStore>
    readonly workspaceActivity: Halves<WorkspaceActivityReader, WorkspaceActivityStore>
    readonly workspaceDocuments: Halves<WorkspaceDocumentReader, WorkspaceDocumentStore>
    readonly documentComments: Halves<DocumentCommentReader, DocumentCommentStore>
  }
}

/** The name of an optional group. */
export type OptionalGroup = keyof OptionalGroups

/** The stores of each optional group. */
export const STORES_OF_GROUP = {
  teams: ['members', 'invitations', 'transfers'],
  apiKeys: ['apiKeys'],
  connectedApps: ['connectedApps', 'appSpending'],
  identities: ['identities'],
  passkeys: ['passkeys'],
  secondFactors: ['secondFactors'],
  wallets: ['wallets', 'payouts'],
  connections: ['connections'],
  profileNames: ['profileNames'],
  hiddenProfiles: ['hiddenProfiles'],
  profileNumbers: ['profileNumbers'],
  gateVersions: ['gateVersions'],
  agreements: ['agreements'],
  sales: ['sales', 'refunds', 'grants', 'disputes', 'customers'],
  paidRequests: ['paidRequests'],
  openPurchases: ['openPurchases'],
  changelog: ['changelog'],
  followers: ['followers'],
  eventRetention: ['eventRetention'],
  pageVersions: ['pageVersions'],
  pageDrafts: ['pageDrafts', 'scheduledPublications', 'pagePreviewLinks'],
  ordering: ['ordering'],
  oldPaths: ['oldPaths'],
  jobs: ['jobs'],
  files: ['files'],
  fileTexts: ['fileTexts'],
  media: ['media'],
  reactions: ['reactions'],
  feed: ['feed'],
  negotiations: ['negotiations'],
  listings: ['listings'],
  messages: ['messages'],
  reports: ['reports'],
  subscriptions: ['subscriptions', 'pricing', 'prepaidPlans'],
  trustLevels: ['trustLevels'],
  gateSessions: ['gateSessions'],
  smartSections: ['smartSections'],
  siteScans: ['siteScans'],
  sandbox: ['sandboxWallets', 'sandboxPayments', 'sandboxPlans', 'sandboxMail'],
  siteIndex: ['siteIndex'],
  pricedResources: ['pricedResources'],
  directory: ['directory'],
  audit: ['audit'],
  auditLog: ['auditLog'],
  webhooks: ['webhooks'],
  notifications: ['notifications'],
  searchSources: ['searchSources'],
  analytics: ['analytics'],
  memory: ['memory'],
  workspaces: [
    'workspaces',
    'workspaceMembers',
    'workspaceInvitations',
    'workspaceActivity',
    'workspaceDocuments',
    'documentComments',
  ],
} as const satisfies { readonly [Group in OptionalGroup]: readonly (keyof OptionalGroups[Group])[] }

/** The names of all optional groups. */
export const OPTIONAL_GROUPS = Object.keys(STORES_OF_GROUP) as readonly OptionalGroup[]

/** The stores of some optional groups, in one object. */
type StoresIn<Group extends OptionalGroup> = [Group] extends [never]
  ? unknown
  : (Group extends unknown ? (each: OptionalGroups[Group]) => void : never) extends (all: infer All) => void
    ? All
    : never

type Half<Stores, Which extends 'reader' | 'store'> = {
  readonly [Name in keyof Stores]: Stores[Name] extends Halves<infer Reader, infer Store>
    ? Which extends 'reader'
      ? Reader
      : Store
    : never
}

/**
 * The reading halves, available outside transactions. The stores of the given optional groups exist; those of others may be
 * missing.
 */
export type Readers<With extends OptionalGroup = never> = Half<RequiredStores, 'reader'> &
  Partial<Half<StoresIn<OptionalGroup>, 'reader'>> &
  Half<StoresIn<With>, 'reader'>

/** The writing halves, available inside transactions only. */
export type Stores<With extends OptionalGroup = never> = Half<RequiredStores, 'store'> &
  Partial<Half<StoresIn<OptionalGroup>, 'store'>> &
  Half<StoresIn<With>, 'store'>
