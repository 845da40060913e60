import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contractSignature, type LocalChain, startLocalChain } from './testing/index.ts'
import { evmWallets } from './wallets.ts'

const message = 'profiles.example wants you to sign in with your Ethereum account:\n…'
const nowhere = 'http://127.0.0.1:9'

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

const online = () => evmWallets({ chains: [{ chainId: chain.chainId, rpcUrl: chain.rpcUrl }] })
const signedBy = async (account: LocalChain['wallets']['seller']['account'], text = message) =>
  account.signMessage({ message: text })

describe('evmWallets', () => {
  it('knows the signature of a plain key without asking the chain', async () => {
    const { account, address } = chain.wallets.seller
    const signed = { address, chainId: chain.chainId, message, signature: await signedBy(account) }
    for (const rpcUrl of [undefined, nowhere]) {
      const wallets = evmWallets({ chains: [{ chainId: chain.chainId, rpcUrl }] })
      expect(await wallets.verify(signed)).toBe(true)
      expect(await wallets.verify({ ...signed, address: address.toLowerCase() })).toBe(true)
    }
  })

  it('refuses the signature of another key, of another text, and none at all', async () => {
    const { seller, thirdParty } = chain.wallets
    const signed = { address: seller.address, chainId: chain.chainId, message }
    for (const signature of [
      await signedBy(thirdParty.account),
      await signedBy(seller.account, `${message} `),
      (await signedBy(seller.account)).slice(0, -2),
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      '0x',
      '0x00',
    ]) {
      expect(await online().verify({ ...signed, signature })).toBe(false)
    }
  })

  it('asks a contract wallet about what its owner signed', async () => {
    const { seller, thirdParty } = chain.wallets
    const { address } = await chain.newContractWallet(seller)
    const signed = { address, chainId: chain.chainId, message }
    const good = contractSignature(await signedBy(seller.account))
    expect(await online().verify({ ...signed, signature: good })).toBe(true)
    expect(await online().verify({ ...signed, signature: contractSignature(await signedBy(thirdParty.account)) })).toBe(
      false,
    )
    expect(await online().verify({ ...signed, message: `${message} `, signature: good })).toBe(false)
    // The owner is not the wallet.
    expect(await online().verify({ ...signed, signature: await signedBy(seller.account) })).toBe(false)
  })

  it('rejects a contract without EIP-1271', async () => {
    const signature = contractSignature(await signedBy(chain.wallets.seller.account))
    expect(await online().verify({ address: chain.token, chainId: chain.chainId, message, signature })).toBe(false)
  })

  it('rejects contract wallets without an RPC URL, and wallets of other chains', async () => {
    const { seller } = chain.wallets
    const { address } = await chain.newContractWallet(seller)
    const signature = contractSignature(await signedBy(seller.account))
    const offline = evmWallets({ chains: [{ chainId: chain.chainId }] })
    expect(await offline.verify({ address, chainId: chain.chainId, message, signature })).toBe(false)
    expect(await online().verify({ address, chainId: 1, message, signature })).toBe(false)
    const plain = { address: seller.address, message, signature: await signedBy(seller.account) }
    expect(await online().verify({ ...plain, chainId: 1 })).toBe(false)
  })

  it('throws when the chain has to be asked and does not answer', async () => {
    const { address } = await chain.newContractWallet(chain.wallets.seller)
    const signature = contractSignature(await signedBy(chain.wallets.seller.account))
    const deaf = evmWallets({ chains: [{ chainId: chain.chainId, rpcUrl: nowhere }] })
    await expect(deaf.verify({ address, chainId: chain.chainId, message, signature })).rejects.toThrow()
  })

  it('requires chains, each of them once', () => {
    expect(() => evmWallets({ chains: [] })).toThrow('at least one chain')
    expect(() => evmWallets({ chains: [{ chainId: 1 }, { chainId: 1 }] })).toThrow('once')
    expect(() => evmWallets({ chains: [{ chainId: 1.5 }] })).toThrow('1.5')
  })
})
