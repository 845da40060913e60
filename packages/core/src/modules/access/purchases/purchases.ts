import type { Page, PageRequest } from '../../../kernel/page.ts'
import { normalWallet } from '../../../kernel/wallet.ts'
import type { ActingApp } from '../../../model/acting-app.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import type { PayerHint } from '../../../model/payer.ts'
import { receiptTexts } from '../../../model/receipt-texts.ts'
import { SERVICE_PROFILE_ID } from '../../../ports/payment-rail.ts'
import type { BuyerReceiptFacts } from '../../../ports/receipt-renderer.ts'
import type { OwnPurchase, PurchaseOwner } from '../../../ports/storage/entitlements.ts'
import type { Receipt } from '../../../ports/storage/payments.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import { buyersIn } from '../paywall/index.ts'
import { type ReceiptService, receiptNotFound, validUntil } from '../receipts/index.ts'
import { purchasesUnproven } from './errors.ts'

/** What a request proves about who bought: its account, and the payer of its signed cookie. */
export interface PurchaseVisitor {
  readonly caller: Caller | undefined
  readonly payer: PayerHint | undefined
}

/** The event that a purchase is a ticket for. Its buyers see when it is, whatever the gate of the profile closes. */
export interface TicketEvent {
  readonly name: string
  /** As its owner wrote it. */
  readonly startsAt: string
  readonly timezone: string | undefined
}

/** Knows the apps by which accounts bought. */
export interface BuyingApps {
  /** Returns the apps that bought what receipts of an account show, by id of the receipt. */
  of(accountId: string, receiptIds: readonly string[]): Promise<ReadonlyMap<string, ActingApp>>
  /** Shows on pages that an app bought something. */
  text(page: PageLanguage, app: ActingApp): string
}

/** A purchase, and its seller. The members of the seller are null when the profile was deleted, or is not shown. */
export interface NamedPurchase extends OwnPurchase {
  readonly sellerName: string | null
  /** The path of the profile. */
  readonly sellerPath: string | null
  /** Null, too, for what is not sold by an event with a time. */
  readonly event: TicketEvent | null
  /** The app by which the caller bought it; only in lists. */
  readonly app?: ActingApp | undefined
}

type Seller = Pick<NamedPurchase, 'sellerName' | 'sellerPath' | 'event'>

const NO_SELLER: Seller = { sellerName: null, sellerPath: null, event: null }

export interface PurchasesDeps {
  readonly read: Readers
  readonly pdf: ReceiptService['pdf']
}

/** A payer as the owner of purchases. */
function ownerOfPayer(payer: PayerHint): PurchaseOwner {
  const buyers = buyersIn(payer)
  return buyers
    ? { buyers }
    : { payer: { payerWalletAddress: normalWallet(payer.wallet), payerNetwork: payer.network } }
}

/**
 * Purchases belong to an account, so a key that is bound to one of its profiles proves nothing.
 *
 * @throws `purchases_unproven`
 */
function ownerOf({ caller, payer }: PurchaseVisitor): PurchaseOwner {
  const account = caller?.profileId === undefined ? caller?.account : undefined
  if (!account && !payer) throw purchasesUnproven()
  return { ...(account && { accountId: account.id }), ...(payer && ownerOfPayer(payer)) }
}

/** The key for the limit of concurrent PDFs. */
const visitorKey = ({ caller, payer }: PurchaseVisitor) => caller?.account.id ?? payer?.wallet ?? ''

/** When the access that a receipt gives ends; undefined for a plan, whose end depends on the plans before it. */
export function endOfAccess({ per, issuedAt, seller }: Receipt): BuyerReceiptFacts['openUntil'] {
  if (seller.profileId === SERVICE_PROFILE_ID) return undefined
  return per === 'request' ? 'once' : (validUntil(per, issuedAt) ?? 'permanent')
}

/** The texts of a receipt for a person. */
const factsOf = ({ receipt, purchase, sellerName, event }: NamedPurchase, reader: PageLanguage): BuyerReceiptFacts => ({
  language: reader.language ?? 'en',
  texts: receiptTexts(reader),
  seller: sellerName,
  item: purchase.shown.description || receipt.resource,
  openUntil: endOfAccess(receipt),
  event: event ? { name: event.name, at: clockTime(event) } : undefined,
})

