import type { Clock } from '../../../../kernel/clock.ts'
import { hmac, sameText } from '../../../../kernel/digest.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { Keyring, SharedKey } from '../../../../kernel/keyring.ts'
import { accountHolder, BUYER_NETWORK, emailHolder, type Holder, normalWallet } from '../../../../kernel/wallet.ts'
import type { Agent } from '../../../../model/agent.ts'
import { UNVERIFIED } from '../../../../model/audience.ts'
import type { Caller } from '../../../../model/caller.ts'
import { isAudience, isPayment } from '../../../../model/gate-config.ts'
import { type GateProof, isCurrent, nonceOf } from '../../../../model/gate-proof.ts'
import { audienceOf, type CoveringTier } from '../../../../model/gate-rules.ts'
import { agentPayer, type PayerHint, readPayer } from '../../../../model/payer.ts'
import { covers } from '../../../../model/resource-pattern.ts'
import { type CredentialHeaders, type Payer, x402PaymentIn } from '../../../../ports/payment-rail.ts'
import type { Evidence } from '../../../../ports/requirement-verifier.ts'
import type { ActivePattern, Grant } from '../../../../ports/storage/entitlements.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { Readers } from '../../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../../runtime/telemetry/metrics.ts'
import { noncesConsumed, replaysDetected } from '../../../../runtime/telemetry/replay-metrics.ts'
import { proofReplayed } from '../errors.ts'
import type { ChallengeRequest } from '../pay/challenge-request.ts'
import type { Verdicts } from '../requirements/index.ts'
import { NO_RIGHTS, type ResourceRules, type VisitorRights } from './decide.ts'
import type { Opening } from './opening-cookie.ts'
import type { Reader } from './reader.ts'
import type { GateSessions } from './session.ts'

/** The credentials of a visitor at a gate. */
export interface Credentials {
  readonly caller: Caller | undefined
  /** The agent that the request names or that signed it. */
  readonly agent: Agent | undefined
  readonly payer: PayerHint | undefined
  /** Further payers that the browser proves. Default: none. */
  readonly otherPayers?: readonly PayerHint[] | undefined
  /** The header `SIGN-IN-WITH-X`: a wallet that its holder proves. */
  readonly signIn?: string | undefined
  readonly proofs: readonly GateProof[]
  readonly authorization: string | undefined
  /** Who reads, for gates with audiences. Default: a reader of whom nothing is known. */
  readonly reader?: Reader | undefined
}

/** The credentials of an anonymous visitor. */
export const NO_CREDENTIALS: Credentials = {
  caller: undefined,
  agent: undefined,
  payer: undefined,
  proofs: [],
  authorization: undefined,
}

/** Whether a request has no credentials that a gate could evaluate. */
export const hasNoCredentials = ({
  caller,
  agent,
  payer,
  otherPayers = [],
  signIn,
  proofs,
  authorization,
}: Credentials): boolean =>
  !caller &&
  !agent &&
  !payer &&
  otherPayers.length === 0 &&
  signIn === undefined &&
  proofs.length === 0 &&
  !authorization

/** A visitor and the request for a resource. */
export interface Visitor extends Credentials {
  /** The operator that signed the request (Web Bot Auth), for the record of a payment. Default: none. */
  readonly payerBot?: string | undefined
  /** The headers that may carry a payment. */
  readonly credentials: ChallengeRequest
  /** A payment of this browser whose content is still to be opened. Default: none. */
  readonly opening?: Opening | undefined
  /** Ids of rails in the order the agent prefers. */
  readonly preference: readonly string[]
  /** False when no payment may be taken, for example because the response has no body. */
  readonly mayPay: boolean
  /** Whether the offers can be paid by repeating the request. Default: true. */
  readonly isOffered?: boolean | undefined
  /** The media type of the representation that is asked for. */
  readonly mimeType: string
}

/** Whether a request presents a payment of any rail. */
export const carriesPayment = (headers: CredentialHeaders): boolean =>
  x402PaymentIn(headers) !== undefined ||
  headers.paymentAuthorization !== undefined ||
  /^payment\s/i.test(headers.authorization ?? '')

