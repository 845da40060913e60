import { invalidTransition } from '../../../kernel/errors.ts'
import {
  type Actor,
  allowedActions,
  type DisputeOutcome,
  mayMove,
  type NegotiationAction,
  type NegotiationState,
  nextState,
  outcomesFor,
} from '../../../model/negotiation.ts'
import type { Pricing } from '../../../model/pricing.ts'
import type { DisputeClaim, Invoice, Terms } from '../../../model/terms.ts'
import type { DealReceipt, Dispute, Negotiation, NegotiationChanges } from '../../../ports/storage/commerce.ts'
import { negotiationTooLong, notYourMove } from './errors.ts'
import { expiryOf, requirePrice } from './offers.ts'
import { stateDetailsOf } from './parties.ts'

/** The body of a move; which members count depends on the move. */
export interface TransitionInput {
  readonly pricing?: Pricing | undefined
  readonly terms?: Terms | undefined
  readonly reason?: string | undefined
  readonly outcome?: DisputeOutcome | undefined
  readonly invoice?: Invoice | undefined
  readonly receipt?: DealReceipt | undefined
  readonly dispute?: DisputeClaim | undefined
}

/** A limit, because counters and disputes could be repeated without end. */
const MAX_MOVES = 100

/** The moves that a state allows. */
export const transitionRefused = (state: NegotiationState, action: NegotiationAction) =>
  invalidTransition({ details: { state, action, allowed: allowedActions(state) } })

function resolved(
  negotiation: Negotiation,
  action: NegotiationAction,
  actor: Actor,
  { outcome }: TransitionInput,
  at: Date,
): Dispute {
  const outcomes = outcomesFor(stateDetailsOf(negotiation), action, actor)
  const given = outcome ?? outcomes[0]
  if (!negotiation.dispute || !given || !outcomes.includes(given)) throw notYourMove({ details: { outcomes } })
  return { ...negotiation.dispute, outcome: given, resolved_by: actor, resolved_at: at.toISOString() }
}

/**
 * Returns the negotiation after a move.
 *
 * @throws `invalid_transition` where the state does not allow it, `not_your_move` where it is for the other side,
 * `price_not_negotiable`, `negotiation_too_long`
 */
export function transitionChanges(
  negotiation: Negotiation,
  action: NegotiationAction,
  actor: Actor,
  input: TransitionInput,
  now: Date,
): NegotiationChanges {
  const { state: from, version } = negotiation
  const state = nextState(from, action)
  if (!state) throw transitionRefused(from, action)
  if (!mayMove(stateDetailsOf(negotiation), action, actor)) throw notYourMove({ details: { state: from, action } })
  if (version >= MAX_MOVES && (action === 'counter' || action === 'dispute')) throw negotiationTooLong()
  const changes = { state, updatedAt: now }
  if (from === 'disputed') return { ...changes, dispute: resolved(negotiation, action, actor, input, now) }
  if (actor === 'admin') throw notYourMove()
  switch (action) {
    case 'counter': {
      const { pricing = negotiation.pricing, terms = negotiation.terms } = input
      if (negotiation.pricingMode === 'fixed') requirePrice(pricing, negotiation.pricing)
      return { ...changes, offeredBy: actor, pricing, terms, expiresAt: expiryOf(terms, now) }
    }
    case 'invoice':
      return { ...changes, invoice: input.invoice ?? null }
    case 'receipt':
      return { ...changes, receipt: input.receipt ?? null }
    case 'dispute': {
      const { reason_code = 'unspecified', ...claim } = input.dispute ?? {}
      const opened = { opened_by: actor, opened_at: now.toISOString() }
      return { ...changes, dispute: { reason_code, ...claim, ...opened } }
    }
    default:
      return changes
  }
}
