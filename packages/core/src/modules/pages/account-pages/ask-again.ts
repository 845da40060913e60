import type { AskAgain, ProvedForm } from '../../../http/html/account-forms.ts'
import { fieldHtml, formView, hiddenHtml, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { type PageAnswer, requireWithinLimit, sendPage } from '../../../http/html/html-forms.ts'
import { signInPath } from '../../../http/html/sign-in-path.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { isSecretInput, PROOF } from '../../../http/idempotency/send-once.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isProvedRecently } from '../../../model/recent-proof.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import type { PasskeyService } from '../../people/passkeys/index.ts'
import { askAgainMessages, secondFactorMessages } from './messages.ts'
import { passkeyStatusHtml } from './passkey-html.ts'
import { refusedForm } from './read-form.ts'
import { currentPasswordHtml } from './sign-in.pages.ts'

const PASSWORD = `${PROOF}password`
const CODE = `${PROOF}code`
const FORM = 'kept'
const MAX_CODE = 64

export interface AskAgainDeps {
  readonly accounts: Pick<AccountService, 'proveBy' | 'proofsOf'>
  /** Undefined while accounts cannot use passkeys on pages of this service. */
  readonly passkeys: Pick<PasskeyService, 'list'> | undefined
  readonly clock: Clock
}

interface AskedPage {
  readonly proofs: { readonly password: boolean; readonly code: boolean; readonly passkey: boolean }
  readonly form: ProvedForm
  /** The query with which the form is sent. */
  readonly query: string
  readonly signIn: string | undefined
  readonly problem?: string | undefined
}

/** The page that asks for a proof of the person. It holds the form in hidden inputs, and sends it together with the proof. */
function askedAgainView(site: Site, { proofs, form, query, signIn, problem }: AskedPage): HtmlView {
  const say = askAgainMessages(site)
  const sayCode = secondFactorMessages(site)
  const hasField = proofs.password || proofs.code
  const kept = Object.entries(form.texts).filter(([name]) => !isSecretInput(name))
  const signInHtml =
    !hasField &&
    !proofs.passkey &&
    html`<p>${say('signInLead')}</p>
${signIn && html`<p><a class="btn" href="${hrefOn(site, signIn)}" target="_blank">${say('signIn')}</a></p>\n`}`
  const codeHtml =
    proofs.code &&
    fieldHtml({
      name: CODE,
      label: proofs.password ? say('or') : sayCode('code'),
      autocomplete: 'one-time-code',
      maxLength: MAX_CODE,
      hint: sayCode('codeHint'),
      isExact: true,
      isRequired: !proofs.password,
    })
  return {
    ...formView({
      ...titled(site, say('title')),
      problem,
      lead: say('lead'),
      body: html`${signInHtml}<form id="${FORM}" method="post" action="${hrefOn(site, form.path + query)}">${kept.map(([name, value]) => [value].flat().map((each) => hiddenHtml(name, each)))}
${proofs.password && currentPasswordHtml(site, { name: PASSWORD, isRequired: !proofs.code })}${codeHtml}<p><button type="submit">${say('continue')}</button></p></form>
${proofs.passkey && html`<form data-passkey="prove" data-sends="${FORM}" hidden><p><button class="second" type="submit">${say('byPasskey')}</button></p></form>\n${passkeyStatusHtml(site)}`}`,
    }),
    hasScript: proofs.passkey,
  }
}

const textIn = ({ texts }: ProvedForm, name: string): string | undefined => {
  const value = Object.hasOwn(texts, name) ? texts[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

const queryOf = ({ url }: { readonly url: string }): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/**
 * Creates the page that asks a person for a proof before a form is processed: the password, a code or a passkey. Accounts that only have
 * providers sign in there again. Forms with a proof count in the rate group `auth`.
 */
export function createAskAgain({ accounts, passkeys, clock }: AskAgainDeps): AskAgain {
  return async (request, reply, form) => {
    const { caller } = form
    const { site } = request.eep
    const ask = async (answer: PageAnswer, problem?: string) => {
      const { password, code } = await accounts.proofsOf(caller)
      const passkey = ((await passkeys?.list(caller)) ?? []).length > 0
      const signIn = signInPath(request, form.path)
      const page = { proofs: { password, code, passkey }, form, query: queryOf(request), signIn, problem }
      await sendPage(request, reply, askedAgainView(site, page), answer)
      return undefined
    }
    if (isProvedRecently(caller, clock())) return caller
    const code = textIn(form, CODE)?.slice(0, MAX_CODE)
    const password = code === undefined ? textIn(form, PASSWORD) : undefined
    const hasProof = code !== undefined || password !== undefined
    try {
      if (hasProof) await request.eep.countIn?.(reply, 'auth')
      requireWithinLimit(request)
      if (hasProof) await accounts.proveBy(caller, { code, password, from: clientOf(request) })
    } catch (error) {
      const { problem, answer } = refusedForm(site, error)
      return ask(answer, problem)
    }
    return hasProof ? { ...caller, provedAt: clock() } : ask({ status: 403 })
  }
}
