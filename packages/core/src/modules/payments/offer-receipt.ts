import type { JsonObject } from '../../kernel/json.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { Purchase, Settlement } from '../../ports/payment-rail.ts'

/** The x402 extension by which a service stands by what it offers and by what it was paid. */
export const OFFER_RECEIPT = 'offer-receipt'

const VERSION = 1

export interface Signatory {
  readonly keyring: Pick<Keyring, 'sign'>
  /** The DID of the service, whose document has the keys. */
  readonly did: string
}

/** An offer of a 402, signed; undefined for an entry that has not what an offer of x402 has. */
export async function signOffer(
  accept: JsonObject,
  { resourceUrl, validUntil }: { readonly resourceUrl: string; readonly validUntil: number },
  { keyring, did }: Signatory,
): Promise<string | undefined> {
  const { scheme, network, asset, payTo, amount } = accept
  const terms = { scheme, network, asset, payTo, amount }
  if (Object.values(terms).some((one) => typeof one !== 'string')) return undefined
  return keyring.sign({ version: VERSION, resourceUrl, ...terms, validUntil }, 'JWS', did)
}

/** What a 402 says of signed offers. */
export const signedOffersExtension = (offers: readonly JsonObject[]): JsonObject => ({
  info: { offers },
  schema: { type: 'object', required: ['offers'] },
})

/** What `PAYMENT-RESPONSE` says of a payment, signed. The same payment gives the same text. */
export async function signedReceiptExtension(
  { shown }: Pick<Purchase, 'shown'>,
  { network, payer, transaction, reference, settledAt }: Settlement,
  { keyring, did }: Signatory,
): Promise<JsonObject> {
  const facts = {
    version: VERSION,
    network,
    resourceUrl: shown.url,
    payer: payer.wallet,
    issuedAt: Math.floor(settledAt.getTime() / 1000),
    transaction: transaction ?? reference,
  }
  const receipt = { format: 'jws', signature: await keyring.sign(facts, 'JWS', did) }
  return { info: { receipt }, schema: { type: 'object', required: ['receipt'] } }
}
