import { describe, expect, it } from 'vitest'
import { sha256 } from '../../kernel/digest.ts'
import { createKeyring } from '../../kernel/keyring.ts'
import type { GuardedStorage } from '../../runtime/storage/guard.ts'
import { createIdempotencyService } from './service.ts'

const NAME = { accountId: 'ada', route: 'POST /account', key: 'a-key' }
const OLD = 'an old secret of the service, long enough'
const NEW = 'a new secret of the service, long enough'

interface Kept {
  fingerprint?: string
}

/** A service whose storage keeps the fingerprint of one request. */
function createService(secrets: readonly [string, ...string[]], kept: Kept) {
  const idempotency = {
    async begin({ fingerprint }: { readonly fingerprint: string }) {
      if (kept.fingerprint === undefined) {
        kept.fingerprint = fingerprint
        return { outcome: 'started' }
      }
      return kept.fingerprint === fingerprint ? { outcome: 'in_flight' } : { outcome: 'mismatch', facts: null }
    },
  }
  // The service uses no other store.
  const write = ((work: (tx: unknown) => unknown) => work({ idempotency })) as unknown as GuardedStorage['write']
  return createIdempotencyService({
    write,
    clock: () => new Date(0),
    keyring: createKeyring(secrets),
    keptMs: 1,
    maxBytes: 1,
    maxKeys: 1,
  })
}

describe('the fingerprint of a request', () => {
  it('cannot be computed from the request without a secret of the service', async () => {
    const [one, other]: [Kept, Kept] = [{}, {}]
    const content = 'current_password=Correct+horse'
    await createService([NEW], one).begin({ ...NAME, content })
    await createService([OLD], other).begin({ ...NAME, content })
    expect(one.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(one.fingerprint).not.toBe(sha256(content))
    expect(one.fingerprint).not.toBe(other.fingerprint)
  })

  it('is recognized after the secret was rotated, and another one is not', async () => {
    const kept = {}
    expect((await createService([OLD], kept).begin({ ...NAME, content: 'a' })).outcome).toBe('started')
    const rotated = createService([NEW, OLD], kept)
    expect((await rotated.begin({ ...NAME, content: 'a' })).outcome).toBe('in_flight')
    expect((await rotated.begin({ ...NAME, content: 'b' })).outcome).toBe('mismatch')
    expect((await createService([NEW], kept).begin({ ...NAME, content: 'a' })).outcome).toBe('mismatch')
  })
})
