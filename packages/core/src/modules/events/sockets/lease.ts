import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'

export interface LeaseOptions {
  /** The time between the warning and the expiry of credentials. */
  readonly authWarningSeconds: number
  /** The time that a client has after the warning to send new credentials. */
  readonly authRefreshSeconds: number
}

/** A due action because of expiring credentials. */
export type LeaseDue =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'warn'; readonly expiresIn: number }
  | { readonly kind: 'end' }

/** Determines when a connection is warned of expiring credentials, and when it is closed. */
export function createLease({ authWarningSeconds, authRefreshSeconds }: LeaseOptions, clock: Clock) {
  let warnedAtMs: number | undefined

  /** The expiry of the credentials of a caller; undefined for never. */
  const endOf = ({ expiresAt, sessionExpiresAt }: Pick<Caller, 'expiresAt' | 'sessionExpiresAt'>): Date | undefined =>
    expiresAt ?? sessionExpiresAt

  return {
    endOf,
    /** Resets the warning after the client has sent new credentials. */
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
