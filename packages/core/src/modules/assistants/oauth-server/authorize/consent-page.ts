import { formIdHtml } from '../../../../http/html/account-forms.ts'
import { formView, hiddenHtml, titled } from '../../../../http/html/form-view.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { selectHtml } from '../../../../http/html/inputs.ts'
import { type HtmlView, hrefOn, type Site } from '../../../../http/html/view.ts'
import {
  type OfferedProofs,
  passkeyProofHtml,
  proofInputsHtml,
  providerProofHtml,
} from '../../../pages/account-pages/index.ts'
import { consentMessages } from '../messages.ts'
import { ALL_PROFILES } from '../profile-choice.ts'
import { type DescribedScope, scopeInputsHtml } from '../scope-inputs-html.ts'
import { type LimitsInput, limitInputsHtml } from '../spending-html.ts'
import type { EnteredChoice } from './choice.ts'
import { CONSENT_STYLE } from './consent-style.ts'

/** How far a person can know which app it is. */
export type AppTrust = 'configured' | 'checked' | 'claimed' | 'unverified'

/** Where the answer goes. */
export type AnswerTarget =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'computer' }
  | { readonly kind: 'scheme'; readonly scheme: string }
  | { readonly kind: 'device'; readonly started: string }

/** The proof of the person that the page asks for. */
export interface AskedProof {
  readonly offered: OfferedProofs
  /** The address of this page. */
  readonly here: string
  /** The providers of accounts that can prove nothing here. */
  readonly providers: readonly string[]
}

export interface ConsentPage {
  /** Where the form is sent. */
  readonly path: string
  /** The sealed request. */
  readonly request: string
  /** The name is a claim of the app, unless the operator configured it. It may be empty. */
  readonly app: { readonly name: string; readonly host: string | undefined }
  readonly trust: AppTrust
  readonly answer: AnswerTarget
  readonly account: string
  readonly profiles: readonly { readonly id: number; readonly name: string }[]
  readonly scopes: readonly DescribedScope[]
  readonly maySpend: boolean
  readonly limits: LimitsInput
  readonly idleDays: number
  readonly maxDays: number
  /** Undefined when the person proved lately to own the account. */
  readonly proof: AskedProof | undefined
  /** The origins and schemes that the form may lead to. */
  readonly formTargets: readonly string[]
  /** Whether the form has an id with which it is sent once. Default: false. */
  readonly hasFormId?: boolean | undefined
  readonly entered?: EnteredChoice | undefined
  readonly problem?: string | undefined
}

/** The identity of the app, as far as it is known, and where the answer goes. */
function whoHtml(site: Site, { app, trust, answer }: ConsentPage): Html {
  const say = consentMessages(site)
  const { host = '' } = app
  const known = {
    configured: say('configured', { service: site.name }),
    checked: say('checked', { host }),
    claimed: say('claims', { app: app.name, host }),
    unverified: say('unverifiedHint'),
  }[trust]
  const isLocal = answer.kind === 'computer' || answer.kind === 'scheme' || answer.kind === 'device'
  const goes = {
    host: () => answer.kind === 'host' && say('toHost', { host: answer.host }),
    computer: () => say('toComputer'),
    scheme: () => answer.kind === 'scheme' && say('toScheme', { scheme: answer.scheme }),
    device: () => say('toDevice'),
  }[answer.kind]()
  return html`<section class="card who"><h2><bdi>${app.name || say('unnamed')}</bdi>${trust === 'unverified' && html` <span class="tag">${say('unverified')}</span>`}</h2>
<p>${known}${isLocal && trust === 'claimed' && html` ${say('anyProgram')}`}</p>
<p>${goes}</p>${answer.kind === 'device' && html`<p>${answer.started}</p>`}</section>\n`
}

function profileHtml(site: Site, { profiles, entered }: ConsentPage): Html {
  const say = consentMessages(site)
  const chosen = entered?.profile ?? String(profiles[0]?.id ?? ALL_PROFILES)
  return selectHtml({
    name: 'profile',
    label: say('profile'),
    problem: entered?.wrong.profile,
    choices: [
      ...profiles.map(({ id, name }) => ({
        value: String(id),
        label: name,
        language: 'und',
        isChosen: chosen === String(id),
      })),
      { value: ALL_PROFILES, label: say('allProfiles'), isChosen: chosen === ALL_PROFILES },
    ],
  })
}

function proofHtml(site: Site, { offered, here, providers }: AskedProof): Html {
  const say = consentMessages(site)
  const hasField = offered.password || offered.code
  return html`<fieldset class="card"><legend>${say('proof')}</legend>${
    hasField
      ? html`<p class="soft">${say('proofHint')}</p>${proofInputsHtml(site, offered, { isRequired: false })}`
      : !offered.passkey && providerProofHtml(site, providers, here)
  }</fieldset>\n`
}

/** The page on which a person connects an app. It is whole without a script, and its script submits nothing. */
export function consentView(site: Site, page: ConsentPage): HtmlView {
  const say = consentMessages(site)
  const { app, scopes, maySpend, limits, proof, entered, idleDays, maxDays } = page
  const days = (count: number) => say('days', { count })
  const hasField = proof && (proof.offered.password || proof.offered.code || !proof.offered.passkey)
  const isSpending = maySpend && scopes.some(({ group }) => group === 'spend')
  const title = app.name === '' ? say('unnamed') : say('title', { app: app.name })
  return {
    ...formView({
      ...titled(site, title),
      problem: page.problem,
      body: html`<p class="lead">${say('asks', { app: app.name || '?', account: page.account })} <a href="${hrefOn(site, '/logout')}">${say('notYou')}</a></p>
${whoHtml(site, page)}<form id="consent" method="post" action="${hrefOn(site, page.path)}">${hiddenHtml('request', page.request)}${page.hasFormId && formIdHtml()}
${profileHtml(site, page)}${scopeInputsHtml(site, {
  scopes,
  cannotSpend: !maySpend,
  isChosen: ({ name, group }) => (entered ? entered.scopes.includes(name) : group !== 'spend'),
})}${isSpending && limitInputsHtml(site, limits, entered)}<p class="soft">${say('duration', { idle: days(idleDays), whole: days(maxDays) })}</p>
${proof && hasField && proofHtml(site, proof)}<p class="acts"><button type="submit" name="decision" value="allow">${say('allow')}</button><button type="submit" class="second" name="decision" value="deny" formnovalidate>${say('deny')}</button></p></form>
${proof?.offered.passkey && passkeyProofHtml(site, proof.here)}`,
    }),
    styles: [CONSENT_STYLE],
    hasScript: proof?.offered.passkey === true,
    formTargets: page.formTargets,
  }
}
