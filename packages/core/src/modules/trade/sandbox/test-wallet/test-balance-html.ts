import { html } from '../../../../http/html/html.ts'
import { listedAction, type PageAction } from '../../../../http/html/page-actions.ts'
import { moneyText } from '../../../../model/money-text.ts'
import { SANDBOX_BALANCE, SANDBOX_NETWORK } from '../../../../ports/money-kind.ts'
import type { Readers } from '../../../../ports/storage/storage.ts'
import { deskMessages } from '../messages.ts'
import { decimalOfTestUsdc } from './test-usdc.ts'

export interface TestBalanceDeps {
  readonly read: Pick<Readers<'sandbox'>, 'sandboxWallets'>
  /** Returns the payout addresses of an account by their networks. Default: no account has one. */
  readonly payoutsOf:
    | ((accountId: string) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined
}

/** The test balance on the page of an account that has no payout, once something was paid to it. */
export const testBalance = ({ read, payoutsOf }: TestBalanceDeps): PageAction => {
  const action: PageAction<'account', bigint> = {
    key: 'test-balance',
    on: 'account',
    async load(_subjects, { account }) {
      const [payouts, wallet] = await Promise.all([payoutsOf?.(account.id), read.sandboxWallets.get(SANDBOX_BALANCE)])
      return wallet === undefined || payouts?.[SANDBOX_NETWORK] !== undefined
        ? new Map()
        : new Map([[0, wallet.atomic]])
    },
    html({ state, site }) {
      if (state === undefined) return undefined
      const amount = moneyText(site, decimalOfTestUsdc(state), 'USDC')
      return html`<p>${deskMessages(site)('testBalance', { amount })}</p>`
    },
  }
  return listedAction(action)
}
