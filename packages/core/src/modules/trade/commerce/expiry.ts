import { timed } from '../../../runtime/consumers/timed.ts'
import type { NegotiationService } from './service.ts'

export interface ExpiryDeps {
  readonly negotiations: Pick<NegotiationService, 'expireDue'>
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 30_000
const JITTER = 0.25

/** Expires overdue offers at intervals. Safe on several instances. */
export const createOfferExpiry = ({ negotiations, onError }: ExpiryDeps) =>
  timed(negotiations.expireDue, { everyMs: EVERY_MS, jitter: JITTER, onError })
