import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { HttpOptions } from '../http/plugin.ts'
import { forAnyServer, type ServerPlugin } from '../http/server-plugin.ts'
import { MoneyKindError } from './composition/money-kind.ts'
import { createEep, type Eep, type EepOptions } from './eep.ts'

import '../http/augment.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The service; see {@link Eep}. */
    eep: Eep
  }
}

/** The options of the service and of its first listener. */
export type EepPluginOptions = EepOptions & HttpOptions & { readonly prefix?: string }

/** Fastify ends a start whose hooks take longer than its `pluginTimeout`, 10 seconds by default. */
const READY_WITHIN_MS = 1_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

/**
 * Starts the service without keeping the server waiting: a start that takes longer than a second, as the first one on an
 * embedded database may, goes on in the background until it succeeds. `/health/ready` returns 503 until then.
 *
 * @throws when the start fails within that second
 */
async function startInTime(eep: Eep, log: FastifyBaseLogger, closing: AbortSignal): Promise<void> {
  const starting = eep.start()
  const isLate = await Promise.race([starting.then(() => false), sleep(READY_WITHIN_MS, true)])
  if (isLate) void finishStart(eep, starting, log, closing)
}

async function finishStart(eep: Eep, begun: Promise<void>, log: FastifyBaseLogger, closing: AbortSignal) {
  let starting = begun
  for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_RETRY_MS)) {
    try {
      return await starting
    } catch (error) {
      if (closing.aborted) return
      if (error instanceof MoneyKindError) {
        log.fatal({ err: error }, 'the service cannot start, and responds with 503 to every request')
        return
      }
      log.error({ err: error }, 'the service could not start; it will be tried again')
    }
    await sleep(pauseMs, undefined, { signal: closing, ref: false }).catch(() => {})
    if (closing.aborted) return
    starting = eep.start()
  }
}

const plugin: FastifyPluginAsync<EepPluginOptions> = async (app, { prefix, notFound, health, ...options }) => {
  const eep = createEep({ ...options, logger: options.logger ?? app.log })
  app.decorate('eep', eep)
  app.addHook('onRoute', (route) => eep.noteRoute(route))
  // Fastify drops the prefix of a plugin that is not encapsulated, so it is handed on to the one that is.
  await app.register(eep.http, {
    ...(prefix === undefined ? {} : { prefix }),
    ...(notFound === undefined ? {} : { notFound }),
    ...(health === undefined ? {} : { health }),
  })
  const closing = new AbortController()
  app.addHook('onReady', () => {
    eep.assertListedRoutes()
    return startInTime(eep, app.log, closing.signal)
  })
  app.addHook('onClose', () => {
    closing.abort()
    return eep.stop()
  })
}

/**
 * The service as a Fastify plugin: builds it, mounts its routes under `prefix`, starts it when the server is ready and
 * stops it when the server closes. Call `storage.migrate()` before `app.listen()`. Adds `app.eep`, the routes and, unless `notFound`
 * is `false`, the answer to paths without a route; changes nothing else. Hooks that the server already has run for the routes too.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/plugin.md
 * @example
 * const app = Fastify({ ...serverOptions, logger: true })
 * await app.register(eep, { publicUrl: 'https://api.example.com', secret, storage })
 * await app.listen({ port: 3000 })
 */
export const eep: ServerPlugin<EepPluginOptions> = forAnyServer(
  fastifyPlugin(plugin, { name: '@eep/core', fastify: '5.x' }),
)
