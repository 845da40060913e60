import type { Clock } from '../../kernel/clock.ts'
import type { Caller } from '../../model/caller.ts'

export interface LeaseOptions {
  /** How long before the end of its credentials a client is warned. */
  readonly authWarningSeconds: number
  /** How long it has from the warning to show others. */
  readonly authRefreshSeconds: number
}

/** A due action of a connection because of its credentials. */
export type LeaseDue =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'warn'; readonly expiresIn: number }
  | { readonly kind: 'end' }

/** When a connection is warned of the end of its credentials, and when it ends. */
export function createLease({ authWarningSeconds, authRefreshSeconds }: LeaseOptions, clock: Clock) {
  let warnedAtMs: number | undefined

  /** When the credentials of a caller end; undefined for never. */
  const endOf = ({ expiresAt, sessionExpiresAt }: Pick<Caller, 'expiresAt' | 'sessionExpiresAt'>): Date | undefined =>
    expiresAt ?? sessionExpiresAt

  return {
    endOf,
    /** Forgets the warning: the client has shown other credentials. */
    renew(): void {
      warnedAtMs = undefined
    },
    /** Returns the due action. A warning is due once. */
    due(caller: Pick<Caller, 'expiresAt' | 'sessionExpiresAt'>): LeaseDue {
      const end = endOf(caller)
      if (!end) return { kind: 'nothing' }
      const now = clock().getTime()
      const leftMs = end.getTime() - now
      if (leftMs <= 0) return { kind: 'end' }
      if (leftMs > authWarningSeconds * 1_000) return { kind: 'nothing' }
      if (warnedAtMs === undefined) {
        warnedAtMs = now
        return { kind: 'warn', expiresIn: Math.ceil(leftMs / 1_000) }
      }
      return now - warnedAtMs >= authRefreshSeconds * 1_000 ? { kind: 'end' } : { kind: 'nothing' }
    },
  }
}