/** Whether no header of a visitor presents or selects a payment. `pathOf` is about the listener, not a header. */
export const presentsNoPayment = ({ credentials: { pathOf: _, ...headers }, preference }: Visitor): boolean =>
  preference.length === 0 && Object.values(headers).every((header) => header === undefined)

/** How long a payer cookie lasts. */
export const PAYER_COOKIE_SECONDS = 604_800
/** How long the cookie of purchases lasts. Browsers keep no cookie longer (RFC 6265bis). */
export const PURCHASES_COOKIE_SECONDS = 400 * 86_400

/**
 * The payers of a caller: its account, and the email address that it has verified. A key must be allowed to read content.
 */
export function callerPayers(caller: Caller | undefined): readonly PayerHint[] {
  if (!caller || (caller.scopes !== 'all' && !caller.scopes.includes('read:content'))) return []
  const { id, email, emailOwned } = caller.account
  return [accountHolder(id), ...(emailOwned ? [emailHolder(email)] : [])].map(toPayer)
}

/** A holder of entitlements as a payer. */
export const toPayer = ({ payerWalletAddress: wallet, payerNetwork: network }: Holder): PayerHint => ({
  wallet,
  network,
})

export const isSamePayer = (one: PayerHint, other: PayerHint | undefined): boolean =>
  one.wallet === other?.wallet && one.network === other.network

export const writePayer = ({ wallet, network }: PayerHint): string => `${wallet}|${network}`

const BUYERS = /^buyer_([\w-]{22}(?:\.[\w-]{22}){0,4})$/

/** The payer for the buyers of an email address. It is accepted only with its signed cookie. */
export const buyerPayer = (buyers: readonly string[]): PayerHint => ({
  wallet: `buyer_${buyers.join('.')}`,
  network: BUYER_NETWORK,
})

/** The buyers that a payer stands for; undefined for any other payer. */
export const buyersIn = ({ wallet, network }: PayerHint): readonly string[] | undefined =>
  network === BUYER_NETWORK ? BUYERS.exec(wallet)?.[1]?.split('.') : undefined

/** The payer in a cookie value; browsers and clients may have percent-encoded it. */
export function parsePayer(cookie: string | undefined): PayerHint | undefined {
  const [wallet, network, ...rest] = cookie?.split('|') ?? []
  if (wallet === undefined || network === undefined || rest.length > 0) return undefined
  return buyersIn({ wallet, network }) ? { wallet, network } : readPayer(wallet, network)
}

const mac = (key: Uint8Array, { wallet, network }: PayerHint, seconds: number | string) =>
  hmac(key, `${normalWallet(wallet)}|${network}|${seconds}`)

/**
 * Proves that this service gave a client its payer cookie, until `expiresAt`.
 * @internal
 */
export function signPayer(payer: PayerHint, expiresAt: Date, [{ key }]: readonly [SharedKey, ...SharedKey[]]): string {
  const seconds = Math.floor(expiresAt.getTime() / 1000)
  return `${seconds}.${mac(key, payer, seconds)}`
}

/** @internal */
export function isSignedPayer(
  payer: PayerHint,
  proof: string | undefined,
  now: Date,
  keys: readonly SharedKey[],
): boolean {
  const [seconds, given] = proof?.split('.') ?? []
  if (seconds === undefined || given === undefined || !/^\d{1,12}$/.test(seconds)) return false
  if (Number(seconds) * 1000 <= now.getTime()) return false
  return keys.some(({ key }) => sameText(given, mac(key, payer, seconds)))
}

export interface PayerCookieDeps {
  readonly keyring: Pick<Keyring, 'shared'>
  readonly clock: Clock
  /** `lookup`: a payer is looked up by its address. `signed`: the cookie needs the proof that was set with it. */
  readonly payerProof: 'lookup' | 'signed'
}

