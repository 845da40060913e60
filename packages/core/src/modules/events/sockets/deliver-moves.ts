import { moveSignal } from '../../trade/commerce/events.ts'
import type { SignalEvent, SignalService } from '../signals/index.ts'
import { COMMERCE_ACTIONS } from './event-frames.ts'
import type { OnOpen, SocketClient } from './frame-handlers.ts'
import { CLOSE } from './frames.ts'

const TYPES: ReadonlySet<string> = new Set(Object.keys(COMMERCE_ACTIONS))
const SCOPE = 'commerce:negotiate'

/** Whether a client acts for the party that did not make the move. */
function isForOtherParty(event: SignalEvent, { caller, activeProfileId }: SocketClient): boolean {
  const { by, seller_profile_id, buyer_profile_id } = moveSignal.parse(event.envelope.data)
  const others = [...(by === 'seller' ? [] : [seller_profile_id]), ...(by === 'buyer' ? [] : [buyer_profile_id])]
  const { recipients } = event
  if (recipients.kind !== 'teams') return false
  return recipients.teams.some(
    ({ profileId, accountIds }) =>
      others.includes(profileId) &&
      accountIds.has(caller.account.id) &&
      (activeProfileId === undefined || activeProfileId === profileId),
  )
}

/**
 * Delivers the moves of negotiations to the other party's connections on `/eep/pulse`, also without a subscription. Moves that a
 * subscription of the connection delivers are left to it, and a party's own moves are answered by the frame that made them.
 */
export function deliverMoves(signals: Pick<SignalService, 'subscribe'>): OnOpen {
  return (client) => {
    const subscription = signals.subscribe({
      filter: { types: TYPES },
      reader: {
        kind: 'caller',
        get caller() {
          return client.caller
        },
      },
      onEvent(event) {
        const { scopes } = client.caller
        if (scopes !== 'all' && !scopes.includes(SCOPE)) return undefined
        const action = COMMERCE_ACTIONS[event.type]
        if (action === undefined || client.isFollowing(event) || !isForOtherParty(event, client)) return undefined
        const { source: source_did, data } = event.envelope
        const { negotiation_id, state } = moveSignal.parse(data)
        const moved = { negotiation_id, state, source_did, event: event.envelope }
        return client.deliver({ type: 'commerce', action, data: moved })
      },
      onEnd: (reason) => client.close({ slow: CLOSE.slow, stopping: CLOSE.goingAway, failed: CLOSE.failed }[reason]),
    })
    return subscription.close
  }
}
