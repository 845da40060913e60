import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { listResponse } from '../../../http/documents/lists.ts'
import { MEDIA_TYPES, withoutParameters } from '../../../http/documents/negotiation.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { ListedConversation } from '../../../ports/storage/messages.ts'
import {
  activeProfileHeader,
  notProfileOwner,
  type ProfileService,
  profileMoved,
  profileNotFound,
} from '../../profiles/profiles/index.ts'
import {
  blocked,
  cannotMessageItself,
  conversationClosed,
  conversationNotFound,
  linksNotAllowed,
  lowTrust,
  messageNotFound,
  messageTooOld,
  notContactable,
  notYourMessage,
  tooManyConversations,
  tooManyMessages,
} from './errors.ts'
import { conversationsMarkdown, messagesMarkdown } from './markdown.ts'
import { recipientOf } from './recipient.ts'
import {
  conversationBody,
  conversationList,
  conversationParams,
  conversationSchema,
  conversationsQuery,
  messageBody,
  messageList,
  messageParams,
  messageSchema,
  messagesQuery,
  readBody,
  sentSchema,
} from './schemas.ts'
import { serializeConversation, serializeMessage } from './serialize.ts'
import type { MessageService } from './service.ts'

export interface MessageRouteServices {
  readonly messages: MessageService
  readonly profiles: Pick<ProfileService, 'didOf' | 'urlOf'>
}

const PATH = '/messages/conversations'
const FORMATS = ['application/json', 'text/markdown']

type Described = Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'tool' | 'produces'>

const reading = (route: Described) => routeConfig({ auth: 'key', scope: 'read:messages', tag: 'messages', ...route })
const changing = (route: Described) => routeConfig({ auth: 'key', scope: 'write:messages', tag: 'messages', ...route })

const REFUSALS = [blocked, conversationClosed, lowTrust, notContactable, linksNotAllowed, tooManyMessages]
const UNKNOWN = [conversationNotFound, notProfileOwner, profileNotFound]

const headers = activeProfileHeader

const actingIn = (request: FastifyRequest) => {
  const id = request.headers['x-active-profile-id']
  return { caller: callerOf(request), activeProfileId: id === undefined ? undefined : Number(id) }
}

/** Whether a client prefers Markdown to JSON. */
function wantsMarkdown({
  query,
  headers: { accept },
}: FastifyRequest<{ Querystring: { format?: string | undefined } }>) {
  if (query.format !== undefined) return query.format === 'markdown'
  if (accept === undefined) return false
  return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaTypes(FORMATS)[0] === 'text/markdown'
}

const sendMarkdown = (reply: FastifyReply, text: string) => reply.type(MEDIA_TYPES.markdown).send(text)

/** Conversations are private, so no cache may store them. */
const asPrivate = (reply: FastifyReply) => reply.headers({ 'cache-control': 'private, no-store', vary: 'Accept' })

