import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Account } from '../../model/account.ts'
import type { Plan } from '../../model/plan.ts'
import type { ProfileType } from '../../model/profile-type.ts'
import type { SubscriptionStatus } from '../../model/subscription-status.ts'
import type { Subscription } from './subscriptions.ts'

/** Filters for accounts; omitted members match everything. */
export interface AccountQuery {
  /** A part of the email address or username, case-insensitively, or a complete id. */
  readonly text?: string | undefined
  /** A whole email address, case-insensitively. */
  readonly email?: string | undefined
  readonly tier?: Plan | undefined
  readonly banned?: boolean | undefined
  readonly isAdmin?: boolean | undefined
}

/** An account as administrators see it. */
export interface ListedAccount {
  readonly account: Account
  /** Its subscription. */
  readonly subscription: Pick<Subscription, 'tier' | 'processor' | 'status' | 'currentPeriodEnd'> | null
}

/** Statistics of the service. */
export interface ServiceNumbers {
  readonly accounts: {
    readonly total: number
    readonly verified: number
    readonly banned: number
    readonly leaving: number
    /** Registered since the requested time. */
    readonly recent: number
    readonly byTier: { readonly [Name in Plan]?: number }
  }
  readonly profiles: { readonly total: number; readonly byType: { readonly [Type in ProfileType]?: number } }
  readonly pages: { readonly total: number; readonly published: number }
  readonly files: { readonly total: number; readonly bytes: number }
  readonly subscriptions: { readonly byStatus: { readonly [Status in SubscriptionStatus]?: number } }
  readonly receipts: { readonly total: number; readonly recent: number }
}

/** Queries of administrators over all accounts. */
export interface DirectoryReader {
  /** The latest registrations first. */
  listAccounts(query: AccountQuery, request: PageRequest): Promise<Page<ListedAccount>>
  /** Returns an account with its subscription, as administrators see it; undefined when it does not exist. */
  getAccount(id: string): Promise<ListedAccount | undefined>
  /** Counts everything. `recent` counts since the given time. */
  measure(since: Date): Promise<ServiceNumbers>
}
