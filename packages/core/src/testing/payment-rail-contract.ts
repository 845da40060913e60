import assert from 'node:assert/strict'
import {
  type Credential,
  type CredentialHeaders,
  challengeIn,
  type ListedPayment,
  type RailOffer,
  type Settlement,
} from '../ports/payment-rail.ts'
import { foreignHeaders, truncated } from './payment-rail/headers.ts'
import { concluded, isRefusal, refusalByMatching } from './payment-rail/outcome.ts'
import { requestCases } from './payment-rail/requests.ts'
import type { PaymentRailSubject } from './payment-rail/subject.ts'
import { contractRunner, type TestRunner } from './runner.ts'

/**
 * Runs the contract of a payment rail as test cases: offers, credentials, refusals, a single settlement, recovery,
 * and refunds.
 *
 * @param create - creates the rail and its payer; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/payment-rail.md
 * @example
 * import * as vitest from 'vitest'
 *
 * paymentRailContract(vitest, () => lightningSubject())
 */
export function paymentRailContract(
  runner: TestRunner,
  create: () => Promise<PaymentRailSubject> | PaymentRailSubject,
): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('payment rail', () => {
    let subject: PaymentRailSubject
    beforeAll(async () => {
      subject = await create()
    })
    afterAll(async () => {
      await subject.close?.()
    })

    const offer = async (): Promise<RailOffer> => {
      const made = await subject.rail.offer(subject.purchase)
      assert.ok(made, 'the rail must offer the purchase of its subject')
      return made
    }
    const read = (headers: CredentialHeaders): Credential => {
      const credential = subject.rail.read(headers)
      assert.ok(credential, 'the rail must read the credential of its client')
      return credential
    }
    const paid = async () => read(await subject.pay(await offer()))
    const taken = async () => subject.taken?.()

    it('has a name and offers a way to pay', async () => {
      assert.match(subject.rail.id, /^[a-z0-9_-]+$/)
      const made = await offer()
      const { accept } = made
      const challenge = challengeIn(made)
      assert.ok(accept ?? challenge, 'an offer has an entry of accepts[] or a challenge')
      if (accept) {
        for (const member of ['scheme', 'network', 'asset', 'amount', 'payTo']) {
          assert.equal(typeof accept[member], 'string', `accept.${member} is a text`)
        }
        assert.match(String(accept.network), /^.+:.+$/)
        assert.match(String(accept.amount), /^[1-9]\d*$/)
        assert.deepEqual(JSON.parse(JSON.stringify(accept)), accept)
      }
      for (const [name, value] of Object.entries(challenge ?? {})) {
        assert.match(name, /^[a-z_-]+$/i)
        assert.match(value, /^[\x20-\x7e]+$/, `${name} is printable ASCII`)
      }
      if (typeof made.challenge === 'function') {
        assert.notEqual(challengeIn(made)?.id, challenge?.id, 'two challenges have different ids')
        const elsewhere = challengeIn(made, { field: 'Payment-Authorization' })
        assert.equal(elsewhere?.header, 'Payment-Authorization')
      }
    })

    it('names its networks for discovery in the form of CAIP-2', () => {
      const { info } = subject.rail
      assert.ok(!info || info.accepts.length > 0)
      for (const { network, asset, currencies } of info?.accepts ?? []) {
        assert.match(network, /^.+:.+$/)
        assert.ok(asset && currencies.length > 0)
      }
    })

    it('offers the prices within the limits that it declares, and no others', async () => {
      const { rail, purchase } = subject
      for (const { network, currencies, limits = {} } of rail.info?.accepts ?? []) {
        for (const [currency, { minimum, maximum, decimals }] of Object.entries(limits)) {
          assert.ok(currencies.includes(currency), `${currency} is among the currencies`)
          const offers = async (amount: string) =>
            (await rail.offer({ ...purchase, networks: [network], price: { amount, currency } })) !== undefined
          assert.ok(await offers(minimum), `offers ${minimum} ${currency}`)
          assert.ok(!(await offers(`0.${'0'.repeat(decimals)}1`)), `does not offer more than ${decimals} decimals`)
          assert.ok(!(await offers('0')), 'offers nothing for free')
          if (maximum !== undefined) {
            assert.ok(await offers(maximum), `offers ${maximum} ${currency}`)
            assert.ok(!(await offers(`1${maximum}`)), `does not offer 1${maximum} ${currency}`)
          }
        }
      }
    })

    it('ignores requests without a credential of this rail', () => {
      for (const headers of foreignHeaders()) {
        assert.equal(subject.rail.read(headers), undefined, `read ${JSON.stringify(headers)}`)
      }
    })

    it('refuses malformed credentials', async () => {
      for (const headers of subject.broken ?? []) {
        assert.throws(() => subject.rail.read(headers), isRefusal, `read ${JSON.stringify(headers)}`)
      }
      for (const headers of truncated(await subject.pay(await offer()))) {
        try {
          assert.equal(subject.rail.read(headers), undefined)
        } catch (error) {
          assert.ok(isRefusal(error), `threw ${error} for ${JSON.stringify(headers)}`)
        }
      }
    })

    it('identifies copies of a credential, and distinguishes two credentials', async () => {
      const headers = await subject.pay(await offer())
      const [one, copy, other] = [read(headers), read({ ...headers }), await paid()]
      assert.equal(copy.id, one.id)
      assert.equal(copy.fingerprint, one.fingerprint)
      assert.notEqual(other.id, one.id)
      assert.notEqual(other.fingerprint, one.fingerprint)
      assert.deepEqual(JSON.parse(JSON.stringify(one.proof)), one.proof, 'a proof is plain JSON')
      if (one.expiresAt) assert.ok(one.expiresAt.getTime() > Date.now() - 60_000)
    })

    it('matches a credential with its purchase, and with no other price', async () => {
      const { purchase, rail } = subject
      const credential = await paid()
      assert.equal(rail.matches(credential, purchase), true)
      const dearer = { ...purchase, price: { ...purchase.price, amount: `1${purchase.price.amount}` } }
      assert.equal(rail.matches(credential, dearer), false)
    })

    requestCases(it, () => subject)

    it('verifies without taking money', async () => {
      const before = await taken()
      const checkpoint = await subject.rail.verify(await paid(), subject.purchase)
      assert.deepEqual(JSON.parse(JSON.stringify(checkpoint)), checkpoint, 'a checkpoint is plain JSON')
      assert.equal(await taken(), before)
    })

    it('refuses an insufficient payment, and takes nothing', async () => {
      if (!subject.underpay) return
      const before = await taken()
      const headers = await subject.underpay(await offer())
      await assert.rejects(async () => {
        const credential = subject.rail.read(headers)
        // A rail that matches by the amount in the credential finds no purchase.
        if (!credential || !subject.rail.matches(credential, subject.purchase)) throw refusalByMatching
        const checkpoint = await subject.rail.verify(credential, subject.purchase)
        await subject.rail.settle(credential, subject.purchase, checkpoint)
      }, isRefusal)
      assert.equal(await taken(), before)
    })

    const settleOnce = async () => {
      const credential = await paid()
      const checkpoint = await subject.rail.verify(credential, subject.purchase)
      return { credential, checkpoint, settlement: await subject.rail.settle(credential, subject.purchase, checkpoint) }
    }

    it('settles, and reports the amount that was paid', async () => {
      const { purchase, settledAmount } = subject
      const before = await taken()
      const { settlement } = await settleOnce()
      assert.ok(settlement.reference)
      assert.match(settlement.network, /^.+:.+$/)
      assert.ok(settlement.payer.wallet && settlement.payer.network)
      assert.ok(settlement.settledAt instanceof Date && !Number.isNaN(settlement.settledAt.getTime()))
      const { atomic, decimal, asset, currency } = settlement.amount
      assert.ok(asset && currency)
      assert.match(atomic, /^[1-9]\d*$/)
      assert.equal(Number(decimal), Number(settledAmount ?? purchase.price.amount))
      assert.equal(significant(atomic), significant(decimal.replace('.', '')), `${atomic} does not equal ${decimal}`)
      if (before !== undefined) assert.equal(await taken(), before + BigInt(atomic))
    })

    it('never takes money twice, however often the same credential is settled and recovered', async () => {
      const { purchase, rail } = subject
      const { credential, checkpoint, settlement } = await settleOnce()
      const before = await taken()
      const [, ...recovered] = await Promise.allSettled([
        rail.settle(credential, purchase, checkpoint),
        rail.recover(credential, purchase, checkpoint),
        rail.recover(credential, purchase, checkpoint),
      ])
      assert.equal(await taken(), before)
      for (const outcome of recovered) {
        if (outcome.status === 'fulfilled') assert.equal(outcome.value.reference, settlement.reference)
        else assert.ok(!isRefusal(outcome.reason), 'recover must not say that nothing was taken')
      }
    })

    it('recovers a credential that was never settled by taking the money once, or by refusing it', async () => {
      const { purchase, rail } = subject
      const before = await taken()
      const credential = await paid()
      const checkpoint = await rail.verify(credential, purchase)
      const outcomes = []
      for (let call = 0; call < 2; call++) {
        outcomes.push(await rail.recover(credential, purchase, checkpoint).catch((error: unknown) => error))
      }
      const settlement = outcomes.find((outcome): outcome is Settlement => !(outcome instanceof Error))
      if (before !== undefined) assert.equal(await taken(), before + BigInt(settlement?.amount.atomic ?? 0))
    })

    it('recovers a settlement whose answer was lost, from its stored checkpoint', async () => {
      const { purchase, rail } = subject
      const before = await taken()
      const credential = await paid()
      const checkpoint = await rail.verify(credential, purchase)
      await subject.loseAnswer?.()
      try {
        await rail.settle(credential, purchase, checkpoint)
      } catch (error) {
        assert.ok(subject.loseAnswer && !isRefusal(error), `a lost answer must not count as a refusal: ${error}`)
      }
      const kept: Credential = { ...credential, proof: JSON.parse(JSON.stringify(credential.proof)) }
      const finisher = (await subject.another?.()) ?? rail
      const settlement = await finisher.recover(kept, purchase, JSON.parse(JSON.stringify(checkpoint)))
      assert.equal(Number(settlement.amount.decimal), Number(subject.settledAmount ?? purchase.price.amount))
      assert.ok(settlement.payer.wallet)
      if (before !== undefined) assert.equal(await taken(), before + BigInt(settlement.amount.atomic))
    })

    it('proves a refund with the same key each time, and no other transfer', async () => {
      const { rail, refunds } = subject
      assert.equal(Boolean(rail.verifyRefund), Boolean(refunds), 'the subject of a rail with verifyRefund has refunds')
      if (!rail.verifyRefund || !refunds) return
      const [{ settlement }, { settlement: other }] = [await settleOnce(), await settleOnce()]
      const prove = async (reference: string, { amount, payer, transaction, ...paid }: Settlement) =>
        rail.verifyRefund?.({
          reference,
          settlement: {
            reference: paid.reference,
            transaction: transaction ?? null,
            network: paid.network,
            asset: amount.asset,
            atomic: amount.atomic,
            payerWallet: payer.wallet,
          },
        })
      const reference = await refunds.giveBack(settlement)
      const first = await prove(reference, settlement)
      assert.ok(first?.is === 'proven', `the refund is ${JSON.stringify(first)}`)
      assert.ok(first.refundedAt instanceof Date && first.refundedAt.getTime() > 0)
      const again = await prove(reference, settlement)
      assert.equal(again?.is === 'proven' && again.key, first.key)
      const next = await prove(await refunds.giveBack(other), other)
      assert.ok(next?.is === 'proven' && next.key !== first.key, 'two transfers have different keys')
      for (const [name, make] of Object.entries(refunds.wrong)) {
        const { settlement: paid } = await settleOnce()
        assert.equal((await prove(await make(paid), paid))?.is, 'refuted', name)
      }
      assert.equal((await prove(settlement.reference, settlement))?.is === 'proven', false, 'the settlement itself')
      assert.equal((await prove(refunds.unseen, settlement))?.is, 'pending', 'a transfer that cannot be found')
    })

    it('finds a settlement with its amount when it is inspected, and takes nothing of a credential that was not settled', async () => {
      const { purchase, rail } = subject
      if (!rail.inspect) return
      const { credential, checkpoint, settlement } = await settleOnce()
      const { reference, network, amount, payer, transaction = null } = settlement
      const { asset, atomic } = amount
      const recorded = { reference, transaction, network, asset, atomic, payerWallet: payer.wallet }
      const payment = { credential, purchase, checkpoint }
      for (const known of [{ ...payment, settlement: recorded }, payment]) {
        const found = await rail.inspect(known)
        assert.ok(found.is === 'taken', `the settlement is ${JSON.stringify(found)}`)
        assert.equal(found.reference, reference)
        assert.equal(found.asset.toLowerCase(), asset.toLowerCase())
        assert.equal(BigInt(found.atomic), BigInt(atomic))
      }
      const erased = { ...payment, credential: { ...credential, proof: null }, checkpoint: null, settlement: recorded }
      assert.equal((await rail.inspect(erased)).is, 'taken', 'a settlement whose proof was erased')
      const dearer = await rail.inspect({ ...payment, settlement: { ...recorded, atomic: `${BigInt(atomic) + 1n}` } })
      assert.equal(dearer.is === 'taken' && dearer.atomic, atomic, 'the amount of the rail, not that of the books')

      const before = await taken()
      const next = await paid()
      const unpaid = { credential: next, purchase, checkpoint: await rail.verify(next, purchase) }
      for (let call = 0; call < 2; call++) {
        assert.equal((await rail.inspect(unpaid)).is, 'open', 'a credential that was not settled')
      }
      assert.equal(await taken(), before)
    })

    it('lists each payment that it took once, with its credential and amount', async () => {
      const { rail, purchase } = subject
      if (!rail.listTaken) return
      const since = new Date(Date.now() - 60_000)
      const { credential, settlement } = await settleOnce()
      const unpaid = await paid()
      const listSince = async (from: Date) => {
        const found: ListedPayment[] = []
        for await (const each of rail.listTaken?.(from) ?? []) found.push(each)
        return found
      }
      const listed = await listSince(since)
      const [found, ...more] = listed.filter(({ credentialId }) => credentialId === credential.id)
      assert.deepEqual(more, [])
      assert.equal(found?.sellerDid, purchase.sellerDid)
      assert.equal(found.reference, settlement.reference)
      assert.equal(found.atomic, settlement.amount.atomic)
      assert.equal(
        listed.some(({ credentialId }) => credentialId === unpaid.id),
        false,
      )
      assert.deepEqual(await listSince(new Date(Date.now() + 3_600_000)), [])
    })

    it('takes the money once or not at all whenever the remote side fails, and finds out which', async () => {
      for (const [lie, tell] of Object.entries(subject.lies ?? {})) {
        const { purchase, rail } = subject
        const before = await taken()
        const credential = await paid()
        const checkpoint = await rail.verify(credential, purchase)
        await tell()
        const outcome = await concluded(rail, credential, purchase, checkpoint)
        assert.ok(outcome, `${lie}: the outcome stayed unknown`)
        const moved = typeof outcome === 'string' ? 0n : BigInt(outcome.amount.atomic)
        if (before !== undefined)
          assert.equal((await taken()) ?? 0n, before + moved, `${lie}: the books do not balance`)
        if (typeof outcome === 'string') continue
        assert.equal(Number(outcome.amount.decimal), Number(subject.settledAmount ?? purchase.price.amount), lie)
      }
    })
  })
}

/** The digits that count: without leading and trailing zeros. */
const significant = (digits: string): string => digits.replace(/^0+|0+$/g, '')
