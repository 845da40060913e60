import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../../../model/caller.ts'
import { PROFILE_RESOURCE } from '../../../../model/profile-fields.ts'
import { isWildcard } from '../../../../model/resource-name.ts'
import { covers } from '../../../../model/resource-pattern.ts'
import type { CredentialHeaders } from '../../../../ports/payment-rail.ts'
import { credentialsOf } from '../access/require-access.ts'
import type { ResourceTable } from '../access/resource-table.ts'
import type { Visitor } from '../access/visitor.ts'
import { nothingToPay, notSoldThere } from '../errors.ts'
import type { Paywall } from '../service.ts'
import { requireSpending } from './app-spending.ts'
import type { Sale } from './sale.ts'

/** The purchase: a resource by its name or path, and the tier where several sell it. */
export const purchaseCoordinatesSchema = {
  did: z.string().min(1).max(512),
  resource: z.string().min(1).max(1_024),
  tier: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/)
    .optional(),
  link_key: z
    .string()
    .max(64)
    .optional()
    .describe('The `key` in the address of a file of an unlisted profile, which is not found without it'),
  /** A tier asks for one payment, so this is 0. */
  requirement_index: z.literal(0).optional(),
}

/** The purchase that a request names. */
export interface PurchaseCoordinates {
  readonly did: string
  readonly resource: string
  readonly tier?: string | undefined
  /** The key in the address of a file of an unlisted profile. */
  readonly link_key?: string | undefined
  /** Whether the resource may be a wildcard. Default: false. */
  readonly wildcards?: boolean | undefined
}

export interface ResolvePurchaseDeps {
  readonly paywall: Paywall
  readonly resources: ResourceTable
}

/** Finds the sale of a resource that a request names without requesting the resource. */
export function createPurchaseResolver({ paywall, resources }: ResolvePurchaseDeps) {
  function find(
    { did, resource, link_key: linkKey, wildcards = false }: PurchaseCoordinates,
    caller: Caller | undefined,
  ) {
    // A profile and its fields are one resource, so the wildcard covers the same as the name.
    const isOfProfile = wildcards && isWildcard(resource) && resource.startsWith(`${PROFILE_RESOURCE}.`)
    return resources.find(did, isOfProfile ? resource.slice(0, -2) : resource, caller, { linkKey, wildcards })
  }

  /** The sale to a visitor; undefined when the resource is open to them already. */
  async function saleTo(
    request: FastifyRequest,
    coordinates: PurchaseCoordinates,
    rail: string,
    overrides: Partial<Visitor> = {},
  ): Promise<Sale | undefined> {
    const resource = await find(coordinates, request.eep.caller)
    const evaluation = await paywall.evaluate(resource, {
      ...credentialsOf(request, paywall),
      credentials: {},
      preference: [rail],
      mayPay: true,
      mimeType: 'text/markdown',
      ...overrides,
    })
    if (evaluation.is === 'granted') return undefined
    if (evaluation.is === 'denied') throw evaluation.refusal
    const { sale } = evaluation
    const { tier } = coordinates
    const purchases = sale.purchases.filter(
      (purchase) => (tier === undefined || purchase.tier === tier) && covers(purchase.pattern, purchase.resource),
    )
    if (purchases.length === 0) throw notSoldThere()
    return { ...sale, purchases }
  }

  return {
    /** Returns the path of what a request names. */
    async pathOf(request: FastifyRequest, coordinates: PurchaseCoordinates): Promise<string> {
      return (await find(coordinates, request.eep.caller)).path
    },

    /**
     * Returns what is for sale.
     *
     * @param rail - the rail whose offers come first
     * @throws `page_not_found`, `access_forbidden`, `nothing_to_pay` when it is open to the visitor, `not_sold_there`
     */
    async forSale(request: FastifyRequest, coordinates: PurchaseCoordinates, rail: string): Promise<Sale> {
      const sale = await saleTo(request, coordinates, rail)
      if (!sale) throw nothingToPay()
      return sale
    },

    /**
     * Returns what a payment is for. Repeating a payment gives the same result, so the entitlements that it created do not
     * count here: those of a payer never, those of an agent or account if it repeats a known credential. What they hold by
     * another payment need not be paid again.
     *
     * @throws as `forSale`
     */
    async forPayment(
      request: FastifyRequest,
      coordinates: PurchaseCoordinates,
      rail: string,
      headers: CredentialHeaders,
    ): Promise<Sale> {
      requireSpending(request.eep)
      const { agent, caller } = request.eep
      const withoutPayer = { payer: undefined, otherPayers: undefined, signIn: undefined }
      const sale = await saleTo(request, coordinates, rail, withoutPayer)
      if (sale) return sale
      if (!(agent ?? caller) || !(await paywall.isKnownCredential(headers))) throw nothingToPay()
      const again = await saleTo(request, coordinates, rail, { ...withoutPayer, agent: undefined, caller: undefined })
      if (!again) throw nothingToPay()
      return {
        ...again,
        payerDid: agent?.verified ? agent.did : null,
        payerAccountId: caller?.account.id ?? null,
        payerApp: caller?.app,
      }
    },
  }
}
