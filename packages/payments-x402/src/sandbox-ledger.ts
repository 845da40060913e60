import { createHash } from 'node:crypto'
import { SANDBOX_NETWORK, type SandboxTransfer, type Storage } from '@eep/core/ports'
import { resolveAsset, resolveNetwork } from './network.ts'
import type { SignedAuthorization } from './payment-payload.ts'
import { reasons } from './reasons.ts'
import { digestOf, isSignedByKey } from './signature.ts'

/** Options of {@link sandboxFacilitator} and {@link sandboxChain}. */
export interface SandboxChainOptions {
  /** The storage of the service, which needs the group `sandbox`. */
  readonly storage: Storage
  readonly now?: (() => Date) | undefined
}

/** The books of the play chain: balances and used nonces, in the storage of the service. */
export function createSandboxLedger({ storage, now = () => new Date() }: SandboxChainOptions) {
  const network = resolveNetwork(SANDBOX_NETWORK)
  const asset = resolveAsset(network, undefined)
  const wallets = storage.read.sandboxWallets
  if (!wallets) throw new Error('x402: the sandbox needs a storage with the group sandbox')

  /** Returns the reason code of a payment that would fail now; undefined when it would move the money. */
  async function refusalOf({ authorization, signature }: SignedAuthorization): Promise<string | undefined> {
    const { from, nonce, value, validAfter, validBefore } = authorization
    const seconds = BigInt(Math.floor(now().getTime() / 1000))
    if (seconds <= BigInt(validAfter)) return reasons.validAfter
    if (seconds >= BigInt(validBefore)) return reasons.validBefore
    const digest = await digestOf(network, asset, authorization)
    if (!(await isSignedByKey(digest, authorization, signature))) return reasons.signature
    const [used, wallet] = await Promise.all([wallets?.getTransfer(from, nonce), wallets?.get(from)])
    if (used) return reasons.nonceUsed
    return (wallet?.atomic ?? 0n) < BigInt(value) ? reasons.balance : undefined
  }

  /** Moves the money of a payment once, and returns the transfer, or the reason code of a refusal. */
  async function settle(payment: SignedAuthorization): Promise<SandboxTransfer | string> {
    const { from, to, nonce, value } = payment.authorization
    const made = async () => {
      const known = await wallets?.getTransfer(from, nonce)
      return known && (known.isAuthorized && known.to === to && `${known.atomic}` === value ? known : reasons.nonceUsed)
    }
    const before = await made()
    if (before !== undefined) return before
    const refusal = await refusalOf(payment)
    if (refusal !== undefined && refusal !== reasons.nonceUsed) return refusal
    const transfer = {
      from,
      to,
      nonce,
      atomic: BigInt(value),
      transaction: `0x${createHash('sha256').update(`${from}|${nonce}`).digest('hex')}`,
      isAuthorized: true,
      at: now(),
    }
    const outcome = await storage.transaction(async (tx) => tx.sandboxWallets?.transfer(transfer))
    if (outcome === 'moved') return transfer
    return outcome === 'insufficient_balance' ? reasons.balance : ((await made()) ?? reasons.nonceUsed)
  }

  return { network, asset, wallets, now, refusalOf, settle }
}

export type SandboxLedger = ReturnType<typeof createSandboxLedger>
