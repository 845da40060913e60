import type { FastifyReply, FastifyRequest } from 'fastify'
import { createBackground } from './composition/background.ts'
import { createFoundation } from './composition/foundation.ts'
import { readOptions } from './composition/read-options.ts'
import { createReadiness } from './composition/readiness.ts'
import { createRoutes } from './composition/routes.ts'
import { createServices } from './composition/services.ts'
import type { EepEvent, EepEventType } from './events/catalog.ts'
import { createFollower, type Follower, type FollowOptions } from './events/follower.ts'
import type { StoredEvent } from './events/store.ts'
import type { Readiness } from './http/environment.ts'
import type { EepOptions } from './options.ts'

type Handlers = { readonly [Type in EepEventType]?: (event: EepEvent<Type>) => void | Promise<void> }

/**
 * Builds the service without HTTP: every part once, in `composition`. Register {@link Eep.http} on a Fastify
 * server to give it a door, or use its services as plain functions.
 *
 * @throws TypeError that names each option that is wrong
 */
export function createEep(options: EepOptions) {
  const settings = readOptions(options)
  const foundation = createFoundation(settings)
  const { read, write, dispatcher, report, publicUrl } = foundation
  const services = createServices(foundation)
  // What only other parts use stays inside.
  const { agents, dids, signIns, yearDelivery, onFileTrouble, ...open } = services
  const background = createBackground(foundation, services)
  const followers = new Set<Follower>()
  let state: 'idle' | 'running' | 'stopped' = 'idle'
  let starting: Promise<void> | undefined

  const checkParts = createReadiness(settings)
  const { http, countRequest, robotsTxt } = createRoutes(foundation, services, async (): Promise<Readiness> => {
    if (state === 'running') return checkParts()
    return { status: 'not_ready', reasons: { service: state === 'idle' ? 'starting' : 'stopping' } }
  })

  async function begin() {
    try {
      await dispatcher.start()
    } catch (error) {
      // The storage can say what is missing; its first query only says that it failed.
      await settings.storage.ping()
      throw error
    }
    await background.start()
    if (state === 'idle') state = 'running'
    for (const follower of followers) follower.start()
  }

  function start(): Promise<void> {
    starting ??= begin().catch((error) => {
      starting = undefined
      throw error
    })
    return starting
  }

  return {
    ...open,
    /** The routes as a Fastify plugin; register it once for each listener and prefix. */
    http,
    /**
     * An `onRequest` hook for the host's own routes: counts requests with those of the service, sets the rate limit
     * headers, and throws `rate_limited` (429) over the limit. Add it to a scope without the routes of the service, which
     * count by themselves.
     *
     * @example
     * app.register(async (pages) => {
     *   pages.addHook('onRequest', app.eep.countRequest)
     *   pages.get('/about', async () => 'About us')
     * })
     */
    countRequest: (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      countRequest(request, reply, 'default'),
    /**
     * The text of `robots.txt` for the root of the host's site, with the paths of `publicUrl`. Crawlers read the file at
     * the root only, so a host that registers the service under a prefix serves this itself.
     *
     * @throws Error before the service is registered on a server that is ready
     * @example
     * app.get('/robots.txt', (_request, reply) => reply.type('text/plain').send(app.eep.robotsTxt()))
     */
    robotsTxt(): string {
      const text = robotsTxt()
      if (text === undefined) throw new Error('Register the service on a Fastify server before reading robotsTxt()')
      return text
    },
    publicUrl,
    /**
     * Starts background work: following the log, finishing payments, removing accounts. Callers share one start; after a
     * failure the next call tries again.
     *
     * @throws when the storage is unavailable or was not migrated
     */
    start,
    /** Answers `/health/ready` with 503 from now on; requests are still served. */
    drain() {
      state = 'stopped'
    },
    /** Ends background work. The storage stays the host's to close. */
    async stop() {
      state = 'stopped'
      await starting?.catch(() => undefined)
      await Promise.all([...followers].map((follower) => follower.stop()))
      await background.stop()
      await services.accounts.close()
      await foundation.outbox.close()
      await dispatcher.stop()
      await foundation.outbound.close()
      const { blobs, transcriber, rails, billing } = settings
      await Promise.all([foundation.counters, blobs, transcriber, ...rails, billing].map((part) => part?.close?.()))
    },
    /**
     * Hears of events as they happen, on this instance from now on and after commit; what it throws is logged and undoes
     * nothing. Returns how to stop. For work that must not be missed see {@link Eep.follow}.
     */
    on<Type extends EepEventType>(type: Type, listener: (event: EepEvent<Type>) => void | Promise<void>) {
      return dispatcher.listen((event) =>
        event.type === type ? listener(event as unknown as EepEvent<Type>) : undefined,
      )
    },
    /**
     * Handles events durably under a name: each at least once and in order, by one instance at a time, from where the
     * last one stopped. A handler that throws gets the event again.
     */
    follow(name: string, handlers: Handlers, { from = 'now' }: FollowOptions = {}) {
      const handle = async (event: StoredEvent) => {
        const handler = handlers[event.type as EepEventType] as ((event: unknown) => void | Promise<void>) | undefined
        await handler?.(event)
      }
      const start = from === 'start' ? 0 : dispatcher.position()
      const follower = createFollower(name, handle, { events: read.events, write, onError: report, start })
      followers.add(follower)
      const unlisten = dispatcher.listen(() => follower.wake())
      if (state === 'running') follower.start()
      return async () => {
        unlisten()
        followers.delete(follower)
        await follower.stop()
      }
    },
  }
}

/** The service. */
export type Eep = ReturnType<typeof createEep>
