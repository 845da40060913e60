import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { isFreePath } from '../../../http/free-path.ts'
import { reportSearch } from '../../../http/pipeline/count-visits.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import { searchTimeout } from '../../../ports/search-index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { askAnswer, askBody, askQuery, type Question, readQuestion, serializeAsk } from './ask.ts'
import { askModeUnsupported, invalidSearchQuery, searchDisabled } from './errors.ts'
import { accessedSource } from './search-visits.ts'
import { serializeResults } from './serialize.ts'
import type { SearchService } from './service.ts'

const PATH = '/ask'
const RESULTS = 20
const MAX_BODY_BYTES = 16_384

interface AskServices {
  /** Undefined without a search index. */
  readonly search: SearchService | undefined
  readonly profiles: ProfileService
}

/** `/ask`: questions of agents, answered with what the search finds for everyone. A host that has its own route there keeps it. */
export function askRoutes(
  app: EepRoutes,
  { search, profiles }: AskServices,
  logger: Pick<EepLogger, 'warn'> | undefined,
): void {
  if (!isFreePath(app, logger, { path: PATH, option: 'discovery.ask', methods: ['GET', 'POST'] })) return
  const { host } = new URL(profiles.publicUrl)
  const config = {
    auth: 'none',
    tag: 'search',
    limit: 'search',
    unavailable: search === undefined,
    errors: [askModeUnsupported, invalidSearchQuery, searchDisabled, searchTimeout],
  } as const

  async function answer(request: FastifyRequest, { text, queryId, site, mode }: Question) {
    if (mode !== 'list') throw askModeUnsupported()
    if (!search) throw searchDisabled()
    if (site !== undefined && site !== 'all' && site !== host) return serializeAsk(queryId, host, { data: [] })
    // Without the caller, so that everyone gets the same results.
    const results = await search.search({ q: text, scope: 'all', limit: RESULTS })
    reportSearch(request, { query: text, isFirstPage: true }, results.items.map(accessedSource))
    return serializeAsk(queryId, host, serializeResults(results, profiles))
  }
  const send = async (request: FastifyRequest, reply: FastifyReply, question: Question) =>
    sendWithEtag(request, reply, { body: await answer(request, question), cacheControl: 'public, no-cache' })

  app.get(
    PATH,
    {
      config: routeConfig({
        ...config,
        operationId: 'ask',
        summary: 'List what the search finds for a question (NLWeb)',
      }),
      schema: { querystring: askQuery, response: { 200: askAnswer, 304: z.undefined() } },
    },
    async (request, reply) => send(request, reply, readQuestion(request.query)),
  )
  app.post(
    PATH,
    {
      config: routeConfig({
        ...config,
        operationId: 'askByPost',
        summary: 'List what the search finds for a question in the body (NLWeb)',
      }),
      bodyLimit: MAX_BODY_BYTES,
      schema: { body: askBody, response: { 200: askAnswer } },
    },
    async (request) => answer(request, readQuestion(request.body)),
  )
}