/** Conversations of the acting profile. */
export function messageRoutes(app: EepRoutes, { messages, profiles }: MessageRouteServices): void {
  const conversation = (listed: ListedConversation) => serializeConversation(listed, profiles)

  app.post(
    PATH,
    {
      config: changing({
        operationId: 'openConversation',
        summary: 'Send a message to a profile',
        errors: [
          ...REFUSALS,
          tooManyConversations,
          cannotMessageItself,
          notProfileOwner,
          profileNotFound,
          profileMoved,
        ],
      }),
      schema: { headers, body: conversationBody, response: { 201: sentSchema } },
    },
    async (request, reply) => {
      const { to, body, client_id: clientId } = request.body
      const { listed, message } = await messages.open(recipientOf(to), { body, clientId }, actingIn(request))
      const { id, profileId } = listed.conversation
      reply.code(201).header('location', `${request.eep.basePath}${PATH}/${id}/messages`)
      return { conversation: conversation(listed), message: serializeMessage(message, profileId) }
    },
  )

  app.get(
    PATH,
    {
      config: reading({
        operationId: 'listConversations',
        tool: {
          title: 'List conversations',
          description: 'List the conversations of the acting profile, latest message first.',
          openWorld: true,
        },
        summary: 'List the conversations of the acting profile, latest message first',
        errors: [invalidCursor, notProfileOwner, profileNotFound],
        produces: FORMATS,
      }),
      schema: { headers, querystring: conversationsQuery, response: { 200: conversationList } },
    },
    async (request, reply) => {
      const { blocked: isBlocking, ...asked } = request.query
      const { profile, page } = await messages.list({ ...asked, isBlocking }, actingIn(request))
      asPrivate(reply)
      if (wantsMarkdown(request)) return sendMarkdown(reply, conversationsMarkdown(profile, page, profiles))
      return listResponse(page, conversation)
    },
  )

  app.get(
    `${PATH}/:id/messages`,
    {
      config: reading({
        operationId: 'listMessages',
        tool: { title: 'List messages', description: 'List the messages of a conversation.', openWorld: true },
        summary: 'List the messages of a conversation',
        errors: [invalidCursor, ...UNKNOWN],
        produces: FORMATS,
      }),
      schema: { headers, params: conversationParams, querystring: messagesQuery, response: { 200: messageList } },
    },
    async (request, reply) => {
      const { order, limit, cursor, after_seq: afterSeq } = request.query
      const wanted = { order, limit, cursor, afterSeq }
      const { listed, page } = await messages.listMessages(request.params.id, wanted, actingIn(request))
      asPrivate(reply)
      if (wantsMarkdown(request)) return sendMarkdown(reply, messagesMarkdown(listed, page, profiles))
      return listResponse(page, (message) => serializeMessage(message, listed.conversation.profileId))
    },
  )

  app.post(
    `${PATH}/:id/messages`,
    {
      config: changing({
        operationId: 'sendMessage',
        tool: { title: 'Send a message', description: 'Send a message in a conversation, as the acting profile.' },
        summary: 'Send a message in a conversation',
        errors: [...REFUSALS, ...UNKNOWN],
      }),
      schema: { headers, params: conversationParams, body: messageBody, response: { 201: messageSchema } },
    },
    async (request, reply) => {
      const { body, client_id: clientId } = request.body
      const message = await messages.send(request.params.id, { body, clientId }, actingIn(request))
      reply.code(201)
      return serializeMessage(message, message.senderProfileId ?? 0)
    },
  )

  app.post(
    `${PATH}/:id/read`,
    {
      config: changing({
        operationId: 'markConversationRead',
        summary: 'Mark a conversation as read up to a message',
        errors: [messageNotFound, ...UNKNOWN],
      }),
      schema: { headers, params: conversationParams, body: readBody, response: { 200: conversationSchema } },
    },
    async (request) => conversation(await messages.markRead(request.params.id, request.body.up_to, actingIn(request))),
  )

  for (const [method, operationId, summary] of [
    ['POST', 'blockParticipant', 'Block the other profile of a conversation'],
    ['DELETE', 'unblockParticipant', 'Unblock the other profile of a conversation'],
  ] as const) {
    app.route({
      method,
      url: `${PATH}/:id/block`,
      config: changing({ operationId, summary, errors: UNKNOWN }),
      schema: { headers, params: conversationParams, response: { 200: conversationSchema } },
      handler: async (request) =>
        conversation(await messages.setBlocked(request.params.id, { isBlocked: method === 'POST' }, actingIn(request))),
    })
  }

  app.delete(
    `${PATH}/:id/messages/:messageId`,
    {
      config: changing({
        operationId: 'deleteMessage',
        summary: 'Delete the text of a message that the caller sent in the last 24 hours',
        errors: [messageNotFound, notYourMessage, messageTooOld, ...UNKNOWN],
      }),
      schema: { headers, params: messageParams, response: { 200: messageSchema } },
    },
    async (request) => {
      const { id, messageId } = request.params
      const message = await messages.deleteMessage(id, messageId, actingIn(request))
      return serializeMessage(message, message.senderProfileId ?? 0)
    },
  )
}
