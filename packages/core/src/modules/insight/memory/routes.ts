import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { invalidSearchQuery, semanticSearchDisabled, semanticSearchUnavailable } from '../../discovery/search/index.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { actorOf } from './access.ts'
import {
  memoryAgentMismatch,
  memoryEntryNotFound,
  memoryFull,
  memoryKeyMissing,
  memorySessionNotFound,
  memorySignatureRequired,
  summaryDisabled,
  summaryFailed,
  tooManyMemoryEntries,
  tooManyMemorySessions,
} from './errors.ts'
import type { MemorySearch } from './memory-search.ts'
import {
  addedSchema,
  entriesBody,
  entryChanges,
  entryList,
  entryParams,
  entrySchema,
  hitsSchema,
  recallBody,
  recalledSchema,
  searchBody,
  sessionBody,
  sessionList,
  sessionParams,
  sessionQuery,
  sessionSchema,
  summaryBody,
  summarySchema,
} from './schemas.ts'
import { serializeEntry, serializeSession } from './serialize.ts'
import type { MemoryService } from './service.ts'

export interface MemoryRouteServices {
  readonly memory: MemoryService
  readonly memorySearch: MemorySearch
}

/** 100 entries of 32 KB with their metadata. */
const BATCH_BYTES = 4_194_304

type Described = Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'tool' | 'unavailable'> & {
  readonly limit?: string
  readonly readsOnly?: boolean
}

const reading = (route: Described) =>
  routeConfig({ auth: 'key', scope: 'read:memory', tag: 'memory', limit: 'memory', ...route })
const changing = (route: Described) =>
  routeConfig({ auth: 'key', scope: 'write:memory', tag: 'memory', limit: 'memory', ...route })

const actorIn = (request: FastifyRequest) => actorOf(callerOf(request), request.eep.agent)

/** Routes of the memory of agents. */
export function memoryRoutes(app: EepRoutes, services: MemoryRouteServices, canSummarize: boolean): void {
  sessionRoutes(app, services)
  entryRoutes(app, services)
  searchRoutes(app, services, canSummarize)
}

