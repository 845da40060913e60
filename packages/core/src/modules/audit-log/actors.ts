import type { AuditActor } from '../../events/audit.ts'
import { ERASED_DID } from '../../kernel/tombstones.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { MyProfiles, ProfileService } from '../profiles/index.ts'
import type { AuditDraft } from './chain.ts'

export interface ActorDeps {
  readonly read: Readers
  readonly profiles: Pick<ProfileService, 'didOf'>
  readonly myProfiles: Pick<MyProfiles, 'defaultOf'>
  readonly serviceDid: string
}

type Actor = AuditDraft['actor']

/** What a record says about who paid. */
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
export function createActors({ read, profiles, myProfiles, serviceDid }: ActorDeps) {
  const service = other(serviceDid)

  const ofProfile = (profile: Profile | undefined): Actor =>
    profile ? { did: profiles.didOf(profile), accountId: profile.ownerAccountId, profileId: profile.id } : ERASED

  async function ofAccount(id: string): Promise<Actor> {
    const account = await read.accounts.get(id)
    return account ? ofProfile(await myProfiles.defaultOf(account)) : ERASED
  }

  async function ofPayer({ payerDid, payerAccountId, address, network }: Payer): Promise<Actor> {
    if (payerDid !== null) return { did: payerDid, accountId: payerAccountId, profileId: null }
    if (payerAccountId !== null) return ofAccount(payerAccountId)
    if (network === undefined || address === undefined) return service
    if (network.startsWith('did:')) return other(address)
    const isWallet = CHAIN_ID.test(network) && CHAIN_ADDRESS.test(address)
    return isWallet ? other(`did:pkh:${network}:${address}`) : service
  }

  async function find(actor: AuditActor): Promise<Actor> {
    switch (actor.kind) {
      case 'service':
        return service
      case 'account':
        return ofAccount(actor.id)
      case 'profile':
        return ofProfile(await read.profiles.get(actor.id))
      case 'buyer': {
        const deal = await read.negotiations?.get(actor.negotiationId)
        if (!deal) return ERASED
        const { buyerProfileId, buyerDid } = deal
        return buyerProfileId === null ? other(buyerDid) : ofProfile(await read.profiles.get(buyerProfileId))
      }
      case 'payer': {
        const receipt = await read.receipts.get(actor.receiptId)
        if (!receipt) return ERASED
        const { payerDid, payerAccountId, payerWalletAddress, payerNetwork } = receipt
        return ofPayer({ payerDid, payerAccountId, address: payerWalletAddress, network: payerNetwork })
      }
      case 'payment': {
        const payment = await read.payments.get(actor.paymentId)
        if (!payment) return ERASED
        const { payerDid, payerAccountId, payer } = payment
        return ofPayer({ payerDid, payerAccountId, address: payer.wallet, network: payer.network })
      }
      case 'holder': {
        const held = await read.grants?.get(actor.entitlementId)
        if (!held) return read.grants ? ERASED : service
        const { payerWalletAddress: address, payerNetwork: network } = held
        if (network === 'account') return ofAccount(address)
        if (network === 'email') return service
        return ofPayer({ payerDid: null, payerAccountId: null, address, network })
      }
    }
  }

  return {
    /** Returns the actor that an entry names; without one, the account that caused the event, else the service. */
    of: (actor: AuditActor | undefined, { accountId }: Pick<StoredEvent, 'accountId'>): Promise<Actor> =>
      find(actor ?? (accountId === null ? { kind: 'service' } : { kind: 'account', id: accountId })),
  }
}

export type Actors = ReturnType<typeof createActors>