/** The time of an event, as its owner wrote it, with its zone: it needs no letters that a font may lack. */
const clockTime = ({ startsAt, timezone }: TicketEvent): string =>
  [startsAt.replace('T', ' ').replace(/Z$/i, ' UTC'), timezone && `(${timezone})`].filter(Boolean).join(' ')

function eventOf({ type, typeData, fullName, username }: Profile): TicketEvent | null {
  const { starts_at: startsAt, timezone } = typeData
  if (type !== 'event' || typeof startsAt !== 'string') return null
  return { name: fullName ?? username, startsAt, timezone: typeof timezone === 'string' ? timezone : undefined }
}

/** Returns the seller of a purchase, as far as it is shown. */
export async function sellerOf(read: Pick<Readers, 'profiles'>, profileId: number): Promise<Seller> {
  const profile = await read.profiles.get(profileId)
  if (!profile || profile.withdrawnAt || profile.visibility === 'private') return NO_SELLER
  return {
    sellerName: profile.fullName ?? profile.username,
    sellerPath: profilePath(profile),
    event: eventOf(profile),
  }
}

/** The purchases of visitors, with or without an account. */
export function createPurchases({ read, pdf }: PurchasesDeps) {
  let buyingApps: BuyingApps | undefined
  const store = () => requireGroup(read, 'openPurchases').openPurchases

  /** Adds the sellers. Each is read once. */
  async function named(purchases: readonly OwnPurchase[]): Promise<readonly NamedPurchase[]> {
    const ids = new Set(purchases.map(({ receipt }) => receipt.seller.profileId))
    const sellers = new Map(await Promise.all([...ids].map(async (id) => [id, await sellerOf(read, id)] as const)))
    return purchases.map((each) => ({ ...each, ...(sellers.get(each.receipt.seller.profileId) ?? NO_SELLER) }))
  }

  /** Apps are shown to the account for which they bought, and to no payer. */
  async function appsOf(visitor: PurchaseVisitor, purchases: readonly OwnPurchase[]) {
    const { accountId } = ownerOf(visitor)
    const ids = purchases.map(({ receipt }) => receipt.receiptId)
    return accountId === undefined || ids.length === 0 ? undefined : buyingApps?.of(accountId, ids)
  }

  return {
    /** Adds the apps to purchases. Called by the module of connected apps when it is created. */
    announceApps(announced: BuyingApps): void {
      buyingApps = announced
    },

    /** Shows on pages that an app bought something. */
    appText: (page: PageLanguage, app: ActingApp): string | undefined => buyingApps?.text(page, app),

    /**
     * Returns the purchases of a visitor, newest first: those of its account, and those of the payer that its cookie proves.
     *
     * @throws `purchases_unproven`, `invalid_cursor`
     */
    async list(visitor: PurchaseVisitor, request: PageRequest): Promise<Page<NamedPurchase>> {
      const page = await store().listOf(ownerOf(visitor), request)
      const [items, apps] = await Promise.all([named(page.items), appsOf(visitor, page.items)])
      return { ...page, items: items.map((item) => ({ ...item, app: apps?.get(item.receipt.receiptId) })) }
    },

    /** Returns the receipt of a purchase as PDF for the person who paid, in the language of the reader. Undefined when the host renders none. */
    pdf:
      pdf &&
      (async (receiptId: string, visitor: PurchaseVisitor, reader: PageLanguage): Promise<Uint8Array> => {
        const found = await store().getOf(ownerOf(visitor), receiptId)
        const [purchase] = found ? await named([found]) : []
        if (!purchase) throw receiptNotFound()
        return pdf(purchase.receipt, visitorKey(visitor), factsOf(purchase, reader))
      }),

    /** Whether a payer has bought anything. */
    async hasAny(payer: PayerHint): Promise<boolean> {
      const { items } = await store().listOf(ownerOfPayer(payer), { limit: 1 })
      return items.length > 0
    },
  }
}

/** The purchases of visitors. */
export type PurchaseService = ReturnType<typeof createPurchases>