function sessionRoutes(app: EepRoutes, { memory }: MemoryRouteServices): void {
  app.post(
    '/memory/sessions',
    {
      config: changing({
        operationId: 'createMemorySession',
        tool: {
          title: 'Create a memory session',
          description: 'Create a session in which an assistant keeps notes for a profile.',
        },
        summary: 'Create a memory session for a profile',
        errors: [notProfileOwner, profileNotFound, memoryAgentMismatch, memorySignatureRequired, tooManyMemorySessions],
      }),
      schema: { body: sessionBody, response: { 201: sessionSchema } },
    },
    async (request, reply) => {
      const { profile_id: profileId, agent_did: agentDid, ttl_seconds: ttlSeconds, name } = request.body
      const session = await memory.create({ profileId, agentDid, ttlSeconds, name }, actorIn(request))
      reply.code(201)
      return serializeSession(session)
    },
  )

  app.get(
    '/memory/sessions',
    {
      config: reading({
        operationId: 'listMemorySessions',
        tool: {
          title: 'List memory sessions',
          description: 'List the memory sessions of a profile.',
          openWorld: false,
        },
        summary: 'List the memory sessions of a profile that have not expired, newest first',
        errors: [notProfileOwner, profileNotFound, invalidCursor],
      }),
      schema: { querystring: sessionQuery, response: { 200: sessionList } },
    },
    async (request) => {
      const { profile_id: profileId, ...page } = request.query
      return listResponse(await memory.list(profileId, actorIn(request), page), serializeSession)
    },
  )

  app.get(
    '/memory/sessions/:id',
    {
      config: reading({
        operationId: 'getMemorySession',
        summary: 'Get a memory session',
        errors: [memorySessionNotFound, memoryKeyMissing],
      }),
      schema: { params: sessionParams, response: { 200: sessionSchema } },
    },
    async (request) => serializeSession(await memory.get(request.params.id, actorIn(request))),
  )

  app.delete(
    '/memory/sessions/:id',
    {
      config: changing({
        operationId: 'deleteMemorySession',
        summary: 'Delete a memory session with its entries',
        errors: [memorySessionNotFound],
      }),
      schema: { params: sessionParams, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await memory.delete(request.params.id, actorIn(request))
      return reply.code(204).send()
    },
  )
}

function entryRoutes(app: EepRoutes, { memory }: MemoryRouteServices): void {
  app.post(
    '/memory/sessions/:id/entries',
    {
      config: changing({
        operationId: 'addMemoryEntries',
        tool: { title: 'Add to the memory', description: 'Store one or more notes in a memory session.' },
        summary: 'Create an entry, or up to 100 entries in one transaction',
        errors: [memorySessionNotFound, tooManyMemoryEntries, memoryFull],
      }),
      bodyLimit: BATCH_BYTES,
      schema: { params: sessionParams, body: entriesBody, response: { 201: addedSchema } },
    },
    async (request, reply) => {
      const { body } = request
      const entries = 'entries' in body ? body.entries : [body]
      const added = await memory.add(request.params.id, entries, actorIn(request))
      reply.code(201)
      const data = added.map(serializeEntry)
      const [only] = data
      return only && !('entries' in body) ? only : { data }
    },
  )

  app.get(
    '/memory/sessions/:id/entries',
    {
      config: reading({
        operationId: 'listMemoryEntries',
        summary: 'List the entries of a memory session, newest first',
        errors: [memorySessionNotFound, invalidCursor, memoryKeyMissing],
      }),
      schema: { params: sessionParams, querystring: listQuery, response: { 200: entryList } },
    },
    async (request) =>
      listResponse(await memory.listEntries(request.params.id, actorIn(request), request.query), serializeEntry),
  )

  app.patch(
    '/memory/sessions/:id/entries/:entryId',
    {
      config: changing({
        operationId: 'updateMemoryEntry',
        summary: 'Change fields of an entry',
        errors: [memorySessionNotFound, memoryEntryNotFound, memoryFull, memoryKeyMissing],
      }),
      schema: { params: entryParams, body: entryChanges, response: { 200: entrySchema } },
    },
    async (request) => {
      const { id, entryId } = request.params
      return serializeEntry(await memory.update(id, entryId, request.body, actorIn(request)))
    },
  )

  app.delete(
    '/memory/sessions/:id/entries/:entryId',
    {
      config: changing({
        operationId: 'deleteMemoryEntry',
        tool: { title: 'Delete from the memory', description: 'Delete a note of a memory session.' },
        summary: 'Delete an entry',
        errors: [memorySessionNotFound, memoryEntryNotFound],
      }),
      schema: { params: entryParams, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const { id, entryId } = request.params
      await memory.deleteEntry(id, entryId, actorIn(request))
      return reply.code(204).send()
    },
  )
}

function searchRoutes(app: EepRoutes, { memorySearch }: MemoryRouteServices, canSummarize: boolean): void {
  const searching = (route: Described) => reading({ limit: 'memory_search', readsOnly: true, ...route })

  app.post(
    '/memory/sessions/:id/search',
    {
      config: searching({
        operationId: 'searchMemory',
        tool: {
          title: 'Search the memory',
          description: 'Find notes of a memory session by words or meaning.',
          openWorld: false,
        },
        summary: 'Search the entries of a memory session',
        errors: [
          memorySessionNotFound,
          invalidSearchQuery,
          semanticSearchDisabled,
          semanticSearchUnavailable,
          memoryKeyMissing,
        ],
      }),
      schema: { params: sessionParams, body: searchBody, response: { 200: hitsSchema } },
    },
    async (request) => {
      const { min_score: minScore, ...query } = request.body
      const found = await memorySearch.search(request.params.id, { ...query, minScore }, actorIn(request))
      return { data: found.hits.map(({ entry, score }) => ({ ...serializeEntry(entry), score })), mode: found.mode }
    },
  )

  app.post(
    '/memory/sessions/:id/recall',
    {
      config: searching({
        operationId: 'recallMemory',
        tool: {
          title: 'Recall from the memory',
          description: 'Get the notes that matter most for a question, within a number of tokens.',
          openWorld: false,
        },
        summary: 'Get the entries that are most relevant to a query, within a token budget',
        errors: [memorySessionNotFound, memoryKeyMissing],
      }),
      schema: { params: sessionParams, body: recallBody, response: { 200: recalledSchema } },
    },
    async (request) => {
      const { query, token_budget: tokenBudget } = request.body
      const recalled = await memorySearch.recall(request.params.id, query, tokenBudget, actorIn(request))
      return {
        data: recalled.map(({ entry, score, tokens }) => ({ ...serializeEntry(entry), score, tokens })),
        tokens_used: recalled.reduce((sum, { tokens }) => sum + tokens, 0),
        token_budget: tokenBudget,
      }
    },
  )

  app.post(
    '/memory/sessions/:id/summary',
    {
      config: searching({
        operationId: 'summarizeMemory',
        summary: 'Get a summary of the newest entries of a memory session',
        errors: [memorySessionNotFound, summaryDisabled, summaryFailed, memoryKeyMissing],
        unavailable: !canSummarize,
      }),
      schema: { params: sessionParams, body: summaryBody, response: { 200: summarySchema } },
    },
    async (request) => {
      const { summary, entries, isComplete } = await memorySearch.summarize(
        request.params.id,
        request.body.max_words,
        actorIn(request),
      )
      return { summary, entries, complete: isComplete }
    },
  )
}
