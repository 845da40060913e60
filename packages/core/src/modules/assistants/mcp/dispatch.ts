import type { FastifyReply, FastifyRequest } from 'fastify'
import { dispatchAs, requestTarget } from '../../../http/pipeline/dispatched.ts'
import type { Caller } from '../../../model/caller.ts'
import { INTERNAL_ERROR, McpError } from './protocol-error.ts'
import type { InnerAnswer, InnerRequest, ToolCall } from './tools/tool.ts'

/** What inner requests have of the outer one: nothing that identifies its sender. */
const INHERITED = ['host', 'user-agent', 'accept-language'] as const

const cancelled = () => new McpError(INTERNAL_ERROR, 'The client is gone')

const REDIRECTS = new Set([301, 302, 307, 308])
const MAX_REDIRECTS = 3

/** Whether the sender of a request is anonymous: such reads are answered from the response cache. */
export const isStranger = ({ eep }: FastifyRequest): boolean =>
  eep.identified.caller === undefined && eep.agent === undefined && eep.bot.state === 'absent'

/**
 * Returns a function that sends requests to the routes of the service, as the sender of a request: with the same validation, scopes,
 * gates and limits. It inherits caller and agent, and no header that identifies a caller.
 *
 * @param closed - aborted when the client is gone. No client waits for a response then, but what a route has begun goes on
 * @param callerNow - the caller at the last check of the credential. Default: that of the request
 */
export function senderAs(
  outer: FastifyRequest,
  reply: FastifyReply,
  closed: AbortSignal,
  callerNow: () => Caller | undefined = () => outer.eep.identified.caller,
): ToolCall['send'] {
  const { eep, server, ip } = outer
  const inherited = Object.fromEntries(
    INHERITED.flatMap((name) => {
      const { [name]: value } = outer.headers
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const { bot, botCheck, searchEngine } = eep
  // An agent that only names itself proves nothing.
  const agent = eep.agent?.verified ? eep.agent : undefined
  const isOfModule = !isStranger(outer)

  async function once({ method, path, headers, body }: InnerRequest): Promise<InnerAnswer> {
    if (closed.aborted) throw cancelled()
    const url = `${eep.basePath}${path}`
    const hasBody = body !== undefined
    const abort = new AbortController()
    const stop = () => abort.abort()
    closed.addEventListener('abort', stop, { once: true })
    // `inject` sends when its result is awaited, so that must be inside.
    const send = async () =>
      await server.inject({
        // The methods of routes.
        method: method as 'GET',
        url,
        remoteAddress: ip,
        signal: abort.signal,
        headers: { ...inherited, ...(hasBody && { 'content-type': 'application/json' }), ...headers },
        ...(hasBody && { payload: JSON.stringify(body) }),
      })
    const identified = { caller: callerNow(), agent, isOfModule }
    const dispatched = { by: 'mcp', identified, bot, botCheck, searchEngine, outer: reply.raw }
    const response = await dispatchAs(dispatched, url, send)
      .catch((error: unknown) => {
        throw closed.aborted ? cancelled() : error
      })
      // A signal that outlives the request would end it after its response.
      .finally(() => closed.removeEventListener('abort', stop))
    const answered = response.headers as InnerAnswer['headers']
    return {
      status: response.statusCode,
      headers: answered,
      path: path.split('?')[0] ?? path,
      get text() {
        return response.payload
      },
      get bytes() {
        return response.rawPayload
      },
    }
  }

  return async (request) => {
    let answer = await once(request)
    for (let count = 0; count < MAX_REDIRECTS && REDIRECTS.has(answer.status); count++) {
      const { location } = answer.headers
      if ((request.method !== 'GET' && request.method !== 'HEAD') || typeof location !== 'string') return answer
      if (!location.startsWith('/') || location.startsWith('//')) return answer
      const target = requestTarget(location)
      if (!target.startsWith(`${eep.basePath}/`)) return answer
      answer = await once({ ...request, path: target.slice(eep.basePath.length) })
    }
    return answer
  }
}
