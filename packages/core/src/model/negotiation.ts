/** The states of a deal (EEP, 15.4). */
export const STATES = [
  'open',
  'countered',
  'accepted',
  'invoiced',
  'paid',
  'completed',
  'disputed',
  'rejected',
  'expired',
] as const
/** The state of a deal. */
export type NegotiationState = (typeof STATES)[number]

/** The moves of a deal after the opening offer. */
export const ACTIONS = ['counter', 'accept', 'reject', 'expire', 'invoice', 'receipt', 'complete', 'dispute'] as const
/** A move of a deal after the opening offer. */
export type NegotiationAction = (typeof ACTIONS)[number]

/** The two sides of a deal. */
export type Side = 'buyer' | 'seller'
/** The actor of a deal: a side of it, or an administrator on a dispute. */
export type Actor = Side | 'admin'

/** The outcomes of a dispute. */
export const OUTCOMES = ['refunded', 'rejected', 'penalty_applied', 'dismissed'] as const
/** The outcome of a dispute. */
export type DisputeOutcome = (typeof OUTCOMES)[number]

type Moves = Readonly<Partial<Record<NegotiationAction, NegotiationState>>>

const OFFERED: Moves = { counter: 'countered', accept: 'accepted', reject: 'rejected', expire: 'expired' }
const MOVES: Readonly<Record<NegotiationState, Moves>> = {
  open: OFFERED,
  countered: OFFERED,
  accepted: { invoice: 'invoiced', complete: 'completed', dispute: 'disputed' },
  invoiced: { receipt: 'paid', dispute: 'disputed' },
  paid: { complete: 'completed', dispute: 'disputed' },
  disputed: { accept: 'accepted', reject: 'rejected', complete: 'completed' },
  rejected: {},
  expired: {},
  completed: {},
}

/** The state after an action; undefined when the action is not allowed. */
export const nextState = (state: NegotiationState, action: NegotiationAction): NegotiationState | undefined =>
  MOVES[state][action]

/** The moves of a state, by any actor. */
export const allowedActions = (state: NegotiationState): NegotiationAction[] =>
  ACTIONS.filter((action) => nextState(state, action) !== undefined)

/** Whether the current offer can expire. */
export const isOffered = (state: NegotiationState): boolean => state === 'open' || state === 'countered'

/** The data that decides which actor may make a move. */
export interface NegotiationStateDetails {
  readonly state: NegotiationState
  /** The side that made the current offer. */
  readonly offeredBy: Side
  /** The side that opened the current or last dispute. */
  readonly disputedBy: Side | undefined
}

/** The outcomes of each move that ends a dispute: the deal continues, is cancelled, or is completed. */
const OUTCOMES_OF: Readonly<Partial<Record<NegotiationAction, readonly DisputeOutcome[]>>> = {
  accept: ['dismissed', 'penalty_applied'],
  reject: ['refunded', 'penalty_applied'],
  complete: ['rejected', 'dismissed', 'penalty_applied'],
}

/**
 * The outcomes that an actor may choose with a move; the first is the default. The side that opened a dispute
 * can only withdraw it. The seller answers a dispute of the buyer. Administrators can give any outcome.
 */
export function outcomesFor({ state, disputedBy }: NegotiationStateDetails, action: NegotiationAction, actor: Actor) {
  const outcomes = state === 'disputed' ? (OUTCOMES_OF[action] ?? []) : []
  if (actor === 'admin') return outcomes
  if (actor === disputedBy) return outcomes.filter((outcome) => outcome === 'dismissed')
  return actor === 'seller' ? outcomes : []
}

/** Whether an actor may make a move that the state allows. */
export function mayMove(details: NegotiationStateDetails, action: NegotiationAction, actor: Actor): boolean {
  const { state, offeredBy } = details
  if (nextState(state, action) === undefined) return false
  if (state === 'disputed') return outcomesFor(details, action, actor).length > 0
  if (actor === 'admin') return false
  switch (action) {
    case 'counter':
    case 'accept':
      return actor !== offeredBy
    case 'expire':
      return actor === offeredBy
    case 'invoice':
      return actor === 'seller'
    case 'receipt':
    case 'complete':
      return actor === 'buyer'
    case 'reject':
    case 'dispute':
      return true
  }
}
