import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import type { Site } from '../../../../http/html/view.ts'
import { isRecord } from '../../../../model/field-values.ts'
import { refusalMessages } from '../messages.ts'
import { TIMELINE_EXTENSION } from '../pay/x402.ts'
import { walletTexts } from './wallet-texts.ts'

/** An offer of x402. */
interface OfferedPayment {
  readonly network: string
  readonly extra?: { readonly eip3009?: unknown; readonly tier?: unknown }
}

/** The members of a 402 that a wallet in the browser needs. */
export interface SoldToWallets {
  readonly decoded_payment_required?: {
    readonly accepts?: readonly OfferedPayment[]
    readonly resource?: unknown
    readonly extensions?: Readonly<Record<string, unknown>>
  } | null
}

/** How the script of a page gets what was paid for. */
export interface PaidDelivery {
  /** The tiers that pay for one request, whose answer is the only one with the content. Default: none. */
  readonly single?: readonly string[]
  /** Whether a file was bought, and not a page. Default: false. */
  readonly isFile?: boolean
}

/** The offers that a wallet in a browser can sign: token transfers by typed data (EIP-3009). */
export const offersForWallets = ({ decoded_payment_required: x402 }: SoldToWallets): readonly OfferedPayment[] =>
  x402?.accepts?.filter(({ network, extra }) => network.startsWith('eip155:') && isRecord(extra?.eip3009)) ?? []

/** What the script needs to pay with a wallet, and where it shows the status. It pays from buttons with `data-wallet-tier`. */
export function walletSaleHtml(sold: SoldToWallets, { single = [], isFile = false }: PaidDelivery, site: Site): Html {
  const x402 = sold.decoded_payment_required
  const sale = {
    texts: walletTexts(site),
    resource: x402?.resource,
    extensions: { [TIMELINE_EXTENSION]: x402?.extensions?.[TIMELINE_EXTENSION] },
    accepts: offersForWallets(sold),
    single,
    isFile,
  }
  return html`<p class="notice" role="status" data-wallet-status hidden></p>
<div class="acts" data-wallet-choice></div>
<div class="paid" data-paid-content></div>
<noscript><p class="soft">${refusalMessages(site)('noScript')}</p></noscript>
${dataScript('wallet-sale', sale)}`
}