/** Issues the cookies that name payers, and checks them. */
export function createPayerCookies({ keyring, clock, payerProof }: PayerCookieDeps) {
  const keys = keyring.shared('payer-cookie')
  /** A buyer holds all purchases of an email address, so `lookup` does not apply to it. */
  const needsNoProof = (payer: PayerHint) => payerProof === 'lookup' && buyersIn(payer) === undefined

  return {
    /** Whether the payer that a request names may be looked up. */
    acceptsPayer: (payer: PayerHint, proof: string | undefined): boolean =>
      needsNoProof(payer) || isSignedPayer(payer, proof, clock(), keys),

    /** Whether a request shows the proof that was set with its payer cookie. */
    isProven: (payer: PayerHint, proof: string | undefined): boolean => isSignedPayer(payer, proof, clock(), keys),

    /** Returns the proof of a payer for a cookie that lasts this long. */
    proofFor: (payer: PayerHint, seconds: number): string =>
      signPayer(payer, new Date(clock().getTime() + seconds * 1000), keys),
  }
}

export interface VisitorRightsDeps extends GuardedStorage {
  readonly metrics: Pick<Metrics, 'counter'>
  readonly clock: Clock
  readonly verdicts: Verdicts
  readonly sessions: Pick<GateSessions, 'read' | 'isValidAt'>
}

/** How long the nonce of a proof without an expiry is stored. */
const NONCE_TTL_MS = 24 * 3_600_000

const needsEvidence = ({ tier }: CoveringTier) =>
  tier.requirements.some((requirement) => !isPayment(requirement) && !isAudience(requirement))

