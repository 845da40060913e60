import type { PaymentRail, RailInfo } from '../../../ports/payment-rail.ts'
import type { Offer } from './available-routes.ts'

/** A payment method in documents. */
export interface RailSummary {
  readonly id: string
  /** Undefined when the rail does not declare it. */
  readonly protocol?: RailInfo['protocol']
  /** The versions of x402 that it takes. */
  readonly versions?: readonly number[]
  readonly accepts: readonly Pick<RailInfo['accepts'][number], 'network' | 'asset' | 'currencies'>[]
}

/** How to pay at this service. */
export interface PaymentGuide {
  readonly rails: readonly RailSummary[]
  /** The steps in order, as inline Markdown. */
  readonly steps: readonly string[]
}

const ASK =
  'Send the request for the page or file as if it were free. A 402 names its price: the header `PAYMENT-REQUIRED` is authoritative, and the JSON body repeats it.'

/** The names of rails for `X-EEP-Agent-Capabilities`. */
const namesOf = (rails: readonly RailSummary[]) => rails.map(({ id }) => id).join(', ')

const x402Steps = (rails: readonly RailSummary[]) => [
  `Decode \`PAYMENT-REQUIRED\`: base64 of JSON, x402 version 2. Of \`accepts[]\` take an entry whose \`scheme\` and \`network\` you can pay; \`X-EEP-Agent-Capabilities: ${namesOf(rails)}\` moves the entries of that rail to the front.`,
  'Sign what the entry asks for. For the scheme `exact` that is the EIP-712 typed data at `extra.eip3009`, completed with your `from`, a `validBefore` of now plus `maxTimeoutSeconds`, and 32 random bytes as `nonce`. Client libraries of x402 version 2 do this and the next step.',
  'Repeat the identical request (method, URL, `Accept`) with the header `PAYMENT-SIGNATURE`: base64 of `{"x402Version":2,"accepted":<the entry, unchanged>,"payload":{"signature":"0x…","authorization":{…}}}`.',
]

/** For clients of x402 version 1, while a rail takes their payments. */
const V1_STEP =
  'Clients of x402 version 1 read `x402Version` and `accepts` in the JSON body of the 402, and send `X-PAYMENT` with the same GET. The response has `X-PAYMENT-RESPONSE` too. `x402-fetch` refuses more than 0.10 USDC unless you give it a `maxValue`; clients of version 2 refuse more than 1 USD unless you raise their limit.'

const mppSteps = (rails: readonly RailSummary[]) => [
  `Or read a \`WWW-Authenticate\` value with the scheme \`Payment\`: \`method\` names the way to pay, and \`request\` has its terms, as that method defines them. \`X-EEP-Agent-Capabilities: ${namesOf(rails)}\` asks for this rail first.`,
  'Repeat the identical request with `Authorization: Payment <credential>`, the credential of that method for this challenge. It pays once.',
  ...(rails.some(({ id }) => id === 'stripe-mpp')
    ? [
        'With `method="stripe"`, `request` is base64url of JSON with amount and currency, and the credential may be a shared payment token: `Authorization: Payment <SHARED_PAYMENT_TOKEN>`.',
      ]
    : []),
]

/** The description of rails that do not declare their protocol. */
const undescribed = (rails: readonly RailSummary[]) =>
  rails.length === 0
    ? []
    : [
        `No protocol is declared for: ${namesOf(rails)}. The 402 has an entry in \`accepts[]\` or a challenge for each; use the matching steps above.`,
      ]

const ANSWERS = [
  '200: paid, and the body is the content. `PAYMENT-RESPONSE` describes the settlement; `X-EEP-Payer-Wallet`, `X-EEP-Payer-Network` and the payer cookie (`eep_payer` by default) identify you at this gate.',
  'Send that cookie or those two headers with later requests: your access lasts for the `per` of the tier. With `per` = `request` every request needs a new payment.',
  'If the 402 declares the extension `sign-in-with-x`, a wallet can access its purchases without a cookie: sign the EIP-4361 message of its `info`, and send it in `SIGN-IN-WITH-X` (client libraries of x402 do).',
  '402 again: nothing was charged. `PAYMENT-RESPONSE` has the reason, `PAYMENT-REQUIRED` a fresh offer.',
  '503 with the code `settlement_pending`: the outcome is not known yet. Wait for `Retry-After` and repeat the request with the same credential. Do not sign a second one: the first may have paid.',
]

const RECEIPTS = 'Receipts: `GET /eep/payment/receipts`, with the account that was signed in when you paid.'

/** The versions of x402 that some rails take; none when they take other payments only. */
export const x402VersionsOf = (rails: readonly PaymentRail[]): readonly number[] => [
  ...new Set(rails.flatMap((rail) => summaryOf(rail).versions ?? []).toSorted()),
]

const summaryOf = ({ id, info }: PaymentRail): RailSummary => ({
  id,
  ...(info && { protocol: info.protocol }),
  ...(info?.protocol === 'x402' && { versions: info.v1Networks?.length ? [1, 2] : [2] }),
  accepts: (info?.accepts ?? []).map(({ network, asset, currencies }) => ({ network, asset, currencies })),
})

/** How to pay with the configured rails, step by step. */
export function paymentGuideOf(paymentRails: readonly PaymentRail[], offer: Offer): PaymentGuide {
  const rails = paymentRails.map(summaryOf)
  if (rails.length === 0) return { rails, steps: [] }
  const speaking = (protocol: RailInfo['protocol']) => rails.filter((rail) => (rail.protocol ?? protocol) === protocol)
  const [x402, mpp] = [speaking('x402'), speaking('mpp')]
  return {
    rails,
    steps: [
      ASK,
      ...(x402.length > 0 ? x402Steps(x402) : []),
      ...(x402.some(({ versions }) => versions?.includes(1)) ? [V1_STEP] : []),
      ...(mpp.length > 0 ? mppSteps(mpp) : []),
      ...undescribed(rails.filter(({ protocol }) => protocol === undefined)),
      ...ANSWERS,
      ...(offer.has('/eep/payment/receipts') ? [RECEIPTS] : []),
    ],
  }
}
