import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { createEep } from './eep.ts'
import type { HttpOptions } from './http/plugin.ts'
import type { EepOptions } from './options.ts'
import './http/augment.ts'

/** The options of the service and of its first listener. */
export type EepPluginOptions = EepOptions & HttpOptions & { readonly prefix?: string }

const plugin: FastifyPluginAsync<EepPluginOptions> = async (app, { prefix, notFound, ...options }) => {
  const eep = createEep({ ...options, logger: options.logger ?? app.log })
  app.decorate('eep', eep)
  // Fastify drops the prefix of a plugin that is not encapsulated, so it is handed on to the one that is.
  await app.register(eep.http, {
    ...(prefix === undefined ? {} : { prefix }),
    ...(notFound === undefined ? {} : { notFound }),
  })
  app.addHook('onReady', () => eep.start())
  app.addHook('onClose', () => eep.stop())
}

/**
 * The service as a Fastify plugin: builds it, mounts its routes under `prefix`, starts it when the server is ready and
 * stops it when the server closes. Leaves `app.eep` to the host and touches nothing else of it.
 */
export const eep = fastifyPlugin(plugin, { name: '@eep/core', fastify: '5.x' })
