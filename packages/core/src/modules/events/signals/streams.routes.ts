import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import { authenticateAgain, callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import { storageUnavailable } from '../../../ports/storage/storage.ts'
import { type MyProfiles, notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { mayTheSame } from './credential-watch.ts'
import { tooManyStreams } from './errors.ts'
import type { EventStreams } from './event-stream.ts'
import { splitList } from './filter.ts'
import type { SubscriptionEnd } from './hub.ts'
import type { SignalReader } from './reader.ts'
import { followingHeaders, keyedStreamQuery, streamHeaders, streamQuery } from './schemas.ts'
import type { SignalService } from './service.ts'

export interface StreamRouteServices {
  readonly signals: SignalService
  readonly eventStreams: EventStreams
  readonly myProfiles: Pick<MyProfiles, 'acting'>
}

interface StreamQuery {
  readonly types?: string | undefined
  readonly events?: string | undefined
  readonly source?: string | undefined
  readonly last_event_id?: string | undefined
  readonly lastEventId?: string | undefined
}

/** The reader of a stream, and the function to call at its end. */
interface Opened {
  readonly reader: SignalReader
  readonly release?: (() => void) | undefined
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx would buffer events otherwise.
  'x-accel-buffering': 'no',
}

const LAST = {
  slow: { event: 'slow_consumer' },
  stopping: { comment: 'the service stops' },
  failed: { comment: 'try again' },
} as const satisfies Record<SubscriptionEnd, object>

/** Routes of server-sent events. */
export function streamRoutes(app: EepRoutes, { signals, eventStreams, myProfiles }: StreamRouteServices): void {
  /** Sends events until the client disconnects or the hub ends the stream. Steps that can fail come before the head is sent. */
  async function stream(
    request: FastifyRequest<{ Querystring: StreamQuery }>,
    reply: FastifyReply,
    open: () => Promise<Opened>,
  ): Promise<FastifyReply> {
    const { caller } = request.eep
    const { types, events, source } = request.query
    if (!signals.isRunning()) throw storageUnavailable()
    const names = types === undefined ? '/events' : '/types'
    const paths = { types: names, sources: '/source' }
    const wanted = { types: splitList(types ?? events), sources: splitList(source) }
    const filter = await signals.readFilter(wanted, caller, paths)
    const after = lastEventIdOf(request)
    if (request.method === 'HEAD') return reply.headers(HEADERS).send()

    const leave = signals.takeStream(caller, clientOf(request))
    try {
      const { reader, release } = await open()
      if (request.raw.destroyed) {
        release?.()
        leave()
        return reply.hijack()
      }
      reply.headers(HEADERS).hijack()
      const { raw } = reply
      // A client that only listens sends nothing, so no timeout applies.
      if (raw.socket instanceof Socket) raw.socket.setTimeout(0)
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value)
      // `Connection: close`: otherwise a browser would reconnect over the same connection, get a 503 from the closing
      // server, and give up.
      raw.shouldKeepAlive = false
      raw.writeHead(200)
      const body = eventStreams.open(raw, () => {
        subscription.close()
        credential?.stop()
        release?.()
        leave()
      })
      const subscription = signals.subscribe({
        filter,
        reader,
        after,
        onEvent: body.send,
        onReset: body.reset,
        onEnd: (reason) => body.end(LAST[reason]),
      })
      function endStream(comment: string): void {
        credential?.stop()
        subscription.close()
        body.end({ comment })
      }
      const credential =
        caller &&
        signals.watchCredential({
          caller: () => caller,
          authenticate: () => authenticateAgain(request),
          // The reader was made for what the credential could do, so the client opens another stream.
          onConfirmed(confirmed) {
            if (!mayTheSame(confirmed, caller)) endStream('the permissions of the credential have changed')
          },
          onEnded: () => endStream('the credential has ended'),
        })
      return reply
    } catch (error) {
      leave()
      throw error
    }
  }

  const described = {
    tag: 'streams',
    staysOpen: true,
    // Clients also send a key to routes that accept none.
    secrets: ['api_key'],
    produces: ['text/event-stream'],
    errors: [tooManyStreams, storageUnavailable],
  } as const

  app.get(
    '/stream/signals',
    {
      compress: false,
      config: routeConfig({
        ...described,
        auth: 'none',
        operationId: 'streamPublicEvents',
        summary: 'Follow public events (server-sent events)',
      }),
      schema: { querystring: streamQuery, headers: streamHeaders, response: { 200: z.unknown() } },
    },
    (request, reply) => stream(request, reply, async () => ({ reader: signals.anyone })),
  )

  app.get(
    '/stream/signals/following',
    {
      compress: false,
      config: routeConfig({
        ...described,
        auth: 'key',
        scope: 'read:events',
        keyInQuery: true,
        operationId: 'streamFollowedEvents',
        summary: 'Follow the profiles that the acting profile follows, and its own team (server-sent events)',
        errors: [...described.errors, notProfileOwner, profileNotFound],
      }),
      schema: { querystring: keyedStreamQuery, headers: followingHeaders, response: { 200: z.unknown() } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = await myProfiles.acting(request.headers['x-active-profile-id'] ?? caller.profileId, caller)
      return stream(request, reply, () => signals.followingReader(caller, id))
    },
  )

  app.get(
    '/eep/stream',
    {
      compress: false,
      config: routeConfig({
        ...described,
        auth: 'key',
        scope: 'read:events',
        keyInQuery: true,
        operationId: 'streamEvents',
        summary: 'Follow public events and events of the caller and its teams (server-sent events)',
        errors: [...described.errors, notProfileOwner, profileNotFound],
      }),
      schema: { querystring: keyedStreamQuery, headers: followingHeaders, response: { 200: z.unknown() } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const active = request.headers['x-active-profile-id']
      if (active !== undefined) await myProfiles.acting(active, caller)
      return stream(request, reply, async () => ({ reader: signals.readerOf(caller) }))
    },
  )
}

/**
 * Browsers send the header when they reconnect. It takes precedence over the query, which they repeat.
 *
 * @throws `validation_failed` when both names of the query have different values
 */
function lastEventIdOf({ headers, query }: FastifyRequest<{ Querystring: StreamQuery }>): string | undefined {
  const { last_event_id: named, lastEventId: alias } = query
  if (named && alias && named !== alias) {
    const issue = { path: '/lastEventId', code: 'conflict', message: 'Must be the same as last_event_id' }
    throw validationFailed({ details: { issues: [issue] } })
  }
  const id = headers['last-event-id']
  return (typeof id === 'string' && id) || named || alias || undefined
}
