import { ERASED_DID } from '../../../kernel/erased-ids.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { AuditActor } from '../../../runtime/events/audit.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { AuditDraft } from './chain.ts'
import type { Lookups } from './lookups.ts'

export interface ActorDeps {
  readonly read: Readers
  readonly profiles: Pick<ProfileService, 'didOf'>
  readonly serviceDid: string
}

type Actor = AuditDraft['actor']

/** The payer in a record. */
interface Payer {
  readonly payerDid: string | null
  readonly payerAccountId: string | null
  readonly address: string | undefined
  readonly network: string | undefined
}

/** CAIP-2, which `did:pkh` contains. */
const CHAIN_ID = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
/** The account id of CAIP-10. */
const CHAIN_ADDRESS = /^[-.%a-zA-Z0-9]{1,128}$/

const other = (did: string): Actor => ({ did, accountId: null, profileId: null })
const ERASED = other(ERASED_DID)

/**
 * Finds the DID of an actor: that of a profile, the one that an agent proved, or `did:pkh` of a wallet. A payer without any of
 * them is the service, and an actor that no longer exists is `ERASED_DID`.
 */
export function createActors({ read, profiles, serviceDid }: ActorDeps) {
  const service = other(serviceDid)

  const ofProfile = (profile: Profile | undefined): Actor =>
    profile ? { did: profiles.didOf(profile), accountId: profile.ownerAccountId, profileId: profile.id } : ERASED

  /** A DID of this service is that of a profile, so its entries are redacted with the profile and its account. */
  async function ofDid(did: string, accountId: string | null, lookups: Lookups): Promise<Actor> {
    const profile = await lookups.byDid(did)
    return profile === null ? { did, accountId, profileId: null } : ofProfile(profile)
  }

  async function ofPayer({ payerDid, payerAccountId, address, network }: Payer, lookups: Lookups): Promise<Actor> {
    if (payerDid !== null) return ofDid(payerDid, payerAccountId, lookups)
    if (payerAccountId !== null) return ofProfile(await lookups.defaultOf(payerAccountId))
    if (network === undefined || address === undefined) return service
    if (network.startsWith('did:')) return ofDid(address, null, lookups)
    const isWallet = CHAIN_ID.test(network) && CHAIN_ADDRESS.test(address)
    return isWallet ? other(`did:pkh:${network}:${address}`) : service
  }

  async function find(actor: AuditActor, lookups: Lookups): Promise<Actor> {
    switch (actor.kind) {
      case 'service':
        return service
      case 'account':
        return ofProfile(await lookups.defaultOf(actor.id))
      case 'profile':
        return ofProfile(await lookups.profile(actor.id))
      case 'agent':
        return ofDid(actor.did, null, lookups)
      case 'buyer': {
        const deal = await read.negotiations?.get(actor.negotiationId)
        if (!deal) return ERASED
        const { buyerProfileId, buyerDid } = deal
        return buyerProfileId === null
          ? ofDid(buyerDid, null, lookups)
          : ofProfile(await lookups.profile(buyerProfileId))
      }
      case 'payer': {
        const receipt = await read.receipts.get(actor.receiptId)
        if (!receipt) return ERASED
        const { payerDid, payerAccountId, payerWalletAddress, payerNetwork } = receipt
        return ofPayer({ payerDid, payerAccountId, address: payerWalletAddress, network: payerNetwork }, lookups)
      }
      case 'payment': {
        const payment = await read.payments.get(actor.paymentId)
        if (!payment) return ERASED
        const { payerDid, payerAccountId, payer } = payment
        return ofPayer({ payerDid, payerAccountId, address: payer.wallet, network: payer.network }, lookups)
      }
      case 'holder': {
        const held = await read.grants?.get(actor.entitlementId)
        if (!held) return read.grants ? ERASED : service
        const { payerWalletAddress: address, payerNetwork: network } = held
        if (network === 'account') return ofProfile(await lookups.defaultOf(address))
        if (network === 'email') return service
        return ofPayer({ payerDid: null, payerAccountId: null, address, network }, lookups)
      }
    }
  }

  return {
    /** Returns the actor that an entry names; without one, the account that caused the event, else the service. */
    of: (
      actor: AuditActor | undefined,
      { accountId }: Pick<StoredEvent, 'accountId'>,
      lookups: Lookups,
    ): Promise<Actor> =>
      find(actor ?? (accountId === null ? { kind: 'service' } : { kind: 'account', id: accountId }), lookups),
  }
}

export type Actors = ReturnType<typeof createActors>
