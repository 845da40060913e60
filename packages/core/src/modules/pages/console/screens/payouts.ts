import { z } from 'zod'
import { type Screen, type ScreenView, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { buttonOnly } from '../../../../framework/module/screen-form.ts'
import { tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { evmNetwork } from '../../../../kernel/network.ts'
import type { Plan } from '../../../../model/plan.ts'
import type { PaymentRail } from '../../../../ports/payment-rail.ts'
import type { Payout, Wallet } from '../../../../ports/storage/wallets.ts'
import type { PayoutService, WalletService } from '../../../people/wallets/index.ts'
import { type AddedWallet, addWalletHtml, messageToSign, networkName } from '../account/add-wallet-html.ts'
import { payoutsScreenMessages } from '../messages.ts'

/** The path of the screen with the wallets that an account is paid to. */
const PAYOUTS_PATH = '/account/payouts'

const MAX_MESSAGE = 4_096
const MAX_SIGNATURE = 8_194

type PayoutsKey = Parameters<ReturnType<typeof payoutsScreenMessages>>[0]

const PROBLEMS = new Map<string, PayoutsKey>([
  ...['invalid_siwe_message', 'siwe_version_unsupported', 'siwe_domain_mismatch', 'siwe_uri_mismatch'].map(
    (code): [string, PayoutsKey] => [code, 'wrongMessage'],
  ),
  ...['siwe_expired', 'siwe_nonce_refused', 'siwe_issued_in_future', 'siwe_not_yet_valid'].map(
    (code): [string, PayoutsKey] => [code, 'oldMessage'],
  ),
  ['siwe_chain_unsupported', 'notOffered'],
  ['network_not_offered', 'notOffered'],
  ['invalid_wallet_signature', 'wrongSignature'],
  ['wallet_chain_unavailable', 'chainDown'],
  ['wallet_not_found', 'gone'],
  ['payout_not_found', 'gone'],
])

const OUTCOMES = ['added', 'chosen', 'stopped', 'removed'] as const

export interface PayoutsScreen {
  readonly payouts: Pick<PayoutService, 'list' | 'choose' | 'remove'>
  readonly wallets: Pick<WalletService, 'list' | 'challenge' | 'link' | 'unlink'>
  readonly rails: readonly PaymentRail[]
  /** The chains on which wallets can be linked. */
  readonly chainIds: readonly number[]
  readonly clock: Clock
  /** The commission on sales of a plan, in hundredths of a percent. */
  commissionOf(plan: Plan): number
}

/** The chains on which the service takes payments and accounts can link wallets. */
const payableChains = ({ rails, chainIds }: Pick<PayoutsScreen, 'rails' | 'chainIds'>): readonly number[] => {
  const offered = new Set(rails.flatMap(({ info }) => info?.accepts ?? []).map(({ network }) => network))
  return chainIds.filter((chainId) => offered.has(evmNetwork(chainId)))
}

const enabledOf = (payouts: readonly Payout[], { id }: Pick<Wallet, 'id'>) =>
  payouts.find(({ walletId, enabled }) => enabled && walletId === id)

function walletsHtml(visit: ScreenVisit, wallets: readonly Wallet[], payouts: readonly Payout[], deps: PayoutsScreen) {
  const say = payoutsScreenMessages(visit.site)
  const payable = payableChains(deps)
  return tableHtml<Wallet>(
    say('title'),
    [
      { label: say('wallet'), cell: ({ address }) => html`<code dir="ltr">${address}</code>` },
      { label: say('network'), cell: ({ chainId }) => html`<bdi>${networkName(chainId)}</bdi>` },
      {
        label: say('state'),
        cell: (wallet) =>
          enabledOf(payouts, wallet)
            ? html`<strong>${say('paid')}</strong>`
            : html`${say('notPaid')}${payable.includes(wallet.chainId) && buttonOnly(visit, 'choose', say('choose'), { wallet: wallet.id })}`,
      },
      {
        label: '',
        cell: (wallet) => {
          const payout = enabledOf(payouts, wallet)
          const network = networkName(wallet.chainId)
          return html`<details><summary>${say('change')}</summary>${
            payout &&
            html`<p class="soft">${say('stopHint', { network })}</p>${buttonOnly(visit, 'stop', say('stop'), { payout: String(payout.id) })}`
          }<p class="soft">${payout ? say('removePaidHint', { network }) : say('removeHint')}</p>${buttonOnly(visit, 'remove', say('remove'), { wallet: wallet.id }, 'danger')}</details>`
        },
      },
    ],
    wallets,
  )
}

/** What becomes of card money, and the commission of the operator. */
function moneyHtml({ site, caller }: ScreenVisit, { rails, commissionOf }: PayoutsScreen): Html {
  const say = payoutsScreenMessages(site)
  const takesCards = rails.some(({ info }) => info?.protocol === 'mpp')
  const bps = commissionOf(caller.account.tier)
  const percent = new Intl.NumberFormat(site.language, { style: 'percent', maximumFractionDigits: 2 }).format(
    bps / 10_000,
  )
  return html`<h2>${say('cardTitle')}</h2><p>${say(takesCards ? 'cards' : 'noCards')}</p>
<h2>${say('commissionTitle')}</h2><p>${bps === 0 ? say('noCommission') : say('commission', { percent })}</p>\n`
}

async function shown(visit: ScreenVisit, deps: PayoutsScreen, prepared?: AddedWallet): Promise<ScreenView> {
  const say = payoutsScreenMessages(visit.site)
  const [wallets, payouts] = await Promise.all([deps.wallets.list(visit.caller), deps.payouts.list(visit.caller)])
  const chainIds = payableChains(deps)
  return {
    lead: say('lead'),
    body: html`${wallets.length === 0 ? emptyHtml(say(chainIds.length > 0 ? 'none' : 'off')) : walletsHtml(visit, wallets, payouts, deps)}${chainIds.length > 0 && addWalletHtml(visit, chainIds, prepared)}${moneyHtml(visit, deps)}`,
  }
}

const actionsOf = (deps: PayoutsScreen) => ({
  message: screenAction({
    schema: z.object({
      address: z
        .string()
        .trim()
        .regex(/^0x[0-9a-fA-F]{40}$/),
      chain: z.enum(payableChains(deps).map(String)).transform(Number),
    }),
    async run(visit: ScreenVisit, { address, chain }) {
      const challenge = await deps.wallets.challenge(visit.caller)
      const message = messageToSign({ ...challenge, address, chainId: chain, at: deps.clock() })
      return { view: await shown(visit, deps, { address, chainId: chain, message }) }
    },
  }),
  link: screenAction({
    recent: true,
    schema: z.object({
      message: z
        .string()
        .transform((text) => text.replaceAll('\r\n', '\n').trim())
        .pipe(z.string().min(1).max(MAX_MESSAGE)),
      signature: z
        .string()
        .trim()
        .max(MAX_SIGNATURE)
        .regex(/^0x(?:[0-9a-fA-F]{2})+$/),
    }),
    async run({ caller, path }: ScreenVisit, signed) {
      const wallet = await deps.wallets.link(signed, caller)
      const network = evmNetwork(wallet.chainId)
      const isPaid = (await deps.payouts.list(caller)).some((each) => each.enabled && each.network === network)
      if (isPaid || !payableChains(deps).includes(wallet.chainId)) return { to: path, said: 'added' }
      await deps.payouts.choose({ walletId: wallet.id, network }, caller)
      return { to: path, said: 'chosen' }
    },
  }),
  choose: screenAction({
    recent: true,
    schema: z.object({ wallet: z.uuid() }),
    async run({ caller, path }: ScreenVisit, { wallet: walletId }) {
      const wallet = (await deps.wallets.list(caller)).find(({ id }) => id === walletId)
      await deps.payouts.choose({ walletId, network: wallet ? evmNetwork(wallet.chainId) : '' }, caller)
      return { to: path, said: 'chosen' }
    },
  }),
  stop: screenAction({
    recent: true,
    schema: z.object({ payout: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    async run({ caller, path }: ScreenVisit, { payout }) {
      await deps.payouts.remove(payout, caller)
      return { to: path, said: 'stopped' }
    },
  }),
  remove: screenAction({
    recent: true,
    schema: z.object({ wallet: z.uuid() }),
    async run({ caller, path }: ScreenVisit, { wallet }) {
      await deps.wallets.unlink(wallet, caller, true)
      return { to: path, said: 'removed' }
    },
  }),
})

/** The screen with the wallets that an account is paid to, and with what becomes of card money. */
export const payoutsScreen = (deps: PayoutsScreen): Screen => ({
  name: 'accountPayouts',
  path: PAYOUTS_PATH,
  section: 'account',
  nav: { position: 55 },
  title: (page) => payoutsScreenMessages(page)('title'),
  said(outcome, page) {
    const key = OUTCOMES.find((each) => each === outcome)
    return key && payoutsScreenMessages(page)(key)
  },
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && payoutsScreenMessages(page)(key)
  },
  wrong(input, page) {
    const say = payoutsScreenMessages(page)
    return input === 'address'
      ? say('wrongAddress')
      : input === 'signature'
        ? say('noSignature')
        : input === 'message'
          ? say('noMessage')
          : undefined
  },
  inputsOf: ({ code }) => (code === 'invalid_wallet_signature' ? ['signature'] : []),
  post: actionsOf(deps),
  get: (visit) => shown(visit, deps),
})
