import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../chain.ts'
import { resolveAsset } from '../network.ts'
import type { LocalChain } from './index.ts'
import { startLocalChain } from './index.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

describe('a local chain', () => {
  it('stands in for Base Sepolia: same id, same address, same domain separator as its USDC', async () => {
    expect(chain).toMatchObject({
      network: 'eip155:84532',
      chainId: 84532,
      token: resolveAsset('eip155:84532', undefined).address,
    })
    const separator = await chain.client.call({ to: chain.token, data: '0x3644e515' })
    expect(separator.data).toBe('0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818')
  })

  it('stands in for Base as well', async () => {
    const base = await startLocalChain({ network: 'base' })
    const separator = await base.client.call({ to: base.token, data: '0x3644e515' })
    expect(separator.data).toBe('0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f')
    await createChain(base.network, resolveAsset(base.network, undefined), async () => base.client).check()
    await base.stop()
  })

  it('reverts to a snapshot', async () => {
    const { payer } = chain.wallets
    const before = await chain.balanceOf(payer.address)
    const snapshot = await chain.snapshot()
    await chain.drain(payer)
    expect(await chain.balanceOf(payer.address)).toBe(0n)
    await chain.revert(snapshot)
    expect(await chain.balanceOf(payer.address)).toBe(before)
  })

  it('has a clock that is moved', async () => {
    const before = await chain.now()
    await chain.increaseTime(3600)
    expect(await chain.now()).toBeGreaterThanOrEqual(before + 3600)
  })
})
