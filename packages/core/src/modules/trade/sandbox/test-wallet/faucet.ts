import type { Clock } from '../../../../kernel/clock.ts'
import { MINUTE_MS } from '../../../../kernel/durations.ts'
import type { RateLimitStore } from '../../../../ports/rate-limit-store.ts'
import type { SandboxWallet } from '../../../../ports/storage/sandbox.ts'
import { msUntilReset } from '../../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { faucetEmpty, faucetLimitReached } from './errors.ts'

/** 1,000 test USDC, which has six decimals. */
const FULL = 1_000_000_000n
const MAX_WALLETS = 100_000
const FILLS_PER_MINUTE = 10

export interface FaucetDeps extends Pick<GuardedStorage<'sandbox'>, 'write'> {
  readonly clock: Clock
  readonly counters: Pick<RateLimitStore, 'hit'>
}

/** Gives play money away. */
export function createFaucet({ write, clock, counters }: FaucetDeps) {
  return {
    /**
     * Fills the wallet of an address up to 1,000 test USDC, and creates it.
     *
     * @throws `faucet_limit_reached` after ten calls within a minute, `faucet_empty` when there are too many wallets
     */
    async fill(address: string): Promise<SandboxWallet> {
      const known = address.toLowerCase()
      const hit = await counters.hit(`sandbox_faucet:${known}`, MINUTE_MS)
      if (hit.count > FILLS_PER_MINUTE) throw faucetLimitReached({ retryAfterMs: msUntilReset(hit) })
      const filled = await write((tx) =>
        tx.sandboxWallets.fund({ address: known, upTo: FULL, at: clock(), maxWallets: MAX_WALLETS }),
      )
      if (!filled) throw faucetEmpty({ retryAfterMs: MINUTE_MS })
      return filled
    },
  }
}

export type Faucet = ReturnType<typeof createFaucet>
