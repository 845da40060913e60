import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { hmac, sameText } from '../../../kernel/digest.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { SharedKey } from '../../../kernel/keyring.ts'
import { evmNetwork } from '../../../kernel/network.ts'
import type { WalletVerifier } from '../../../ports/wallet-verifier.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import { noncesConsumed, replaysDetected } from '../../../runtime/telemetry/replay-metrics.ts'
import { walletChainUnavailable } from './errors.ts'
import { readSiweMessage } from './siwe-message.ts'

/** The x402 extension by which a payer proves a wallet (CAIP-122), without paying again. */
export const SIGN_IN_WITH_X = 'sign-in-with-x'

/** How long the signed message of a challenge is valid. */
const LIFE_SECONDS = 300
const MAX_HEADER = 8_192

const field = z.string().max(2_048)

/** What a client sends in `SIGN-IN-WITH-X`, before base64. Unknown members are ignored. */
const payloadSchema = z.object({
  domain: field,
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  statement: field.optional(),
  uri: field,
  version: field,
  chainId: z.string().regex(/^eip155:[1-9]\d{0,15}$/),
  type: z.literal('eip191'),
  nonce: field,
  issuedAt: field,
  expirationTime: field.optional(),
  notBefore: field.optional(),
  requestId: field.optional(),
  resources: z.array(field).max(10).optional(),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){64,3000}$/),
})

type Payload = z.infer<typeof payloadSchema>

