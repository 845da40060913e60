import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ERASED_ACCOUNT_ID, ERASED_DID } from '../../kernel/erased-ids.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { accountHolder, emailHolder } from '../../kernel/wallet.ts'
import { OPTIONAL_GROUPS } from '../../ports/storage/groups.ts'
import type { Receipt } from '../../ports/storage/payments.ts'
import { eraseFromGroups } from '../../runtime/storage/erase-account.ts'
import { eraseAccount, lockForErasure } from '../erase-account.ts'
import { newEvent, newGrant, newInvitation, newPage, newProfile, newReceipt } from '../records.ts'
import { casesFor, present } from './bench.ts'
import { gateConfig } from './gate-config.ts'
import { fillAccount, MINUTES_OF } from './purge-life.ts'

export const purgeCases = casesFor(OPTIONAL_GROUPS, (it, bench) => {
  it('deletes an account with everything it owns, and its name from other records', async () => {
    const life = await fillAccount(bench)
    const { account, profile, names } = life
    const { read } = bench
    assert.equal(await bench.write((tx) => eraseAccount(tx, account.id)), true)

    assert.equal(await read.accounts.get(account.id), undefined)
    assert.equal(await read.accounts.get({ email: account.email }), undefined)
    assert.equal(await read.accounts.get({ username: account.username }), undefined)
    assert.equal(await read.identities.getAccount(life.identity.provider, life.identity.subject), undefined)
    assert.equal(await read.apiKeys.getByHash(life.key.hash), undefined)
    assert.equal(await read.wallets.get(life.wallet.id), undefined)
    assert.equal(await read.payouts.get(life.payout.id), undefined)
    assert.equal(await read.tokens.getNewest(life.token.purpose, account.id), undefined)
    assert.equal(await read.sessions.getWithAccount(life.session.id), undefined)
    assert.equal(await read.profiles.get(profile.id), undefined)
    assert.equal(await read.pages.get(life.page.id), undefined)
    assert.equal((await read.files.listOfProfile(profile.id, { limit: 9 })).total, 0)
    const [sent] = (await read.files.listOfProfile(life.otherProfile.id, { limit: 9 })).items
    assert.equal(present(sent).accountId, null)
    assert.deepEqual(await read.media.minutesOf(account.id, MINUTES_OF), { used: 0, reserved: 0 })
    assert.equal(await read.media.getTranscript(life.fileId), undefined)
    for (const { id } of life.jobs) assert.equal(await read.jobs.get(id), undefined)
    assert.equal(await read.gates.get(profile.id), undefined)
    assert.deepEqual(await read.entitlements.listActive(life.entitlement), [])
    assert.equal(await read.members.getRole(life.otherProfile.id, account.id), undefined)
    assert.equal((await read.invitations.list(life.otherProfile.id, { limit: 9 })).total, 0)
    assert.equal((await read.transfers.listOfAccount(life.other.id, { limit: 9 })).total, 0)

    const told = JSON.stringify([
      await Promise.all(life.payments.map(({ id }) => read.payments.get(id))),
      await Promise.all(life.receipts.map(({ receiptId }) => read.receipts.get(receiptId))),
      await bench.events(life.after),
      await read.pageVersions.list(life.foreignPage.id, { limit: 10 }),
      await read.auditLog.listChain(life.otherProfile.id, { after: 0, limit: 10 }),
      await read.notifications.list(
        { accountId: life.other.id, profileId: life.otherProfile.id, withAccount: true },
        { kinds: ['follow'] },
        { limit: 10 },
      ),
      await Promise.all(life.deals.map(({ negotiation: { id } }) => read.negotiations.get(id))),
      await Promise.all(life.deals.map(({ negotiation: { id } }) => read.negotiations.listMoves(id))),
      await read.listings.listReviews({ profileId: life.otherProfile.id }, { limit: 10 }),
      await read.messages.list(life.otherProfile.id, { limit: 10 }),
      await read.messages.listMessages(life.conversationId, { order: 'asc', limit: 10 }),
    ])
    for (const name of names) assert.equal(told.includes(name), false, `${name} is still stored`)
  })

  it('keeps the payments and receipts of a purged account, and the records of others', async () => {
    const { account, other, otherProfile, profile, sale, open, purchase, receipts, foreignPage, ...life } =
      await fillAccount(bench)
    const { read } = bench
    const [before, beforeOpen] = [present(await read.payments.get(sale.id)), present(await read.payments.get(open.id))]
    assert.equal(before.sellerAccountId, account.id)
    await bench.write((tx) => eraseAccount(tx, account.id))

    const sold = present(await read.payments.get(sale.id))
    assert.deepEqual(
      { ...sold, purchase: null, proof: null, checkpoint: null },
      { ...before, purchase: null, proof: null, checkpoint: null, sellerAccountId: ERASED_DID },
    )
    assert.equal(sold.purchase.sellerDid, ERASED_DID)
    assert.deepEqual(sold.purchase.price, before.purchase.price)
    const asked = present(await read.payments.get(open.id))
    assert.deepEqual(asked.purchase.payTo, beforeOpen.purchase.payTo, 'an open payment can still be settled')
    assert.deepEqual(asked.proof, { payTo: ERASED_DID, signature: 'signed' })
    const bought = present(await read.payments.get(purchase.id))
    assert.deepEqual(
      [bought.payerAccountId, bought.payerDid, bought.payerBot, bought.payer.did],
      [null, null, null, undefined],
    )
    assert.equal(bought.purchase.sellerDid, purchase.purchase.sellerDid)
    assert.equal(bought.settlement?.reference, life.settlement.reference)

    const [ofSale, ofPurchase, ofOld] = await Promise.all(receipts.map(({ receiptId }) => read.receipts.get(receiptId)))
    assert.deepEqual(ofSale, {
      ...receipts[0],
      seller: { profileId: profile.id, did: ERASED_DID, accountId: null },
      signature: '',
    })
    assert.deepEqual(ofPurchase, { ...receipts[1], payerAccountId: null, payerDid: null, signature: '' })
    assert.equal(ofOld?.seller.did, ERASED_DID)

    assert.deepEqual(await read.accounts.get(other.id), other)
    assert.deepEqual(await read.profiles.get(otherProfile.id), otherProfile)
    const [written, first] = (await read.pageVersions.list(foreignPage.id, { limit: 10 })).items
    assert.deepEqual([written?.createdBy, first?.createdBy], [ERASED_ACCOUNT_ID, other.id])
    assert.equal((await read.pageVersions.get(foreignPage.id, 2))?.body, 'written by a guest')
    const events = await bench.events(life.after, { profileId: otherProfile.id })
    assert.deepEqual(
      events.map(({ accountId, data }) => ({ accountId, data })),
      [
        { accountId: null, data: { pageId: foreignPage.id } },
        { accountId: other.id, data: {} },
        { accountId: other.id, data: { pageId: foreignPage.id } },
      ],
    )
  })

  it('keeps the data of kept events that a purged account caused, unless they are about it or its profiles', async () => {
    const { account, profile, after } = await fillAccount(bench)
    const caused = (type: string, data: JsonObject, profileId: number | null = null) =>
      newEvent({ type, data, profileId, accountId: account.id })
    const added = await bench.write(async (tx) => {
      const events = [
        caused('notes.saved', { noteId: 1 }),
        caused('notes.read', { noteId: 2 }),
        caused('notes.saved', { noteId: 3, accountId: account.id }),
        caused('notes.saved', { noteId: 4 }, profile.id),
      ]
      await tx.events.append(events)
      return events.map(({ id }) => id)
    })
    await bench.write(async (tx) =>
      eraseFromGroups(tx, present(await lockForErasure(tx, account.id)), ['notes.saved', 'notes.other']),
    )
    const events = (await bench.events(after)).filter(({ id }) => added.includes(id))
    assert.deepEqual(
      events.map(({ accountId, data }) => [accountId, data]),
      [
        [null, { noteId: 1 }],
        [null, {}],
        [null, {}],
        [null, {}],
      ],
    )
  })

  it('keeps the amounts of negotiations of a purged account for the other party', async () => {
    const { account, profile, other, otherProfile, deals } = await fillAccount(bench)
    const [sold, bought] = deals.map(({ negotiation }) => negotiation)
    await bench.write((tx) => eraseAccount(tx, account.id))
    const deal = present(await bench.read.negotiations.get(present(sold).id))
    assert.deepEqual(
      [deal.sellerProfileId, deal.sellerDid, deal.buyerDid, deal.state, deal.version],
      [profile.id, ERASED_DID, sold?.buyerDid, 'disputed', 1],
    )
    assert.deepEqual([deal.pricing, deal.terms.expires_in, deal.invoice?.amount], [sold?.pricing, 60, 90])
    const mine = present(await bench.read.negotiations.get(present(bought).id))
    assert.deepEqual([mine.sellerDid, mine.buyerDid], [bought?.sellerDid, ERASED_DID])
    assert.deepEqual(
      (await bench.read.negotiations.listMoves(mine.id)).map(({ accountId, data }) => [accountId, data.outcome]),
      [[null, 'refunded']],
    )
    const party = { profileId: otherProfile.id }
    assert.equal((await bench.read.negotiations.list({ party, now: new Date() }, { limit: 9 })).total, 2)
    const [review] = (await bench.read.listings.listReviews(party, { limit: 9 })).items
    assert.deepEqual([review?.reviewerDid, review?.comment, review?.score], [ERASED_DID, null, 4])
    assert.notEqual(await bench.read.accounts.get(other.id), undefined)
  })

  it('erases an account in parts, which keep it and its receipts, and can be repeated', async () => {
    const { account, profile, sale, purchase, receipts, deals, names, after } = await fillAccount(bench)
    const { read } = bench
    const erased = present(await bench.write((tx) => lockForErasure(tx, account.id)))
    const eraseParts = async (limit: number) => {
      const parts: string[] = []
      for (let end: string | undefined; ; parts.push(end)) {
        const part = { limit, after: end }
        end = await bench.write((tx) => tx.accounts.eraseAccount(erased, [], part))
        if (end === undefined) return parts
      }
    }
    assert.equal((await eraseParts(1)).length > 10, true)
    assert.deepEqual(await eraseParts(50), [], 'nothing is left')

    assert.deepEqual(await read.accounts.get(account.id), { ...account, emailVerified: true, emailOwned: true })
    assert.notEqual(await read.profiles.get(profile.id), undefined)
    for (const receipt of receipts) assert.deepEqual(await read.receipts.get(receipt.receiptId), receipt)
    const told = JSON.stringify([
      await Promise.all([sale, purchase].map(({ id }) => read.payments.get(id))),
      (await bench.events(after)).map(({ data }) => data),
      await Promise.all(deals.map(({ negotiation: { id } }) => read.negotiations.get(id))),
      await Promise.all(deals.map(({ negotiation: { id } }) => read.negotiations.listMoves(id))),
    ])
    for (const name of names) assert.equal(told.includes(name), false, `${name} is still stored`)

    const again = present(await bench.write((tx) => lockForErasure(tx, account.id)))
    assert.deepEqual(again.profileIds.toSorted(), erased.profileIds.toSorted(), 'deleted profiles are still found')
    assert.equal(await bench.write((tx) => eraseAccount(tx, account.id)), true)
    assert.equal(await read.accounts.get(account.id), undefined)
  })

  it('keeps the signature of a receipt that was signed again without names', async () => {
    const { account, receipts } = await fillAccount(bench)
    const renamed = ({ seller, ...receipt }: Receipt): Receipt => ({
      ...receipt,
      seller: {
        profileId: seller.profileId,
        did: seller.accountId === account.id ? ERASED_DID : seller.did,
        accountId: null,
      },
      payerAccountId: null,
      payerDid: null,
      signature: 're-signed',
    })
    const signed = await bench.write(async (tx) => {
      const replaced: Receipt[] = []
      for (;;) {
        const { items: some } = await tx.receipts.list({ naming: account.id }, { limit: 1 })
        if (some.length === 0) break
        assert.equal(some.length, 1, 'not more than the limit')
        for (const { refund: _, refundClaim: __, ...receipt } of some)
          replaced.push(present(await tx.receipts.replace(renamed(receipt))))
      }
      await eraseAccount(tx, account.id)
      return replaced
    })
    assert.deepEqual(signed.map(({ receiptId }) => receiptId).sort(), receipts.map(({ receiptId }) => receiptId).sort())
    for (const receipt of signed)
      assert.equal((await bench.read.receipts.get(receipt.receiptId))?.signature, 're-signed')
    assert.equal(await bench.write((tx) => tx.receipts.replace(newReceipt())), undefined)
    assert.deepEqual((await bench.read.receipts.list({ naming: 'no uuid' }, { limit: 9 })).items, [])
  })

  it('erases grants to the address of a purged account, unless the account never owned it', async () => {
    const { id: profileId } = await bench.profile()
    for (const emailOwned of [true, false]) {
      const { id, email } = await bench.account()
      const [own, given] = [accountHolder(id), emailHolder(email)].map((holder) => newGrant(profileId, holder))
      await bench.write(async (tx) => {
        await tx.accounts.save(id, { emailVerified: true, emailOwned })
        for (const one of [own, given]) if (one) await tx.entitlements.grant(one)
      })
      await bench.write((tx) => eraseAccount(tx, id))
      assert.equal(await bench.read.grants.get(own?.id ?? ''), undefined)
      const kept = await bench.read.grants.get(given?.id ?? '')
      assert.equal(kept?.id, emailOwned ? undefined : given?.id)
    }
  })

  it('erases invitations to the address of a purged account, unless the account never owned it', async () => {
    const { id: profileId, ownerAccountId } = await bench.profile()
    for (const emailOwned of [true, false]) {
      const { id, email } = await bench.account()
      const invitation = await bench.write(async (tx) => {
        await tx.accounts.save(id, { emailVerified: true, emailOwned })
        return tx.invitations.put(newInvitation(profileId, ownerAccountId, { accountId: null, email }))
      })
      await bench.write((tx) => eraseAccount(tx, id))
      assert.deepEqual(await bench.read.invitations.get(invitation.id), emailOwned ? undefined : invitation)
    }
  })

  it('erases in parts only the invitations to an address that the account owns', async () => {
    const { id: profileId, ownerAccountId } = await bench.profile()
    for (const emailOwned of [true, false]) {
      const { id, email } = await bench.account()
      const { invitation, account } = await bench.write(async (tx) => {
        await tx.accounts.save(id, { emailVerified: true, emailOwned })
        const invitation = await tx.invitations.put(
          newInvitation(profileId, ownerAccountId, { accountId: null, email: email.toUpperCase() }),
        )
        return { invitation, account: present(await lockForErasure(tx, id)) }
      })
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        after = await bench.write((tx) => tx.accounts.eraseAccount(account, [], { limit: 10, after }))
      }
      assert.deepEqual(await bench.read.invitations.get(invitation.id), emailOwned ? undefined : invitation)
    }
  })

  it('purges nothing in a failed transaction', async () => {
    const { account, profile, sale, after } = await fillAccount(bench)
    const { read } = bench
    const seen = async () => [
      await read.accounts.get(account.id),
      await read.profiles.get(profile.id),
      await read.payments.get(sale.id),
      await bench.events(after),
    ]
    const before = await seen()
    const failing = bench.write(async (tx) => {
      await eraseAccount(tx, account.id)
      throw new Error('on purpose')
    })
    await assert.rejects(failing, /on purpose/)
    assert.deepEqual(await seen(), before)
  })

  it('waits for concurrent inserts of the account, and purges them, too', async () => {
    const account = await bench.account()
    const { first, others } = await bench.overlap(
      async (tx) => {
        const profile = present(await tx.profiles.insert(newProfile(account.id)))
        const page = present(await tx.pages.insert(newPage(profile.id, account.id)))
        await tx.gates.put({
          profileId: profile.id,
          config: gateConfig(),
          changedBy: randomUUID(),
          updatedAt: new Date(),
        })
        await tx.entitlements.grant(newGrant(profile.id))
        await tx.events.append([newEvent({ profileId: profile.id, accountId: account.id })])
        return { profile, page }
      },
      [(tx) => eraseAccount(tx, account.id)],
    )
    assert.deepEqual(others, [true])
    assert.equal(await bench.read.profiles.get(present(first).profile.id), undefined)
    assert.equal(await bench.read.pages.get(present(first).page.id), undefined)
    assert.equal(await bench.read.accounts.get(account.id), undefined)
  })
})
