import type { Storage } from '../ports/storage/storage.ts'
import { hooksOf, type TestRunner } from './runner.ts'
import { accountDeletionCases } from './storage/account-deletion.ts'
import { accountCases } from './storage/accounts.ts'
import { apiKeyUseCases } from './storage/api-key-uses.ts'
import { apiKeyCases } from './storage/api-keys.ts'
import { auditCases } from './storage/audit.ts'
import { type Cases, createBench } from './storage/bench.ts'
import { categoryCases } from './storage/categories.ts'
import { connectionCases } from './storage/connections.ts'
import { directoryCases } from './storage/directory.ts'
import { entitlementBookCases } from './storage/entitlement-books.ts'
import { entitlementCases } from './storage/entitlements.ts'
import { eventCases, followerCases } from './storage/events.ts'
import { fileTextCases } from './storage/file-texts.ts'
import { fileCases } from './storage/files.ts'
import { gateCases } from './storage/gates.ts'
import { handGrantCases } from './storage/hand-grants.ts'
import { idempotencyCases } from './storage/idempotency.ts'
import { identityCases } from './storage/identities.ts'
import { invitationCases } from './storage/invitations.ts'
import { jobCases } from './storage/jobs.ts'
import { listingCases } from './storage/listings.ts'
import { mediaCases } from './storage/media.ts'
import { memberCases } from './storage/members.ts'
import { negotiationCases } from './storage/negotiations.ts'
import { nonceCases } from './storage/nonces.ts'
import { oldPathCases } from './storage/old-paths.ts'
import { pageVersionCases } from './storage/page-versions.ts'
import { pageCases } from './storage/pages.ts'
import { paidYearCases } from './storage/paid-years.ts'
import { paymentOutcomeCases } from './storage/payment-outcomes.ts'
import { paymentClaimCases } from './storage/payments.ts'
import { payoutCases } from './storage/payouts.ts'
import { pricingCases } from './storage/pricing.ts'
import { profileNameCases } from './storage/profile-names.ts'
import { profileNumberCases } from './storage/profile-numbers.ts'
import { profileCases } from './storage/profiles.ts'
import { purgeCases } from './storage/purge.ts'
import { reactionCases } from './storage/reactions.ts'
import { receiptCases } from './storage/receipts.ts'
import { categoryOrderCases, pageOrderCases } from './storage/reorder.ts'
import { reviewCases, serviceCases } from './storage/services.ts'
import { sessionCases } from './storage/sessions.ts'
import { subscriptionLeaseCases } from './storage/subscription-leases.ts'
import { subscriptionCases } from './storage/subscriptions.ts'
import { takeOverCases } from './storage/take-over.ts'
import { tokenCases } from './storage/tokens.ts'
import { transactionCases } from './storage/transactions.ts'
import { transferCases } from './storage/transfers.ts'
import { walletCases } from './storage/wallets.ts'
import { withdrawalCases } from './storage/withdrawal.ts'

const groups: Readonly<Record<string, readonly Cases[]>> = {
  accounts: [accountCases, accountDeletionCases, takeOverCases],
  sessions: [sessionCases],
  tokens: [tokenCases],
  identities: [identityCases],
  wallets: [walletCases],
  payouts: [payoutCases],
  apiKeys: [apiKeyCases, apiKeyUseCases],
  profiles: [profileCases, profileNameCases, profileNumberCases, withdrawalCases],
  members: [memberCases],
  invitations: [invitationCases],
  transfers: [transferCases],
  categories: [categoryCases, categoryOrderCases],
  pages: [pageCases, pageVersionCases, pageOrderCases],
  oldPaths: [oldPathCases],
  reactions: [reactionCases],
  connections: [connectionCases],
  gates: [gateCases],
  listings: [listingCases],
  directory: [directoryCases],
  entitlements: [entitlementCases, entitlementBookCases, handGrantCases],
  nonces: [nonceCases],
  idempotency: [idempotencyCases],
  payments: [paymentClaimCases, paymentOutcomeCases],
  receipts: [receiptCases],
  files: [fileCases],
  fileTexts: [fileTextCases],
  jobs: [jobCases],
  media: [mediaCases],
  services: [serviceCases, reviewCases],
  negotiations: [negotiationCases],
  subscriptions: [subscriptionCases, subscriptionLeaseCases],
  pricing: [pricingCases],
  paidYears: [paidYearCases],
  audit: [auditCases],
  events: [eventCases, followerCases],
  transactions: [transactionCases],
  purge: [purgeCases],
}

export interface StorageContractOptions {
  /**
   * Groups to leave out, by name: `accounts`, `sessions`, `tokens`, `identities`, `wallets`, `payouts`, `apiKeys`, `profiles`,
   * `members`, `invitations`, `transfers`, `categories`, `pages`, `oldPaths`, `reactions`, `connections`, `gates`,
   * `listings`, `directory`, `entitlements`, `nonces`, `idempotency`, `payments`, `receipts`, `files`, `fileTexts`, `jobs`, `media`, `services`, `negotiations`, `subscriptions`, `pricing`, `paidYears`, `audit`, `events`, `transactions`, `purge`.
   */
  readonly skip?: readonly string[] | undefined
}

/**
 * Runs the contract of a {@link Storage} as test cases, a group for each store. The cases make their own accounts and
 * profiles under fresh names and empty nothing, so they also run on a storage that holds something.
 *
 * @param create - makes the storage, ready to be used; called once, and what it made is closed at the end
 * @throws TypeError when a group is to be skipped that does not exist
 */
export function storageContract(
  runner: TestRunner,
  create: () => Promise<Storage> | Storage,
  { skip = [] }: StorageContractOptions = {},
): void {
  const unknown = skip.filter((name) => !Object.hasOwn(groups, name))
  if (unknown.length > 0) throw new TypeError(`The storage contract has no group ${unknown.join(', ')}`)

  const { describe, it } = runner
  const { beforeAll, afterAll } = hooksOf(runner)

  describe('storage', () => {
    let made: Storage | undefined
    beforeAll(async () => {
      made = await create()
    })
    afterAll(async () => {
      await made?.close()
    })
    const bench = createBench(() => {
      if (!made) throw new Error('The storage was not made')
      return made
    })
    for (const [name, parts] of Object.entries(groups)) {
      if (skip.includes(name)) continue
      describe(name, () => {
        for (const cases of parts) cases(it, bench)
      })
    }
  })
}
