import type { Presence, SocketStats } from './service.ts'

/** The methods of `app.eep.sockets`. */
export interface SocketsApi {
  /** Returns statistics of the sockets of this instance since the start: open connections, subscriptions and frames. */
  stats(): SocketStats
  /** The open connections of an account on this instance. */
  presence(accountId: string): readonly Presence[]
}
