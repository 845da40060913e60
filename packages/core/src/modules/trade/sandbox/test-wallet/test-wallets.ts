import { hkdfSync, randomBytes } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { SharedKey } from '../../../../kernel/keyring.ts'
import { SANDBOX_NETWORK } from '../../../../ports/money-kind.ts'
import type { SandboxSigner } from '../../../../ports/sandbox-signer.ts'
import type { Readers } from '../../../../ports/storage/storage.ts'
import { readSiweMessage } from '../../../people/wallets/index.ts'
import { testWalletRefused } from './errors.ts'
import type { Faucet } from './faucet.ts'

/** The id of the network of the sandbox by EIP-155. */
const SANDBOX_CHAIN_ID = Number(SANDBOX_NETWORK.slice('eip155:'.length))

/** A wallet of a browser, and what it has. */
export interface TestWallet {
  /** With its checksum. */
  readonly address: string
  /** In the smallest unit of the play token. */
  readonly atomic: bigint
}

export interface TestWalletDeps {
  readonly read: Pick<Readers<'sandbox'>, 'sandboxWallets'>
  readonly clock: Clock
  readonly signer: SandboxSigner
  readonly faucet: Faucet
  readonly key: SharedKey
  /** The URLs of the service and of its frontend. */
  readonly ownUrls: readonly string[]
}

const KEY_BYTES = 32
const ID_BYTES = 16
const ID = /^[\w-]{22}$/
const URI_LINE = /^URI: (\S+)$/m

/** Whether a text is the id of a test wallet, as its cookie has it. */
export const isWalletId = (id: string | undefined): id is string => id !== undefined && ID.test(id)

/** Creates the id of a test wallet. Anyone who knows it can use the wallet. */
export const newWalletId = (): string => randomBytes(ID_BYTES).toString('base64url')

/** Wallets whose keys follow from the secret of the service and the cookie of a browser, so that none is stored. */
export function createTestWallets({ read, clock, signer, faucet, key, ownUrls }: TestWalletDeps) {
  const ownOrigins = new Set(ownUrls.map((url) => new URL(url).origin))
  const keyOf = (id: string) => new Uint8Array(hkdfSync('sha256', key.key, 'eep', `test wallet ${id}`, KEY_BYTES))

  /** Returns the address that a sign-in message of this service and the network of the sandbox names. Undefined for other texts. */
  async function signerIn(message: string): Promise<string | undefined> {
    const [, uri = ''] = URI_LINE.exec(message) ?? []
    if (!URL.canParse(uri) || !ownOrigins.has(new URL(uri).origin)) return undefined
    const expected = { domain: new URL(uri).host, uri, chainIds: [SANDBOX_CHAIN_ID], now: clock() }
    try {
      return (await readSiweMessage(message, expected)).address
    } catch (error) {
      if (isEepError(error)) return undefined
      throw error
    }
  }

  const find = async (id: string): Promise<TestWallet> => {
    const address = await signer.addressOf(keyOf(id))
    const wallet = await read.sandboxWallets.get(address.toLowerCase())
    return { address, atomic: wallet?.atomic ?? 0n }
  }

  return {
    /** The wallet of an id. */
    find,

    /** The wallet of an id, with 1,000 test USDC when it is new. */
    async open(id: string): Promise<TestWallet> {
      const { address } = await find(id)
      const known = await read.sandboxWallets.get(address.toLowerCase())
      const { atomic } = known ?? (await faucet.fill(address))
      return { address, atomic }
    },

    /**
     * Signs a transfer of the play token.
     *
     * @param text - typed data in JSON
     * @throws `test_wallet_refused` for other typed data, or of another sender
     */
    async signTransfer(id: string, text: string): Promise<string> {
      const signature = await signer.signTransfer(keyOf(id), parsed(text))
      if (signature === undefined) throw testWalletRefused()
      return signature
    },

    /**
     * Signs a message of this service (EIP-4361).
     *
     * @throws `test_wallet_refused` for other texts, and those of another service, network or address
     */
    async signMessage(id: string, message: string): Promise<string> {
      const address = await signer.addressOf(keyOf(id))
      if ((await signerIn(message)) !== address) throw testWalletRefused()
      return signer.signMessage(keyOf(id), message)
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type TestWallets = ReturnType<typeof createTestWallets>
