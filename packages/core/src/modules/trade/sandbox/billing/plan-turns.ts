import type { EepLogger } from '../../../../ports/logger.ts'
import type { PlanBooks } from './plan-books.ts'
import type { PlanMessage } from './plan-message.ts'
import { SANDBOX_BILLING } from './sandbox-billing.ts'

/** Delivers messages of the play processor to the service. A message that fails is logged: the service reads the state again later. */
export type DeliverPlanMessages = (messages: readonly PlanMessage[]) => Promise<void>

/** What receives messages of processors: the module `subscriptions`. */
export interface PlanMessageReceiver {
  readonly processor: string
  hear(body: Uint8Array, headers: PlanMessage['headers']): Promise<unknown>
}

/** Returns what delivers messages. They are dropped without a receiver that uses the play processor. */
export function planMessageDelivery(
  receiver: PlanMessageReceiver | undefined,
  logger: EepLogger | undefined,
): DeliverPlanMessages {
  return async (messages) => {
    if (receiver?.processor !== SANDBOX_BILLING) return
    for (const { body, headers } of messages) {
      await receiver.hear(Buffer.from(body), headers).catch((error: unknown) => {
        logger?.warn(
          { err: error },
          'a message of the sandbox about a plan was not processed; the state is read again later',
        )
      })
    }
  }
}

/** The plans that a turn looks at. */
const MAX_PLANS = 1_000
/** More than the payments of a plan that one step of the clock makes due. */
const MAX_TURNS = 24

/** Makes the payments of plans that are due, and ends what was cancelled. */
export function createPlanTurns(
  books: Pick<PlanBooks, 'list' | 'turn'>,
  deliver: DeliverPlanMessages,
): { run(signal?: AbortSignal): Promise<void> } {
  async function turnAll(subscriptionId: string, signal: AbortSignal | undefined): Promise<void> {
    for (let turns = 0; turns < MAX_TURNS && !signal?.aborted; turns++) {
      const changed = await books.turn(subscriptionId)
      if (!changed || changed.messages.length === 0) return
      await deliver(changed.messages)
    }
  }

  return {
    async run(signal) {
      for (const { subscriptionId } of await books.list(MAX_PLANS)) {
        if (subscriptionId !== null) await turnAll(subscriptionId, signal)
      }
    },
  }
}
