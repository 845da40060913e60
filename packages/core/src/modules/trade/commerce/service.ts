import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { ifMatchHolds } from '../../../kernel/entity-tags.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import {
  isOffered,
  type NegotiationAction,
  type NegotiationState,
  nextState,
  type Side,
} from '../../../model/negotiation.ts'
import type { ProofOfPayment } from '../../../model/terms.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import type { Negotiation, NegotiationMove } from '../../../ports/storage/commerce.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockAdministrator } from '../../../runtime/storage/lock-caller.ts'
import { type MyProfiles, type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { emitNegotiationEvent } from './emit-negotiation-event.ts'
import {
  cannotNegotiateWithSelf,
  negotiationChanged,
  negotiationNotFound,
  paymentProofUsed,
  tooManyOffers,
} from './errors.ts'
import { dataOf, expiryOf, newNegotiationId, type Offer, offerMove, priceOf } from './offers.ts'
import {
  type Buyer,
  createActorLookup,
  isTeamMember,
  type NegotiationView,
  type Participant,
  partyProfileId,
  requireBuyer,
} from './parties.ts'
import { type CheckedProof, checkProof } from './payment-proof.ts'
import { type TransitionInput, transitionChanges, transitionRefused } from './transitions.ts'

export interface NegotiationDeps extends GuardedStorage<'negotiations' | 'listings'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'byDid' | 'didOf' | 'requirePermission' | 'roleOf' | 'lockWithPermission'>
  readonly myProfiles: Pick<MyProfiles, 'acting'>
  /** The maximum number of offers in an hour: of one buyer, and of all agents without an account to one seller. */
  readonly offerLimit: {
    readonly store: Pick<RateLimitStore, 'hit'>
    readonly ofBuyer: number
    readonly ofAgents: number
  }
}

/** An action on a negotiation. */
export interface MoveRequest {
  readonly action: NegotiationAction
  readonly input?: (Omit<TransitionInput, 'receipt'> & { readonly receipt?: ProofOfPayment | undefined }) | undefined
  /** ETags of which the negotiation must have one. Default: any. */
  readonly ifMatch?: string | undefined
}

export interface NegotiationListRequest extends PageRequest {
  readonly side?: Side | undefined
  readonly state?: NegotiationState | undefined
}

const DUE_A_TURN = 200

/** The strong ETag of a negotiation. */
export const tagOf = ({ id, version }: Pick<Negotiation, 'id' | 'version'>): string => `"${id}.${version}"`

