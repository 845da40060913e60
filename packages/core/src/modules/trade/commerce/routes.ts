import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { listResponse } from '../../../http/documents/lists.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { type ErrorDefinition, invalidTransition } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { NegotiationAction } from '../../../model/negotiation.ts'
import { activeProfileHeader, notProfileOwner, profileMoved, profileNotFound } from '../../profiles/profiles/index.ts'
import {
  cannotNegotiateWithSelf,
  negotiationChanged,
  negotiationNotFound,
  negotiationTooLong,
  notYourMove,
  paymentProofRefused,
  paymentProofUsed,
  priceNotNegotiable,
  serviceUnavailable,
  tooManyOffers,
} from './errors.ts'
import type { NegotiationView } from './parties.ts'
import { readParticipant } from './request-participant.ts'
import {
  negotiationList,
  negotiationParams,
  negotiationSchema,
  negotiationsQuery,
  negotiationWithHistory,
  offerBody,
} from './schemas.ts'
import { serializeMove, serializeNegotiation } from './serialize.ts'
import { type NegotiationService, tagOf } from './service.ts'
import { readOffer, TRANSITION_BODIES } from './transition-bodies.ts'

const PATH = '/eep/commerce/negotiations'

/** Routes of negotiations. */
export function commerceRoutes(app: EepRoutes, { negotiations }: { readonly negotiations: NegotiationService }): void {
  const common = { auth: 'key', scope: 'commerce:negotiate', tag: 'commerce', agents: true } as const
  const headers = activeProfileHeader

  const answer = (reply: FastifyReply, view: NegotiationView) => {
    reply.header('etag', tagOf(view.negotiation))
    return serializeNegotiation(view)
  }

  app.post(
    PATH,
    {
      config: routeConfig({
        ...common,
        operationId: 'createNegotiation',
        tool: {
          name: 'open_negotiation',
          title: 'Open a negotiation',
          description:
            'Make an offer for a service of a profile, as the acting profile. list_services has the services.',
          openWorld: false,
        },
        summary: 'Create a negotiation with an offer, as the acting profile or the signing agent',
        errors: [
          profileNotFound,
          profileMoved,
          notProfileOwner,
          cannotNegotiateWithSelf,
          serviceUnavailable,
          priceNotNegotiable,
          tooManyOffers,
        ],
      }),
      schema: { headers, body: offerBody, response: { 201: negotiationSchema } },
    },
    async (request, reply) => {
      const view = await negotiations.open(readOffer(request.body), readParticipant(request))
      reply.code(201).header('location', `${request.eep.basePath}${PATH}/${view.negotiation.id}`)
      return answer(reply, view)
    },
  )

  app.get(
    PATH,
    {
      config: routeConfig({
        ...common,
        operationId: 'listNegotiations',
        tool: {
          title: 'List negotiations',
          description: 'List the deals of the acting profile that are being negotiated or were made.',
          openWorld: true,
        },
        summary: 'List the negotiations of the acting profile or the signing agent, newest first',
        errors: [invalidCursor, profileNotFound, notProfileOwner],
      }),
      schema: { headers, querystring: negotiationsQuery, response: { 200: negotiationList } },
    },
    async (request) => {
      const { role: side, ...query } = request.query
      return listResponse(await negotiations.list({ ...query, side }, readParticipant(request)), serializeNegotiation)
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      config: routeConfig({
        ...common,
        operationId: 'getNegotiation',
        tool: {
          title: 'Get a negotiation',
          description: 'Get a deal with its current offer, whose turn it is, and its history.',
          openWorld: true,
        },
        summary: 'Get a negotiation and its history, as one of its two sides',
        errors: [negotiationNotFound],
      }),
      schema: { headers, params: negotiationParams, response: { 200: negotiationWithHistory } },
    },
    async (request, reply) => {
      const { history, ...view } = await negotiations.get(request.params.id, readParticipant(request))
      return { ...answer(reply, view), history: history.map(serializeMove) }
    },
  )

  function addMove(
    action: NegotiationAction,
    summary: string,
    { operationId = `${action}Negotiation`, errors = [] }: Move = {},
  ): void {
    const every = [negotiationNotFound, invalidTransition, notYourMove, negotiationChanged, ...errors]
    const { body, input } = TRANSITION_BODIES[action]
    app.post(
      `${PATH}/:id/${action}`,
      {
        config: routeConfig({
          ...common,
          operationId,
          summary,
          errors: every,
          tool: { ...MOVE_TOOL, when: { action } },
        }),
        schema: { headers, params: negotiationParams, body, response: { 200: negotiationSchema } },
      },
      async (request: FastifyRequest, reply: FastifyReply) => {
        const { id } = request.params as z.output<typeof negotiationParams>
        const ifMatch = request.headers['if-match']
        const move = { action, input: input(request.body), ifMatch }
        return answer(reply, await negotiations.move(id, move, readParticipant(request)))
      },
    )
  }

  addMove('counter', 'Counter the current offer', { errors: [priceNotNegotiable, negotiationTooLong] })
  addMove('accept', 'Accept the current offer, or continue a disputed deal')
  addMove('reject', 'Reject or withdraw the current offer, or cancel a disputed deal')
  addMove('expire', 'Expire your own offer, or one that is overdue')
  addMove('invoice', 'Request payment, as the seller', { operationId: 'sendNegotiationInvoice' })
  addMove('receipt', 'Submit the proof of payment, as the buyer', {
    operationId: 'sendNegotiationReceipt',
    errors: [paymentProofUsed, paymentProofRefused],
  })
  addMove('complete', 'Complete the deal, also from a dispute')
  addMove('dispute', 'Open a dispute about the deal', { errors: [negotiationTooLong] })
}

/** One tool for all moves, with the move as a member. */
const MOVE_TOOL = {
  name: 'move_negotiation',
  title: 'Move a negotiation',
  description:
    'Make the next move in a deal: counter, accept, reject, expire, invoice, receipt, complete or dispute. get_negotiation shows whose turn it is; accepting binds.',
} as const

interface Move {
  readonly operationId?: string | undefined
  readonly errors?: readonly ErrorDefinition[] | undefined
}