/** Determines the rights of visitors at gates. */
export function createVisitorRights({ read, write, clock, verdicts, sessions, metrics }: VisitorRightsDeps) {
  const countConsumed = metrics.counter(noncesConsumed)
  const countReplay = metrics.counter(replaysDetected)
  /** The patterns that a payer holds. Entitlements are never cached, so a revoked one closes immediately. */
  async function patternsOf(
    profileId: number,
    payer: Payer | PayerHint,
    entitlements: Readers['entitlements'] = read.entitlements,
  ): Promise<readonly ActivePattern[]> {
    const { wallet, network } = payer
    if (!wallet || !network) return []
    const buyers = buyersIn({ wallet, network })
    if (buyers) return entitlements.listActivePatterns({ profileId, buyers })
    return entitlements.listActivePatterns({
      profileId,
      payerWalletAddress: normalWallet(wallet),
      payerNetwork: network,
    })
  }

  /** The tiers in a session that was issued to this agent at this version of the gate. */
  async function sessionTiers(
    gate: Gate,
    profile: Profile,
    { authorization, agent }: Credentials,
  ): Promise<readonly string[]> {
    const session = authorization === undefined ? undefined : sessions.read(authorization)
    if (!session || session.agent_did !== agent?.did) return []
    return (await sessions.isValidAt(session, profile, gate)) ? session.tiers : []
  }

  /** The proofs that are neither expired nor from the future. */
  const currentProofs = ({ proofs }: Credentials): readonly GateProof[] =>
    proofs.filter((proof) => isCurrent(proof, clock()))

  return {
    /** The patterns that payers hold at a profile, and their ends; without those that count in an audience only. */
    async heldBy(profileId: number, payers: readonly PayerHint[]): Promise<readonly ActivePattern[]> {
      const held = await Promise.all(payers.map((payer) => patternsOf(profileId, payer)))
      return held.flat().filter(({ audience }) => audience === null)
    },

    /**
     * Whether a payer holds an entitlement to a resource.
     *
     * @param opensWith - Whether entitlements of audiences open the resource. Default: they don't.
     */
    async isEntitled(
      { profileId, resource }: { readonly profileId: number; readonly resource: string },
      payer: Payer | PayerHint,
      entitlements?: Readers['entitlements'],
      opensWith?: ((held: readonly ActivePattern[]) => boolean) | undefined,
    ): Promise<boolean> {
      const held = await patternsOf(profileId, payer, entitlements)
      if (held.some((one) => one.audience === null && covers(one.resourcePattern, resource))) return true
      const ofAudiences = held.filter(({ audience }) => audience !== null)
      return ofAudiences.length > 0 && opensWith?.(ofAudiences) === true
    },

    /**
     * Returns the longest grant of a payer that covers a resource; undefined when it holds none. Grants of audiences count only for
     * the tier that they were bought for.
     */
    async findEntitlement(
      {
        profileId,
        resource,
        tier,
      }: { readonly profileId: number; readonly resource: string; readonly tier?: string | undefined },
      { wallet, network }: PayerHint,
    ): Promise<Grant | undefined> {
      const payer = { payerWalletAddress: normalWallet(wallet), payerNetwork: network }
      const held = await read.entitlements.listActive({ profileId, ...payer })
      const end = ({ validUntil }: Grant) => validUntil?.getTime() ?? Number.POSITIVE_INFINITY
      return held
        .filter((one) => covers(one.resourcePattern, resource) && (one.audience === null || one.tier === tier))
        .reduce<Grant | undefined>((best, each) => (best && end(best) >= end(each) ? best : each), undefined)
    },

    /**
     * Returns the rights of a visitor to resources of one gate that are not open. Proofs are verified and entitlements are
     * looked up once for all of them; verifiers are given the first resource.
     */
    async rightsTo(
      gate: Gate,
      profile: Profile,
      closed: readonly ResourceRules[],
      credentials: Credentials,
    ): Promise<VisitorRights> {
      const [first] = closed
      if (!first) return NO_RIGHTS
      const { payer, otherPayers = [], agent, caller, reader } = credentials
      const isForAudiences = closed.some(({ covering }) => covering.some(({ tier }) => audienceOf(tier) !== undefined))
      const named = [payer, ...otherPayers, agent?.verified ? agentPayer(agent.did) : undefined].filter(
        (one) => one !== undefined,
      )
      const entitlements: ActivePattern[] = []
      const ofPayer: ActivePattern[] = []
      const isPaid = ({ resource }: ResourceRules) =>
        entitlements.some((one) => one.audience === null && covers(one.resourcePattern, resource))
      for (const one of [...named, ...callerPayers(caller)]) {
        if (closed.every(isPaid)) break
        const active = await patternsOf(profile.id, one)
        entitlements.push(...active)
        if (one === payer) ofPayer.push(...active)
      }

      const guards = new Map(closed.flatMap(({ covering }) => covering.map((each) => [each.name, each])))
      const tiers = [...guards.values()].filter(needsEvidence)
      const evidence: Evidence = {
        profile,
        resource: first.resource,
        caller,
        agent: agent?.verified ? agent : undefined,
        proofs: currentProofs(credentials),
        boundDids: gate.boundDids,
      }
      return {
        entitlements,
        ofPayer,
        met: tiers.length > 0 ? await verdicts.of(tiers, evidence) : NO_RIGHTS.met,
        sessionTiers: new Set(await sessionTiers(gate, profile, credentials)),
        audiences: isForAudiences ? ((await reader?.audiences()) ?? UNVERIFIED) : UNVERIFIED,
      }
    },

    /**
     * Uses up the nonces of proofs that open something.
     *
     * @throws `proof_replayed` when one was used before
     */
    async spendProofs(profileId: number, credentials: Credentials): Promise<void> {
      const nonces = currentProofs(credentials).flatMap((proof) => nonceOf(proof) ?? [])
      if (nonces.length === 0) return
      const expiresAt = new Date(clock().getTime() + NONCE_TTL_MS)
      await write(async (tx) => {
        for (const nonce of nonces) {
          if (!(await tx.nonces.claim({ scope: `proof:${profileId}`, nonce, expiresAt }))) throw proofReplayed()
        }
      }).catch((error: unknown) => {
        if (isEepError(error) && error.code === proofReplayed.code) countReplay({ kind: 'gate_proof' })
        throw error
      })
      countConsumed({ kind: 'gate_proof' }, nonces.length)
    },
  }
}
