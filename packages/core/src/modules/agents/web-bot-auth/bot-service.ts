import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { Bot, BotCheck, BotRequest, IdentifiedBot, LimitedBotRequest, VerifiedBot } from '../../../model/bot.ts'
import { KNOWN_SIGNERS } from '../../../model/known-agents.ts'
import type { SignatureToolkit, SignatureVerifier } from '../../../ports/signature-toolkit.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import { noncesConsumed, replaysDetected } from '../../../runtime/telemetry/replay-metrics.ts'
import { invalidBotSignature } from './errors.ts'
import type { FoundKey, KeyDirectory } from './key-directory.ts'
import { checkedBots } from './metrics.ts'
import { type ReadOptions, readSignature, type SignatureClaim } from './read-signature.ts'
import type { SignerKey } from './signer-keys.ts'
import { targetUriOf } from './target-uri.ts'
import { createVerifiedBases } from './verified-bases.ts'

export interface BotServiceDeps extends ReadOptions {
  readonly toolkit: SignatureToolkit
  readonly keys: Pick<KeyDirectory, 'find' | 'noteVerified'>
  readonly clock: Clock
  readonly write: Write
  readonly metrics: Pick<Metrics, 'counter'>
  /** The public URL of the service, whose authority signatures name. */
  readonly publicUrl: string
  readonly onInvalid: 'ignore' | 'reject'
  readonly waitMs: number
  /** Whether the headers of "pay per crawl" are sent. */
  readonly crawlerHeaders: boolean
  readonly report: (error: unknown) => void
}

/** The request that a signature gives access to, and what the signature claims, if it can be read. */
interface Use {
  readonly method: string
  readonly claim?: SignatureClaim | undefined
}

/** The longest lifetime of a signature without a nonce that gives access, in seconds. */
const UNUSED_LIFETIME_SECONDS = 300

const PENDING: Bot = { state: 'unverified', reason: 'directory_pending' }

/** A response to HEAD sends no bytes, and leaves the nonce of its signature to the request that reads them. */
const sendsBytes = ({ method }: Pick<BotRequest, 'method'>): boolean => method !== 'HEAD'

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : value.join(', ')

