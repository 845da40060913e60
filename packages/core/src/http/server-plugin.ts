import type { FastifyPluginAsync } from 'fastify'

/** A Fastify server of any kind: HTTP/1.1 or HTTP/2, with any logger and type provider. */
export interface AnyServer {
  readonly server: object
}

/**
 * A Fastify plugin for servers of any kind. With the types of Fastify, a host that registers it has 20,000 types more: the compiler
 * compares whole instances.
 */
export type ServerPlugin<Options> = (app: AnyServer, options: Options) => Promise<void>

/** Returns a plugin with the type {@link ServerPlugin}. Fastify passes its instance to both. */
export const forAnyServer = <Options extends object>(plugin: FastifyPluginAsync<Options>): ServerPlugin<Options> =>
  plugin as unknown as ServerPlugin<Options>
