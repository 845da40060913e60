import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { webSockets } from '../http/sockets/web-sockets.ts'
import type { SocketsApi } from '../modules/events/sockets/api.ts'
import { sockets as create } from '../modules/events/sockets/module.ts'
import type { socketsOptions } from '../modules/events/sockets/options.ts'

export type { ClientSocket } from '../ports/client-socket.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly sockets: SocketsApi
  }
}

/** The options of {@link sockets}. */
export interface SocketsOptions extends FeatureOptions<typeof socketsOptions> {}

/**
 * WebSocket connections: `/eep/pulse` and `/ws/messages`.
 *
 * @throws Error with the command that installs the missing packages
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sockets.md
 * @example
 * await app.register(eep, { ...options, modules: [sockets()] })
 */
export const sockets = (options?: SocketsOptions): Module => create(options, { server: webSockets() })
