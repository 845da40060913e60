import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Wallet } from '../../ports/storage/wallets.ts'
import { newPayout, newWallet } from '../records.ts'
import { casesFor } from './bench.ts'

const put = (wallet: Wallet) => (tx: Stores<'wallets'>) => tx.wallets.put(wallet)

export const walletCases = casesFor(['wallets'], (it, bench) => {
  const linked = async (changes?: Partial<Wallet>) =>
    bench.write(put(newWallet(changes?.accountId ?? (await bench.account()).id, changes)))

  it('stores a wallet as it was linked', async () => {
    const wallet = newWallet((await bench.account()).id, { chainId: 1_000_000_000_039 })
    assert.deepEqual(await bench.write(put(wallet)), wallet)
    assert.deepEqual(await bench.read.wallets.get(wallet.id), wallet)
    for (const id of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.read.wallets.get(id), undefined)
      assert.deepEqual(await bench.read.wallets.listOfAccount(id), [])
    }
  })

  it('updates the verification time of a linked wallet, and links its address to other accounts and on other chains', async () => {
    const wallet = await linked()
    const { accountId, address, chainId } = wallet
    const verifiedAt = new Date('2026-07-07T07:07:07.007Z')
    const again = await bench.write(put(newWallet(accountId, { address, chainId, verifiedAt })))
    assert.deepEqual(again, { ...wallet, verifiedAt })
    const other = await linked({ address, chainId })
    const onAnotherChain = await linked({ accountId, address, chainId: 1 })
    assert.deepEqual(await bench.read.wallets.listOfAccount(accountId), [again, onAnotherChain])
    assert.deepEqual(await bench.read.wallets.listOfAccount(other.accountId), [other])
  })

  it('lists the wallets of an account, oldest first', async () => {
    const { id: accountId } = await bench.account()
    const wallets: Wallet[] = []
    for (const ms of [3, 1, 2])
      wallets.push(await linked({ accountId, verifiedAt: new Date(Date.UTC(2026, 0, 1) + ms) }))
    assert.deepEqual(await bench.read.wallets.listOfAccount(accountId), wallets)
  })

  it('links a wallet once when many link it concurrently', async () => {
    const { id: accountId } = await bench.account()
    const wallet = newWallet(accountId)
    const rivals = [1, 2, 3].map(() => ({ ...wallet, id: randomUUID() }))
    const { first, others } = await bench.overlap(put(wallet), rivals.map(put))
    assert.deepEqual([first, ...others], Array(4).fill(wallet))
    assert.deepEqual(await bench.read.wallets.listOfAccount(accountId), [wallet])
  })

  it('unlinks a wallet once, and keeps its payouts disabled and without it', async () => {
    const wallet = await linked()
    const kept = await linked({ accountId: wallet.accountId })
    const payout = await bench.write((tx) => tx.payouts.insert(newPayout(wallet)))
    const remove = (tx: Stores<'wallets'>) => tx.wallets.delete(wallet.id)
    const { first, others } = await bench.overlap(remove, [remove, remove])
    assert.deepEqual([first, ...others], [true, false, false])
    assert.deepEqual(await bench.read.payouts.get(payout.id), { ...payout, walletId: null, enabled: false })
    assert.deepEqual(await bench.read.payouts.addressesOf(wallet.accountId), {})
    assert.deepEqual(await bench.read.wallets.listOfAccount(wallet.accountId), [kept])
    assert.equal(await bench.write((tx) => tx.wallets.delete('no uuid')), false)
  })
})
