import { randomUUID } from 'node:crypto'
import type { Keyring } from '../../../../kernel/keyring.ts'
import type { Purchase } from '../../../../ports/payment-rail.ts'
import { priceMismatch } from '../errors.ts'
import type { Sale } from './sale.ts'

/** How long a signed price is valid. */
const LIFE_SECONDS = 300

/** A price without superfluous digits. */
const normalAmount = (amount: number | string): string => {
  const [whole = '', fraction = ''] = (typeof amount === 'number' ? amount.toFixed(6) : amount).split('.')
  const digits = fraction.replace(/0+$/, '')
  const integer = whole.replace(/^0+(?=\d)/, '')
  return digits === '' ? integer : `${integer}.${digits}`
}

/**
 * Finds the offer with a price.
 *
 * @throws `price_mismatch` with the available prices
 */
export function purchaseAt({ purchases }: Sale, amount: number | string, currency: string): Purchase {
  const wanted = normalAmount(amount)
  const purchase = purchases.find(
    ({ price }) => price.amount === wanted && price.currency.toLowerCase() === currency.toLowerCase(),
  )
  if (!purchase)
    throw priceMismatch({ details: { prices: purchases.map(({ price, tier, per }) => ({ ...price, tier, per })) } })
  return purchase
}

/** A price, signed by the service for a few minutes, so that an agent can show its principal what it is about to pay. */
export async function signPrice(
  { sellerDid, resource, tier, per, price, shown }: Purchase,
  { issuer, now, keyring }: { readonly issuer: string; readonly now: Date; readonly keyring: Pick<Keyring, 'sign'> },
) {
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + LIFE_SECONDS
  const said = { pay_to: sellerDid, ...price, resource_url: shown.url }
  const claims = { iss: issuer, jti: randomUUID(), iat, exp, ...said, resource, tier, per }
  return { challenge: await keyring.sign(claims, 'eep-payment-challenge+jws'), exp, ...said }
}