export function createNegotiationService(deps: NegotiationDeps) {
  const { read, write, clock, profiles, offerLimit } = deps
  const actorOf = createActorLookup(deps)

  const isDue = ({ state, expiresAt }: Negotiation) => isOffered(state) && expiresAt <= clock()

  /** Expires an offer; undefined when a concurrent change was faster. */
  const expire = ({ id, version, state: from }: Negotiation): Promise<Negotiation | undefined> =>
    write(async (tx, emit) => {
      const at = clock()
      const move = { action: 'expire', by: 'service', accountId: null, data: {}, at } as const
      const expired = await tx.negotiations.move(id, version, { state: 'expired', updatedAt: at }, move)
      if (expired) emitNegotiationEvent(emit, expired, { ...move, from, accountId: undefined })
      return expired
    })

  /** The current negotiation and the role of the caller in it; throws `negotiation_not_found`. */
  async function find(id: string, participant: Participant, action?: NegotiationAction): Promise<NegotiationView> {
    const stored = await read.negotiations.get(id)
    const negotiation = stored && isDue(stored) ? ((await expire(stored)) ?? (await read.negotiations.get(id))) : stored
    const actor = negotiation && (await actorOf(negotiation, participant, action))
    if (!negotiation || !actor) throw negotiationNotFound()
    return { negotiation, actor }
  }

  async function countOffer({ party }: Buyer, seller: Profile): Promise<void> {
    const count = async (name: string | number, max: number) => {
      const hit = await offerLimit.store.hit(`offers:${name}`, HOUR_MS)
      if (hit.count > max) throw tooManyOffers({ retryAfterMs: msUntilReset(hit) })
    }
    await count('did' in party ? party.did : party.profileId, offerLimit.ofBuyer)
    // An agent can create any number of DIDs, and each offer is emailed to the seller.
    if ('did' in party) await count(`to:${seller.id}`, offerLimit.ofAgents)
  }

  /** Checks the payment proof outside of the transaction that stores it. */
  async function requireProof(
    proof: ProofOfPayment,
    { negotiation }: NegotiationView,
    participant: Participant,
  ): Promise<CheckedProof> {
    const { buyerProfileId } = negotiation
    const owner = buyerProfileId === null ? undefined : (await read.profiles.get(buyerProfileId))?.ownerAccountId
    const accountIds = [owner, 'caller' in participant ? participant.caller.account.id : undefined].filter(
      (id) => id !== undefined,
    )
    return checkProof(proof, negotiation, { accountIds, did: 'did' in participant ? participant.did : undefined }, read)
  }

  return {
    async open(offer: Offer, participant: Participant): Promise<NegotiationView> {
      const caller = 'caller' in participant ? participant.caller : undefined
      const seller = await profiles.byDid(offer.sellerDid, caller)
      const buyer = await requireBuyer(participant, deps)
      if (seller.id === buyer.profile?.id || (await isTeamMember(seller, participant, read)))
        throw cannotNegotiateWithSelf()
      const { pricing, pricingMode } = await priceOf(offer, seller.id, read)
      await countOffer(buyer, seller)
      const now = clock()
      const { terms = {} } = offer
      const accountId = caller?.account.id
      const negotiation: Negotiation = {
        id: newNegotiationId(),
        sellerProfileId: seller.id,
        sellerDid: profiles.didOf(seller),
        buyerProfileId: buyer.profile?.id ?? null,
        buyerDid: buyer.did,
        service: offer.service,
        pricingMode,
        metadata: offer.metadata ?? {},
        state: 'open',
        version: 1,
        offeredBy: 'buyer',
        pricing,
        terms,
        expiresAt: expiryOf(terms, now),
        invoice: null,
        receipt: null,
        dispute: null,
        createdAt: now,
        updatedAt: now,
      }
      await write(async (tx, emit) => {
        if (buyer.profile && caller) await profiles.lockWithPermission(tx, buyer.profile.id, caller, 'gates.edit')
        const move = offerMove(offer, pricing, accountId ?? null, now)
        if (!(await tx.negotiations.insert(negotiation, move))) throw profileNotFound()
        emitNegotiationEvent(emit, negotiation, { action: 'offer', by: 'buyer', accountId })
      })
      return { negotiation, actor: 'buyer' }
    },

    async list(
      { side, state, ...page }: NegotiationListRequest,
      participant: Participant,
    ): Promise<Page<NegotiationView>> {
      const { party } = await requireBuyer(participant, deps)
      const query = { party, side, state, now: clock() }
      const { items, ...rest } = await read.negotiations.list(query, page)
      const views = items.map((item): NegotiationView => {
        const isSeller = 'profileId' in party && item.sellerProfileId === party.profileId
        const negotiation: Negotiation = isDue(item) ? { ...item, state: 'expired' } : item
        return { negotiation, actor: isSeller ? 'seller' : 'buyer' }
      })
      return { ...rest, items: views }
    },

    async get(
      id: string,
      participant: Participant,
    ): Promise<NegotiationView & { readonly history: readonly NegotiationMove[] }> {
      const view = await find(id, participant)
      return { ...view, history: await read.negotiations.listMoves(id) }
    },

    async move(
      id: string,
      { action, input = {}, ifMatch }: MoveRequest,
      participant: Participant,
    ): Promise<NegotiationView> {
      const view = await find(id, participant, action)
      const { negotiation, actor } = view
      const { state: from, version } = negotiation
      if (!ifMatchHolds(ifMatch, tagOf(negotiation))) throw negotiationChanged()
      const now = clock()
      const { receipt: claimed, ...others } = input
      const placeholder = claimed && { ...claimed, verified: false }
      const planned = transitionChanges(negotiation, action, actor, { ...others, receipt: placeholder }, now)
      const proof = claimed && (await requireProof(claimed, view, participant))
      const changes = proof ? { ...planned, receipt: proof.receipt } : planned

      const caller = 'caller' in participant ? participant.caller : undefined
      const profileId = partyProfileId(negotiation, actor)
      const moved = await write(async (tx, emit) => {
        if (caller && actor === 'admin') await lockAdministrator(tx, caller)
        if (caller && profileId !== undefined) await profiles.lockWithPermission(tx, profileId, caller, 'gates.edit')
        const record = { action, by: actor, accountId: caller?.account.id ?? null, data: dataOf(input), at: now }
        const result = await tx.negotiations.move(id, version, changes, record)
        if (!result) return undefined
        if (proof && !(await tx.negotiations.claimPayments(proof.keys, id))) throw paymentProofUsed()
        emitNegotiationEvent(emit, result, { action, by: actor, from, accountId: caller?.account.id })
        return result
      })
      if (moved) return { negotiation: moved, actor }
      const { negotiation: present } = await find(id, participant, action)
      throw nextState(present.state, action) ? negotiationChanged() : transitionRefused(present.state, action)
    },

    /** Expires due offers and returns their number; one of several instances expires each. Stops after `signal`. */
    async expireDue(signal?: AbortSignal): Promise<number> {
      let expired = 0
      for (const due of await read.negotiations.listDue(clock(), DUE_A_TURN)) {
        if (signal?.aborted) break
        if (await expire(due)) expired += 1
      }
      return expired
    },
  }
}

/** Negotiations between profiles, and between agents and profiles. */
export type NegotiationService = ReturnType<typeof createNegotiationService>
