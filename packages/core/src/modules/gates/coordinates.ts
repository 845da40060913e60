import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CredentialHeaders } from '../../ports/payment-rail.ts'
import type { Caller } from '../accounts/index.ts'
import { notSoldThere, type PaymentService, type Sale } from '../payments/index.ts'
import { nothingToPay } from './errors.ts'
import type { GatedResource, Visitor } from './gated-resource.ts'
import { PROFILE_RESOURCE } from './profile-fields.ts'
import { credentialsOf } from './request-credentials.ts'
import { isWildcard } from './resource-name.ts'
import { covers } from './resource-pattern.ts'
import type { GateService } from './service.ts'

/** What is to be bought: a page by the name its gate has for it or by its path, and the tier where several sell it. */
export const coordinatesSchema = {
  did: z.string().min(1).max(512),
  resource: z.string().min(1).max(1_024),
  tier: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/)
    .optional(),
  /** A tier asks for one payment, so this is 0. */
  requirement_index: z.literal(0).optional(),
}

/** What is to be bought, as a request names it. */
export interface Coordinates {
  readonly did: string
  readonly resource: string
  readonly tier?: string | undefined
  /** Whether the resource may be a wildcard. Default: false. */
  readonly wildcards?: boolean | undefined
}

export interface SalesDeps {
  readonly gates: GateService
  /** Finds what is behind a gate. */
  readonly gatedPage: (did: string, resource: string, caller: Caller | undefined) => Promise<GatedResource>
  /** Finds everything below a wildcard. */
  readonly gatedSection: (did: string, wildcard: string, caller: Caller | undefined) => Promise<GatedResource>
}

/** Finds what is for sale to whoever names it, without asking for the page. */
export const createSalesOf = ({ gates, gatedPage, gatedSection }: SalesDeps) =>
  /**
   * @param preference - the rail that is to come first
   * @param known - what of the request counts for less than it says; see `Credentials`
   * @throws `page_not_found`, `access_forbidden`, `nothing_to_pay` when it is open to who asks, `not_sold_there`
   */
  async function saleOf(
    request: FastifyRequest,
    { did, resource, tier, wildcards = false }: Coordinates,
    preference: string,
    known: Partial<Visitor> = {},
  ): Promise<Sale> {
    const isSection = wildcards && isWildcard(resource)
    // A profile is one resource, whole or by field: what its wildcard covers is what its name stands for.
    const isOfProfile = isSection && resource.startsWith(`${PROFILE_RESOURCE}.`)
    const found =
      isSection && !isOfProfile
        ? await gatedSection(did, resource, request.eep.caller)
        : await gatedPage(did, isOfProfile ? resource.slice(0, -2) : resource, request.eep.caller)
    const sale = await gates.sell(found, {
      ...credentialsOf(request, gates),
      credentials: {},
      preference: [preference],
      mayPay: true,
      mimeType: 'text/markdown',
      ...known,
    })
    if (!sale) throw nothingToPay()
    const purchases = sale.purchases.filter(
      (purchase) => (tier === undefined || purchase.tier === tier) && covers(purchase.pattern, purchase.resource),
    )
    if (purchases.length === 0) throw notSoldThere()
    return { ...sale, purchases }
  }

/**
 * What a payment is for. Whoever has paid already is answered as when they paid, so what they hold does not count here:
 * that of a payer never, that of an agent that signs or of an account where it repeats a payment. What it holds by another
 * payment it need not pay.
 */
export const createSettledSalesOf = (deps: SalesDeps & { readonly payments: Pick<PaymentService, 'knows'> }) => {
  const saleOf = createSalesOf(deps)
  return async (
    request: FastifyRequest,
    coordinates: Coordinates,
    rail: string,
    headers: CredentialHeaders,
  ): Promise<Sale> => {
    const { agent, caller } = request.eep
    const unknown = { payer: undefined, signIn: undefined }
    try {
      return await saleOf(request, coordinates, rail, unknown)
    } catch (error) {
      const isHeld = (agent ?? caller) && (error as { code?: unknown }).code === nothingToPay.code
      if (!isHeld || !(await deps.payments.knows(headers))) throw error
      const sale = await saleOf(request, coordinates, rail, { ...unknown, agent: undefined, caller: undefined })
      return { ...sale, payerDid: agent?.verified ? agent.did : null, payerAccountId: caller?.account.id ?? null }
    }
  }
}
