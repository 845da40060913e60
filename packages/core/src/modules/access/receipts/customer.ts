import { z } from 'zod'
import { isEepError } from '../../../kernel/errors.ts'
import type { Customer, CustomerRecord } from '../../../ports/storage/customers.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { atomic } from './schemas.ts'

/** The id of a customer, for its seller alone. */
interface Identified {
  /** `cus_…`: the same for all purchases of a customer at a profile, and another one at each profile. */
  readonly id: string
}

/** A customer as its seller sees it. Sellers see neither email addresses, except those that buyers share with a sale, nor purchases at other sellers. */
export type SellerCustomer = Identified &
  (
    | {
        readonly kind: 'account'
        /** The public profile of the account without its gated fields; undefined when it is not public. */
        readonly profile: Profile | undefined
      }
    | { readonly kind: 'agent'; readonly did: string }
    /** The wallet is a shortened address. */
    | { readonly kind: 'wallet'; readonly wallet: string; readonly network: string }
    /** A guest who paid by card. Numbers of eight digits distinguish guests. */
    | { readonly kind: 'card'; readonly number: number }
    /** All accounts that bought here and were deleted. */
    | { readonly kind: 'erased' }
  )

/** A customer, and what it bought. */
export type CustomerSales = Pick<CustomerRecord, 'purchases' | 'refunds' | 'firstAt' | 'lastAt' | 'titles' | 'sums'> & {
  readonly customer: SellerCustomer
}

/** A long address in short: `0x1234…cdef`. */
const shortWallet = (wallet: string): string =>
  wallet.length > 13 ? `${wallet.slice(0, 6)}…${wallet.slice(-4)}` : wallet

export interface CustomerDeps {
  readonly profiles: Pick<ProfileService, 'findRedacted'>
  /** The rails whose payers have no wallet. */
  readonly cardRails: ReadonlySet<string>
}

/** Shows customers to their sellers. */
export function createCustomers({ profiles, cardRails }: CustomerDeps) {
  /** The public profile with a username; undefined when it changed meanwhile. */
  const publicProfile = async (username: string): Promise<Profile | undefined> =>
    profiles.findRedacted('person', username).then(
      (profile) => (profile.visibility === 'public' ? profile : undefined),
      (error: unknown) => {
        if (isEepError(error) && error.status < 500) return undefined
        throw error
      },
    )

  return async function show(customer: Customer): Promise<SellerCustomer> {
    const { kind, username, payerDid, rail, payerWalletAddress, payerNetwork: network } = customer
    const id = `cus_${customer.id.slice(0, 32)}`
    const guest = {
      id,
      kind: 'card',
      number: 10_000_000 + (Number.parseInt(customer.id.slice(-12), 16) % 90_000_000),
    } as const
    switch (kind) {
      case 'account':
        return { id, kind, profile: username === null ? undefined : await publicProfile(username) }
      case 'agent':
        return { id, kind, did: payerDid ?? payerWalletAddress }
      case 'buyer':
        return guest
      case 'payer':
        return cardRails.has(rail) ? guest : { id, kind: 'wallet', wallet: shortWallet(payerWalletAddress), network }
      case 'erased':
        return { id, kind }
    }
  }
}

export type ShowCustomer = ReturnType<typeof createCustomers>

/** A customer on the wire. */
export const customerSchema = z
  .object({
    id: z.string().meta({ description: 'The same for all purchases of a customer at a profile' }),
    kind: z.enum(['account', 'agent', 'wallet', 'card', 'erased']),
    name: z.string().nullable().meta({ description: 'Of an account with a public profile; else null, as below' }),
    username: z.string().nullable(),
    avatar_url: z.string().nullable(),
    did: z.string().nullable().meta({ description: 'Of an agent' }),
    wallet: z.string().nullable().meta({ description: 'The shortened address of a wallet' }),
    network: z.string().nullable().meta({ description: 'Of the wallet' }),
    number: z.int().nullable().meta({ description: 'Distinguishes guests who pay by card' }),
  })
  .meta({ id: 'Customer' })

/** A customer and its purchases on the wire. */
export const customerSalesSchema = customerSchema
  .extend({
    purchases: z.int(),
    refunds: z.int(),
    first_purchase_at: z.iso.datetime(),
    last_purchase_at: z.iso.datetime(),
    titles: z.array(z.string()).meta({ description: 'Of the latest purchases' }),
    spent: z.array(
      z.object({ network: z.string(), asset: z.string(), currency: z.string(), gross: atomic, refunded: atomic }),
    ),
  })
  .meta({ id: 'CustomerSales' })

/** The name of a customer; null where it has none that its seller may see. */
export const nameOfCustomer = (customer: SellerCustomer): string | null =>
  customer.kind === 'account' && customer.profile ? (customer.profile.fullName ?? customer.profile.username) : null

/** Serializes a customer. */
export const serializeCustomer = (customer: SellerCustomer) => ({
  id: customer.id,
  kind: customer.kind,
  name: nameOfCustomer(customer),
  username: (customer.kind === 'account' && customer.profile?.username) || null,
  avatar_url: (customer.kind === 'account' && customer.profile?.avatarUrl) || null,
  did: customer.kind === 'agent' ? customer.did : null,
  wallet: customer.kind === 'wallet' ? customer.wallet : null,
  network: customer.kind === 'wallet' ? customer.network : null,
  number: customer.kind === 'card' ? customer.number : null,
})

/** Serializes a customer with its purchases. */
export const serializeCustomerSales = ({
  customer,
  purchases,
  refunds,
  firstAt,
  lastAt,
  titles,
  sums,
}: CustomerSales) => ({
  ...serializeCustomer(customer),
  purchases,
  refunds,
  first_purchase_at: firstAt.toISOString(),
  last_purchase_at: lastAt.toISOString(),
  titles: [...titles],
  spent: sums.map((sum) => ({ ...sum })),
})