function readHeader(header: string): Payload | undefined {
  if (header.length > MAX_HEADER || !/^[A-Za-z0-9+/]+={0,2}$/.test(header)) return undefined
  try {
    return payloadSchema.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}

/** The signed text. It is parsed again as an EIP-4361 message, so its members cannot inject lines. */
const messageOf = (said: Payload): string =>
  [
    `${said.domain} wants you to sign in with your Ethereum account:`,
    said.address,
    '',
    ...(said.statement === undefined ? [] : [said.statement]),
    '',
    `URI: ${said.uri}`,
    `Version: ${said.version}`,
    `Chain ID: ${said.chainId.slice('eip155:'.length)}`,
    `Nonce: ${said.nonce}`,
    `Issued At: ${said.issuedAt}`,
    ...(said.expirationTime === undefined ? [] : [`Expiration Time: ${said.expirationTime}`]),
    ...(said.notBefore === undefined ? [] : [`Not Before: ${said.notBefore}`]),
    ...(said.requestId === undefined ? [] : [`Request ID: ${said.requestId}`]),
    ...(said.resources === undefined ? [] : ['Resources:', ...said.resources.map((resource) => `- ${resource}`)]),
  ].join('\n')

export interface SignInDeps extends Pick<GuardedStorage<'wallets'>, 'write'> {
  readonly clock: Clock
  readonly keys: readonly [SharedKey, ...SharedKey[]]
  /** Undefined when signing in with wallets is off. */
  readonly verifier: WalletVerifier | undefined
  readonly metrics: Pick<Metrics, 'counter'>
}

/** The sign-in extension of a 402. */
type SignInDeclaration = {
  readonly info: {
    readonly domain: string
    readonly uri: string
    readonly version: string
    readonly nonce: string
    readonly issuedAt: string
    readonly expirationTime: string
  }
  readonly supportedChains: readonly { readonly chainId: string; readonly type: string }[]
  readonly schema: { readonly type: string; readonly required: readonly string[] }
}

/** The wallet that a request proved, or the reason why it did not. */
export type SignIn =
  | {
      readonly is: 'proven'
      readonly wallet: string
      readonly network: string
      /**
       * The other networks on which the signature proves the same wallet: all of them for a wallet without a contract.
       */
      others(): Promise<readonly string[]>
    }
  | { readonly is: 'refused'; readonly reason: string }

/** What a wallet signs to prove itself. */
export interface SignInChallenge {
  readonly nonce: string
  readonly domain: string
  readonly uri: string
  /** The supported chains, by EIP-155 id. */
  readonly chainIds: readonly number[]
  readonly expiresAt: Date
}

const refused = (reason: string): SignIn => ({ is: 'refused', reason })

/**
 * Lets payers prove their wallets by a message about one page. Its nonce encodes page and time, so
 * that a challenge needs no row; a used one is stored until it expires.
 */
export function createSignIns({ write, clock, keys, verifier, metrics }: SignInDeps) {
  const countConsumed = metrics.counter(noncesConsumed)
  const countReplay = metrics.counter(replaysDetected)
  const [{ key: first }] = keys
  const mac = (key: Uint8Array, time: string, url: string) => hmac(key, `${time}|${url}`, 'hex').slice(0, 32)

  const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000)

  /**
   * Returns a function that creates nonces for `url`, in hexadecimal: eight digits of time, a MAC of thirty-two, and sixteen
   * random ones. The MAC is of time and URL, and is computed once a second.
   */
  function noncesFor(url: string): () => string {
    let issued = Number.NaN
    let start = ''
    return () => {
      const now = secondsOf(clock())
      if (now !== issued) {
        issued = now
        const time = now.toString(16).padStart(8, '0')
        start = time + mac(first, time, url)
      }
      // A UUID is random except for its version and variant, which are not in these digits. It costs a tenth of
      // `randomBytes`.
      const uuid = randomUUID()
      return start + uuid.slice(0, 8) + uuid.slice(-8)
    }
  }

  function isOurs(nonce: string, url: string, now: number): boolean {
    if (!/^[0-9a-f]{56}$/.test(nonce)) return false
    const time = nonce.slice(0, 8)
    const issued = Number.parseInt(time, 16)
    if (issued > now || issued + LIFE_SECONDS <= now) return false
    return keys.some(({ key }) => sameText(nonce.slice(8, 40), mac(key, time, url)))
  }

  /**
   * The wallet that a signed EIP-4361 message proves for `url`, once.
   *
   * @throws `wallet_chain_unavailable` when its chain must be queried and does not respond
   */
  async function proveMessage(
    { message, signature }: { readonly message: string; readonly signature: string },
    url: string,
  ): Promise<SignIn> {
    if (!verifier) return refused('siwx_not_supported')
    const now = clock()
    const expected = { domain: new URL(url).host, uri: url, chainIds: verifier.chainIds, now }
    const read = await readSiweMessage(message, expected).catch((error: unknown) => {
      if (!isEepError(error)) throw error
      return error.code
    })
    if (typeof read === 'string') return refused(read)
    const { address, chainId, nonce } = read
    const seconds = secondsOf(now)
    if (!isOurs(nonce, url, seconds)) return refused('invalid_siwx_nonce')
    const isTheirs = await verifier.verify({ address, chainId, message, signature }).catch((cause: unknown) => {
      throw walletChainUnavailable({ retryAfterMs: 5_000, cause })
    })
    if (!isTheirs) return refused('invalid_siwx_signature')
    // Last, so that invalid requests consume no nonces.
    const expiresAt = new Date((seconds + LIFE_SECONDS) * 1000)
    const isFirst = await write((tx) => tx.nonces.claim({ scope: SIGN_IN_WITH_X, nonce, expiresAt }))
    const count = isFirst ? countConsumed : countReplay
    count({ kind: 'wallet_sign_in' })
    if (!isFirst) return refused('siwx_nonce_used')
    return {
      is: 'proven',
      wallet: address,
      network: evmNetwork(chainId),
      async others() {
        const ask = async (other: number) =>
          // A chain that does not respond counts as not proven.
          (await verifier.verify({ address, chainId: other, message, signature }).catch(() => false)) ? [other] : []
        const proven = await Promise.all(verifier.chainIds.filter((other) => other !== chainId).map(ask))
        return proven.flat().map(evmNetwork)
      },
    }
  }

  return {
    /** Creates the nonces of the 402s of `url`, one for each. All have the same length. */
    noncesFor,

    /** The extension for `url`. Undefined when no wallet of these networks can be proven. */
    declare(url: string, networks: readonly string[]): SignInDeclaration | undefined {
      const known = verifier?.chainIds.map(evmNetwork) ?? []
      const chains = [...new Set(networks)].filter((network) => known.includes(network))
      if (chains.length === 0) return undefined
      const now = clock()
      return {
        info: {
          domain: new URL(url).host,
          uri: url,
          version: '1',
          nonce: noncesFor(url)(),
          issuedAt: now.toISOString(),
          expirationTime: new Date(now.getTime() + LIFE_SECONDS * 1000).toISOString(),
        },
        supportedChains: chains.map((chainId) => ({ chainId, type: 'eip191' })),
        schema: { type: 'object', required: ['address', 'signature'] },
      }
    },

    /** Issues what a wallet signs for `url`; undefined when no wallet can be proven. */
    challenge(url: string): SignInChallenge | undefined {
      if (!verifier) return undefined
      const expiresAt = new Date((secondsOf(clock()) + LIFE_SECONDS) * 1000)
      const { chainIds } = verifier
      return { nonce: noncesFor(url)(), domain: new URL(url).host, uri: url, chainIds, expiresAt }
    },

    /**
     * The wallet that a `SIGN-IN-WITH-X` header proves for `url`, once.
     *
     * @throws `wallet_chain_unavailable` when its chain must be queried and does not respond
     */
    async prove(header: string, url: string): Promise<SignIn> {
      if (!verifier) return refused('siwx_not_supported')
      const said = readHeader(header)
      return said ? proveMessage({ message: messageOf(said), signature: said.signature }, url) : refused('invalid_siwx')
    },

    proveMessage,
  }
}

/** Proves wallets of payers. */
export type SignIns = ReturnType<typeof createSignIns>
