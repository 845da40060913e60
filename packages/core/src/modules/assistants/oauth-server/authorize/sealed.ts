import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { MINUTE_MS } from '../../../../kernel/durations.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import { sealText, unsealText } from '../../../../kernel/sealed-text.ts'
import type { Caller } from '../../../../model/caller.ts'

const PURPOSE = 'oauth-server-request'
const VALID_MS = 10 * MINUTE_MS

const sealedRequest = z.object({
  id: z.string(),
  until: z.number(),
  of: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('code'), query: z.string(), provenUntil: z.number().optional() }),
    z.object({ kind: z.literal('device'), userCode: z.string() }),
  ]),
})

/** What a person is asked: the query of an authorization request, or the request of a device. */
export type AskedRequest = z.output<typeof sealedRequest>['of']

/** A request that a page contains, sealed. */
export interface SealedRequest {
  /** Unique. Its code is made from it, so that a form which is sent twice gets the same code. */
  readonly id: string
  readonly of: AskedRequest
}

const ownerOf = ({ account, sessionId }: Pick<Caller, 'account' | 'sessionId'>) =>
  JSON.stringify([account.id, sessionId ?? null])

/** Seals the requests of consent pages: for an account and its session, for ten minutes. */
export function createSealedRequests({ keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock }) {
  return {
    /** Returns the text of the hidden field of a page. */
    async seal(of: AskedRequest, caller: Pick<Caller, 'account' | 'sessionId'>): Promise<string> {
      const request: z.input<typeof sealedRequest> = { id: randomUUID(), until: clock().getTime() + VALID_MS, of }
      return sealText({ purpose: PURPOSE, of: ownerOf(caller), text: JSON.stringify(request) }, keyring)
    },
    /** Returns a sealed request; undefined for one of another account or session, and after ten minutes. */
    async open(sealed: string, caller: Pick<Caller, 'account' | 'sessionId'>): Promise<SealedRequest | undefined> {
      const text = await unsealText({ purpose: PURPOSE, of: ownerOf(caller), sealed }, keyring)
      if (text === undefined) return undefined
      const { until, ...request } = sealedRequest.parse(JSON.parse(text))
      return until > clock().getTime() ? request : undefined
    },
  }
}

export type SealedRequests = ReturnType<typeof createSealedRequests>
