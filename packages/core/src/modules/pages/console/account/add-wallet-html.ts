import type { ScreenVisit } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import { areaHtml, lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { evmNetwork, v1NetworkOf } from '../../../../kernel/network.ts'
import { payoutsScreenMessages } from '../messages.ts'

/** The id of the form that adds a wallet, which the script fills in. */
const FORM = 'add-wallet'
/** What a wallet signs, in ASCII as EIP-4361 wants it. */
const STATEMENT = 'Link this wallet to my account.'
const TEXTS = ['sign', 'noWallet', 'rejected', 'busy', 'later', 'failed'] as const

/** A wallet that is being added. */
export interface AddedWallet {
  readonly address: string
  readonly chainId: number
  readonly message: string
}

/** Returns the name of a network of a chain: a name as `Base Sepolia`, else its CAIP-2 name. Names are the same in every language. */
export function networkName(chainId: number): string {
  if (chainId === 1) return 'Ethereum'
  const network = evmNetwork(chainId)
  const words = v1NetworkOf(network)?.split('-') ?? []
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || network
}

/** Returns the message that a wallet must sign (EIP-4361). */
export const messageToSign = (message: {
  readonly domain: string
  readonly uri: string
  readonly nonce: string
  readonly address: string
  readonly chainId: number
  readonly at: Date
}): string =>
  [
    `${message.domain} wants you to sign in with your Ethereum account:`,
    message.address,
    '',
    STATEMENT,
    '',
    `URI: ${message.uri}`,
    'Version: 1',
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.at.toISOString()}`,
  ].join('\n')

function messageForm(visited: ScreenVisit, chainIds: readonly number[], prepared: AddedWallet | undefined) {
  const actions = ['message']
  const visit = ofForm(visited, actions)
  const say = payoutsScreenMessages(visit.site)
  return screenForm(
    visit,
    { actions },
    html`<div class="pair">${lineHtml({
      name: 'address',
      label: say('address'),
      value: prepared?.address ?? shownText(visit, 'address', ''),
      maxLength: 64,
      isRequired: true,
      isExact: true,
      placeholder: '0x…',
      problem: wrongWith(visit, 'address'),
    })}${selectHtml({
      name: 'chain',
      label: say('network'),
      choices: chainIds.map((chainId, index) => ({
        value: String(chainId),
        label: networkName(chainId),
        isChosen: prepared ? prepared.chainId === chainId : isChosen(visit, 'chain', String(chainId), index === 0),
      })),
    })}</div><p>${actionButton(visit, 'message', say('showMessage'), 'second')}</p>`,
  )
}

function linkForm(visited: ScreenVisit, prepared: AddedWallet | undefined) {
  const actions = ['link']
  const visit = ofForm(visited, actions)
  const say = payoutsScreenMessages(visit.site)
  return screenForm(
    visit,
    { actions, id: FORM },
    html`${areaHtml({
      name: 'message',
      label: say('message'),
      hint: say('messageHint'),
      rows: 10,
      value: prepared?.message ?? shownText(visit, 'message', ''),
      maxLength: 4_096,
      isRequired: true,
      isCode: true,
      problem: wrongWith(visit, 'message'),
    })}${lineHtml({
      name: 'signature',
      label: say('signature'),
      value: prepared ? '' : shownText(visit, 'signature', ''),
      isRequired: true,
      isExact: true,
      placeholder: '0x…',
      problem: wrongWith(visit, 'signature'),
    })}<p>${actionButton(visit, 'link', say('add'))}</p>`,
  )
}

/** Writes the forms that add a wallet: with a wallet of the browser, or by a message that was signed elsewhere. */
export function addWalletHtml(
  visit: ScreenVisit,
  chainIds: readonly number[],
  prepared: AddedWallet | undefined,
): Html {
  const { site } = visit
  const say = payoutsScreenMessages(site)
  const proof = {
    texts: { ...Object.fromEntries(TEXTS.map((key) => [key, say(key)])), choose: say('pick') },
    url: hrefOn(site, '/auth/siwe'),
    form: FORM,
    statement: STATEMENT,
    chains: chainIds,
  }
  return html`<h2>${say('addTitle')}</h2><p>${say('addLead')}</p>
<p><button type="button" hidden data-wallet-proof>${say('withWallet')}</button></p>
<p class="notice" role="status" data-wallet-status hidden></p>
<div class="acts" data-wallet-choice></div>
<details${(prepared || visit.entered) && html` open`}><summary>${say('byHand')}</summary><p class="soft">${say('byHandLead')}</p>${messageForm(visit, chainIds, prepared)}${linkForm(visit, prepared)}</details>
${dataScript('wallet-proof', proof)}\n`
}
