import type { z } from 'zod'
import type { NegotiationAction } from '../../model/negotiation.ts'
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

/** What a client sends with a move, and how the service takes it. */
export interface MoveBody {
  readonly body: z.ZodType
  /** The input of the service, from a body that the schema has read. */
  readonly input: (body: unknown) => MoveRequest['input']
}

const move = <Body extends z.ZodType>(body: Body, input: (body: z.output<Body>) => MoveRequest['input']): MoveBody => ({
  body,
  input: (read) => input(read as z.output<Body>),
})

/** The moves of a negotiation, as routes and sockets take them. */
export const MOVE_BODIES: Readonly<Record<NegotiationAction, MoveBody>> = {
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
export function offerOf({ seller_did, pay_to_did, ...offer }: z.output<typeof offerBody>) {
  return { ...offer, sellerDid: seller_did ?? pay_to_did ?? '' }
}
