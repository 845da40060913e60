import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ACTIONS,
  type Actor,
  allowedActions,
  isOffered,
  mayMove,
  type NegotiationAction,
  type NegotiationState,
  type NegotiationStateDetails,
  nextState,
  OUTCOMES,
  outcomesFor,
  STATES,
} from './negotiation.ts'

/** The transition table of EEP, written independently of the implementation. */
const TABLE: Readonly<Record<NegotiationState, string>> = {
  open: 'counter>countered accept>accepted reject>rejected expire>expired',
  countered: 'counter>countered accept>accepted reject>rejected expire>expired',
  accepted: 'invoice>invoiced complete>completed dispute>disputed',
  invoiced: 'receipt>paid dispute>disputed',
  paid: 'complete>completed dispute>disputed',
  completed: '',
  disputed: 'accept>accepted reject>rejected complete>completed',
  rejected: '',
  expired: '',
}
const ACTORS: readonly Actor[] = ['buyer', 'seller', 'admin']
const pairs = STATES.flatMap((state) => ACTIONS.map((action) => [state, action] as const))

const stateDetails = fc.record<NegotiationStateDetails>({
  state: fc.constantFrom(...STATES),
  offeredBy: fc.constantFrom('buyer', 'seller'),
  disputedBy: fc.constantFrom('buyer', 'seller'),
})

describe('the states of a deal', () => {
  it.each(pairs)('%s, %s: as EEP has it', (state, action) => {
    const found = new RegExp(`(?:^| )${action}>(\\w+)`).exec(TABLE[state])?.[1]
    expect(nextState(state, action)).toBe(found)
    expect(allowedActions(state).includes(action)).toBe(found !== undefined)
  })

  it('leave no way out of the end', () => {
    for (const state of ['completed', 'rejected', 'expired'] as const) expect(allowedActions(state)).toEqual([])
    expect(STATES.filter(isOffered)).toEqual(['open', 'countered'])
  })

  it('follow the table through any number of moves', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ACTIONS), { maxLength: 30 }), (actions) => {
        let state: NegotiationState = 'open'
        for (const action of actions) {
          const next = nextState(state, action)
          expect(next !== undefined).toBe(TABLE[state].includes(`${action}>`))
          state = next ?? state
        }
        expect(STATES).toContain(state)
      }),
    )
  })
})

describe('permitted moves', () => {
  const who = (
    at: Partial<NegotiationStateDetails> & Pick<NegotiationStateDetails, 'state'>,
    action: NegotiationAction,
  ) => ACTORS.filter((actor) => mayMove({ offeredBy: 'buyer', disputedBy: 'buyer', ...at }, action, actor)).join(' ')

  it.each([
    ['open', 'counter', 'seller'],
    ['open', 'accept', 'seller'],
    ['open', 'reject', 'buyer seller'],
    ['open', 'expire', 'buyer'],
    ['accepted', 'invoice', 'seller'],
    ['accepted', 'complete', 'buyer'],
    ['accepted', 'dispute', 'buyer seller'],
    ['invoiced', 'receipt', 'buyer'],
    ['invoiced', 'dispute', 'buyer seller'],
    ['paid', 'complete', 'buyer'],
    ['paid', 'dispute', 'buyer seller'],
    ['disputed', 'accept', 'buyer seller admin'],
    ['disputed', 'reject', 'seller admin'],
    ['disputed', 'complete', 'buyer seller admin'],
  ] as const)('%s, %s: %s', (state, action, expected) => {
    expect(who({ state }, action)).toBe(expected)
  })

  it('turns around with a counter-offer', () => {
    const countered = { state: 'countered', offeredBy: 'seller' } as const
    expect([who(countered, 'accept'), who(countered, 'counter'), who(countered, 'expire')]).toEqual([
      'buyer',
      'buyer',
      'seller',
    ])
  })

  it('rejects moves that the state does not allow, and always leaves one that it does', () => {
    fc.assert(
      fc.property(stateDetails, fc.constantFrom(...ACTIONS), (at, action) => {
        const movers = ACTORS.filter((actor) => mayMove(at, action, actor))
        expect(movers.length > 0).toBe(nextState(at.state, action) !== undefined)
        if (at.state !== 'disputed') expect(movers).not.toContain('admin')
      }),
    )
  })

  it('lets the side that opened a dispute only withdraw it', () => {
    fc.assert(
      fc.property(stateDetails, fc.constantFrom(...ACTIONS), (at, action) => {
        const own = at.disputedBy && outcomesFor(at, action, at.disputedBy)
        expect(own?.every((outcome) => outcome === 'dismissed')).toBe(true)
        const all = outcomesFor(at, action, 'admin')
        for (const actor of ACTORS) for (const outcome of outcomesFor(at, action, actor)) expect(all).toContain(outcome)
        if (at.state !== 'disputed') expect(all).toEqual([])
      }),
    )
    const at = { state: 'disputed', offeredBy: 'buyer', disputedBy: 'buyer' } as const
    const given = ACTIONS.flatMap((action) => outcomesFor(at, action, 'admin'))
    expect(new Set(given)).toEqual(new Set(OUTCOMES))
    expect(ACTIONS.flatMap((action) => outcomesFor({ ...at, disputedBy: 'seller' }, action, 'buyer'))).toEqual([])
  })
})
