import { createHash, randomBytes } from 'node:crypto'
import { challengeIn, type Purchase, type RailOffer } from '@eep/core/ports'
import { paymentRailContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { type LightningNode, lightningRail } from './lightning-rail.ts'

interface Invoice {
  readonly preimage: string
  readonly sats: bigint
  readonly memo: string
  paidAt?: Date
}

const hashOf = ({ preimage }: Invoice) => createHash('sha256').update(preimage, 'hex').digest('hex')

/** A node whose network is this process. */
function lightningNode() {
  const invoices: Invoice[] = []
  const node: LightningNode = {
    async createInvoice({ sats, memo }) {
      invoices.push({ preimage: randomBytes(32).toString('hex'), sats, memo })
      return { bolt11: `lnbc${invoices.length - 1}` }
    },
    async findPaid(paymentHash) {
      const invoice = invoices.find((one) => hashOf(one) === paymentHash)
      return invoice?.paidAt && { sats: invoice.sats, memo: invoice.memo, paidAt: invoice.paidAt }
    },
  }
  /** Plays the payer: the credential that an offer gives. */
  const answer = (offer: RailOffer, pays: boolean) => {
    const challenge = challengeIn(offer)
    const invoice = invoices[Number(challenge?.request?.slice('lnbc'.length))]
    if (!invoice) throw new Error('no such invoice')
    if (pays) invoice.paidAt = new Date()
    return { authorization: `Payment lightning:${challenge?.id}:${invoice.preimage}` }
  }
  return { node, answer }
}

const purchase: Purchase = {
  profileId: 1,
  sellerDid: 'did:web:profiles.example.com:u:ada',
  resource: 'content.notes.engines',
  pattern: 'content.notes.*',
  tier: 'reader',
  access: ['content.notes.*'],
  rails: null,
  per: 'day',
  price: { amount: '0.01', currency: 'usd' },
  shown: {
    url: 'https://profiles.example.com/u/ada/content/notes/engines',
    description: '',
    mimeType: 'text/markdown',
  },
  payTo: {},
}

paymentRailContract(vitest, () => {
  const { node, answer } = lightningNode()
  return {
    rail: lightningRail({ node, satsPerUsd: 1_000n }),
    purchase,
    settledAmount: '10',
    pay: async (offer) => answer(offer, true),
    underpay: async (offer) => answer(offer, false),
  }
})
