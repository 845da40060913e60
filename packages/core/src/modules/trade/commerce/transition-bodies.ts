import type { z } from 'zod'
import type { NegotiationAction } from '../../../model/negotiation.ts'
import {
  counterBody,
  decisionBody,
  disputeBody,
  invoiceBody,
  type offerBody,
  reasonBody,
  receiptBody,
} from './schemas.ts'
import type { MoveRequest } from './service.ts'

/** The body that a client sends with a move, and its conversion to the input of the service. */
export interface TransitionBody {
  readonly body: z.ZodType
  /** Converts a body that the schema has parsed. */
  readonly input: (body: unknown) => MoveRequest['input']
}

const move = <Body extends z.ZodType>(
  body: Body,
  input: (body: z.output<Body>) => MoveRequest['input'],
): TransitionBody => ({
  body,
  input: (read) => input(read as z.output<Body>),
})

/** The moves of a negotiation that routes and sockets accept. */
export const TRANSITION_BODIES: Readonly<Record<NegotiationAction, TransitionBody>> = {
  counter: move(counterBody, (body) => body),
  accept: move(decisionBody, (body) => body ?? undefined),
  reject: move(decisionBody, (body) => body ?? undefined),
  expire: move(reasonBody, (body) => body ?? undefined),
  invoice: move(invoiceBody, (invoice) => ({ invoice })),
  receipt: move(receiptBody, (receipt) => ({ receipt })),
  complete: move(decisionBody, (body) => body ?? undefined),
  dispute: move(disputeBody, (dispute) => ({ dispute })),
}

/** The offer of a body. */
export function readOffer({ seller_did, pay_to_did, ...offer }: z.output<typeof offerBody>) {
  return { ...offer, sellerDid: seller_did ?? pay_to_did ?? '' }
}
