import { createHash } from 'node:crypto'
import { type Credential, definePaymentRail, type Purchase, paymentRefused, type Settlement } from '@eep/core/ports'

/** The two calls this rail makes to a Lightning node. */
export interface LightningNode {
  createInvoice(invoice: { sats: bigint; memo: string }): Promise<{ bolt11: string }>
  findPaid(paymentHash: string): Promise<{ sats: bigint; memo: string; paidAt: Date } | undefined>
}

type Proof = { terms: string; paymentHash: string }

const network = 'lightning:mainnet'
const sha256 = (text: string, encoding: 'utf8' | 'hex') => createHash('sha256').update(text, encoding).digest('hex')

/** Prices have at most six decimals. */
const microUsd = ({ price: { amount } }: Purchase) => {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

/** The purchase of an invoice, which is valid for no other page, price or seller. */
const termsOf = ({ sellerDid, resource, tier, per, price }: Purchase) =>
  sha256(JSON.stringify([sellerDid, resource, tier, per, price]), 'utf8')

/** Sells gated reads for bitcoin. The preimage of an invoice proves its payment. */
export function lightningRail({ node, satsPerUsd }: { node: LightningNode; satsPerUsd: bigint }) {
  const settlementOf = async ({ proof: { terms, paymentHash } }: Credential<Proof>): Promise<Settlement> => {
    const invoice = await node.findPaid(paymentHash)
    if (invoice?.memo !== terms) throw paymentRefused('invoice_not_paid')
    const sats = invoice.sats.toString()
    const amount = { atomic: sats, decimal: sats, asset: 'sat', currency: 'sat' }
    const payer = { wallet: paymentHash, network }
    return { reference: paymentHash, network, amount, payer, settledAt: invoice.paidAt }
  }

  return definePaymentRail<Proof>({
    id: 'lightning',

    async offer(purchase) {
      if (purchase.price.currency !== 'usd') return undefined
      const sats = (microUsd(purchase) * satsPerUsd + 999_999n) / 1_000_000n
      const id = termsOf(purchase)
      const { bolt11 } = await node.createInvoice({ sats, memo: id })
      return { challenge: { id, realm: purchase.resource, method: 'lightning', intent: 'charge', request: bolt11 } }
    },

    read({ authorization = '' }) {
      const [, terms, preimage] = /^Payment lightning:([0-9a-f]{64}):([0-9a-f]{64})$/.exec(authorization) ?? []
      if (!terms || !preimage) return undefined
      const paymentHash = sha256(preimage, 'hex')
      const payer = { wallet: paymentHash, network }
      return { id: paymentHash, fingerprint: sha256(authorization, 'utf8'), payer, proof: { terms, paymentHash } }
    },

    matches: ({ proof }, purchase) => proof.terms === termsOf(purchase),
    verify: async (credential) => (await settlementOf(credential)).reference,
    settle: settlementOf,
    recover: settlementOf,
  })
}