/** Identifies programs by their HTTP message signatures. */
export function createBotService(deps: BotServiceDeps) {
  const { toolkit, keys, clock, write, metrics, publicUrl, onInvalid, waitMs, crawlerHeaders, report } = deps
  const service = new URL(publicUrl)
  const countChecked = metrics.counter(checkedBots)
  const countConsumed = metrics.counter(noncesConsumed)
  const countReplay = metrics.counter(replaysDetected)
  const bases = createVerifiedBases(clock)

  /** The fields that a signature covers, and those that contain the signature. */
  function fieldsOf({ headers }: BotRequest, { covers }: SignatureClaim) {
    const names = new Set(['signature', 'signature-input', ...covers.map(({ name }) => name)])
    return [...names].flatMap((name) => {
      // The client chooses the names: `constructor` must not be found on the prototype.
      const value = Object.hasOwn(headers, name) ? textOf(headers[name]) : undefined
      return value === undefined ? [] : [{ name, value }]
    })
  }

  /** Caches what was verified, because one signature is often sent with many requests. */
  const caching = (claim: SignatureClaim, { keyId, verifier }: SignerKey): SignatureVerifier => ({
    algorithm: verifier.algorithm,
    verify: (base, signature) =>
      bases.check({ base, signature, signer: `${claim.source.url} ${keyId}`, expires: claim.expires }, () =>
        verifier.verify(base, signature),
      ),
  })

  function botOf({ protocol, source, keyId }: SignatureClaim): VerifiedBot {
    if (protocol === 'tap') return { state: 'verified', identifier: `tap:${keyId}`, keyId }
    const { identifier, origin: signer } = source
    const known = signer === undefined ? undefined : KNOWN_SIGNERS.find((one) => one.signatureAgent === signer)
    const { name, operator, purpose } = known ?? {}
    return { state: 'verified', identifier, origin: signer, keyId, name, operator, purpose }
  }

  /** Verifies a signature with its key. */
  async function verify(request: BotRequest, claim: SignatureClaim, key: SignerKey): Promise<Bot> {
    const { algorithm } = key.verifier
    if (claim.algorithm !== undefined && claim.algorithm !== algorithm) return { state: 'invalid', reason: 'algorithm' }
    const targetUri = targetUriOf(request.url, service)
    if (targetUri === undefined) return { state: 'invalid', reason: 'authority_mismatch' }
    const library = await toolkit.load()
    const signed = { method: request.method, targetUri, fields: fieldsOf(request, claim) }
    const result = await library.verify(signed, claim.label, caching(claim, key))
    if (result === 'malformed') return { state: 'invalid', reason: 'malformed' }
    if (result === 'incomplete') return { state: 'invalid', reason: 'component_missing' }
    if (result === 'unsupported') return { state: 'unverified', reason: 'unsupported' }
    if (result === 'valid') {
      keys.noteVerified(claim.source)
      return botOf(claim)
    }
    // The client controls `Host`, so it only selects the reason that is reported.
    const named = textOf(request.headers.host) ?? textOf(request.headers[':authority'])
    const isElsewhere = named !== undefined && named.toLowerCase() !== service.host
    return { state: 'invalid', reason: isElsewhere ? 'authority_mismatch' : 'bad_signature' }
  }

  const claimNonce = (scope: string, claim: SignatureClaim, nonce: string): Promise<boolean> =>
    write((tx) =>
      tx.nonces.claim({
        scope: `bot:${sha256(scope, 'base64url')}`,
        nonce: sha256(nonce, 'base64url'),
        expiresAt: new Date((claim.expires + deps.clockSkewSeconds + 1) * 1_000),
      }),
    )

  /** Uses a nonce up: the first time returns the bot. */
  async function useNonce(bot: VerifiedBot, claim: SignatureClaim, nonce: string, resource: string): Promise<Bot> {
    const isFirst = await claimNonce(`${bot.identifier}\n${bot.keyId}\n${resource}`, claim, nonce)
    const count = isFirst ? countConsumed : countReplay
    count({ kind: 'bot_signature' })
    return isFirst ? bot : { state: 'invalid', reason: 'replayed' }
  }

  async function conclude(request: BotRequest, claim: SignatureClaim, found: FoundKey): Promise<Bot> {
    if (found.is === 'missing') return { state: 'invalid', reason: 'key_unknown' }
    if (found.is === 'unavailable') return { state: 'unverified', reason: 'directory_unavailable' }
    const bot = await verify(request, claim, found.key)
    if (claim.protocol !== 'tap' || bot.state !== 'verified' || claim.nonce === undefined) return bot
    if (!sendsBytes(request)) return bot
    // The Trusted Agent Protocol requires that a nonce is used once, whatever it is used for.
    try {
      return await useNonce(bot, claim, claim.nonce, '')
    } catch (error) {
      report(error)
      return { state: 'unverified', reason: 'nonce_unavailable' }
    }
  }

  function count(bot: Bot): Bot {
    if (bot.state !== 'absent') countChecked({ outcome: bot.state })
    return bot
  }

  /** @throws `invalid_bot_signature` for an invalid signature, where the host refuses them */
  function accept(bot: Bot): Bot {
    if (bot.state !== 'invalid' || onInvalid === 'ignore') return bot
    throw invalidBotSignature({
      details: { reason: bot.reason },
      ...(crawlerHeaders ? { crawler: { error: 'InvalidSignature' } } : {}),
    })
  }

  async function useFor(resource: string, bot: Bot, { method, claim }: Use): Promise<Bot> {
    if (bot.state !== 'verified' || !claim || claim.protocol === 'tap') return bot
    if (claim.nonce !== undefined) return sendsBytes({ method }) ? useNonce(bot, claim, claim.nonce, resource) : bot
    const isShort = claim.expires - claim.created <= UNUSED_LIFETIME_SECONDS
    return isShort ? bot : { state: 'invalid', reason: 'lifetime_too_long' }
  }

  /** Waits for a result until a time on the clock of `performance.now()`. */
  async function within(until: number, result: Promise<Bot>): Promise<Bot> {
    const ending = new AbortController()
    const { signal } = ending
    const late = sleep(Math.max(0, until - performance.now()), PENDING, { signal }).catch(() => PENDING)
    const bot = await Promise.race([result, late])
    ending.abort()
    return bot
  }

  function checkOf(known: Bot | Promise<Bot>, use: Use): BotCheck {
    const until = performance.now() + waitMs
    const result = Promise.resolve(known)
    const used = new Map<string, Promise<Bot>>()
    const settled = async () => accept(known instanceof Promise ? await within(until, known) : known)
    return {
      result,
      settled,
      async use(resource) {
        // A request that reads a resource twice, for its text and its images, uses the nonce once.
        const known = used.get(resource) ?? settled().then((bot) => useFor(resource, bot, use))
        used.set(resource, known)
        return accept(await known)
      },
    }
  }

  async function check(request: LimitedBotRequest, input: string): Promise<IdentifiedBot> {
    const { method } = request
    const library = await toolkit.load()
    const agent = textOf(request.headers['signature-agent'])
    const read = readSignature({ input, agent }, Math.floor(clock().getTime() / 1_000), library, deps)
    if ('state' in read) {
      if (read.state === 'absent') return { bot: read }
      const bot = accept(count(read))
      return { bot, check: checkOf(bot, { method }) }
    }
    const sought = keys.find(read.source, read.keyId, request.client)
    if (sought.is === 'pending') {
      const result = sought.found
        .then((found) => conclude(request, read, found))
        .catch((error: unknown): Bot => {
          report(error)
          return { state: 'unverified', reason: 'directory_unavailable' }
        })
        .then(count)
      return { bot: PENDING, check: checkOf(result, { method, claim: read }) }
    }
    const bot = accept(count(await conclude(request, read, sought)))
    return { bot, check: checkOf(bot, { method, claim: read }) }
  }

  return {
    /** Checks the signature of a request; undefined without one. */
    identify(request: LimitedBotRequest): Promise<IdentifiedBot> | undefined {
      const { headers } = request
      const input = textOf(headers['signature-input'])
      return input === undefined || headers.signature === undefined ? undefined : check(request, input)
    },
  }
}
