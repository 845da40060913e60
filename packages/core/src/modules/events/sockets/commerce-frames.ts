import { z } from 'zod'
import { invalidTransition } from '../../../kernel/errors.ts'
import type { NegotiationAction } from '../../../model/negotiation.ts'
import {
  type NegotiationService,
  offerBody,
  readOffer,
  serializeNegotiation,
  TRANSITION_BODIES,
} from '../../trade/commerce/index.ts'
import type { FrameHandlers, SocketClient } from './frame-handlers.ts'
import { CLOSE, type ServerFrame } from './frames.ts'

const common = { socket: 'pulse', type: 'commerce', scope: 'commerce:negotiate' } as const
/** A move that the state of a deal does not allow also closes the connection (EEP). */
const closes = { [invalidTransition.code]: CLOSE.illegalMove }

const readParticipant = ({ caller, activeProfileId }: SocketClient) => ({ caller, activeProfileId })

const frameOf = (action: string, seen: Parameters<typeof serializeNegotiation>[0]): ServerFrame => ({
  type: 'commerce',
  action,
  data: serializeNegotiation(seen),
})

/** The `data` of a move: the id of the deal, and the fields of the request body of the route. */
const moveData = <Body extends z.ZodType>(body: Body) =>
  z
    .looseObject({ negotiation_id: z.string().min(1).max(64) })
    .transform(({ negotiation_id: id, ...members }, context) => {
      const read = body.safeParse(members)
      if (read.success) return { id, body: read.data }
      // Raw issues have the same fields, but their type requires `input`.
      context.issues.push(...read.error.issues.map((issue) => ({ ...issue, input: undefined })))
      return z.NEVER
    })

/** Deals over `/eep/pulse`: the moves of `/eep/commerce/negotiations` as frames. */
export function handleCommerceFrames(frames: FrameHandlers, negotiations: NegotiationService): void {
  frames.handle({
    ...common,
    action: 'offer',
    data: offerBody,
    handle: async (body, client) => frameOf('offer', await negotiations.open(readOffer(body), readParticipant(client))),
  })
  for (const action of Object.keys(TRANSITION_BODIES) as NegotiationAction[]) {
    const { body, input } = TRANSITION_BODIES[action]
    frames.handle({
      ...common,
      action,
      data: moveData(body),
      closes,
      handle: async (data, client) =>
        frameOf(action, await negotiations.move(data.id, { action, input: input(data.body) }, readParticipant(client))),
    })
  }
}
