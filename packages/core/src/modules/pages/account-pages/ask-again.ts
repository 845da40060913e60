import type { AskAgain, ProvedForm } from '../../../http/html/account-forms.ts'
import { formView, hiddenHtml, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { type PageAnswer, sendPage } from '../../../http/html/html-forms.ts'
import { signInPath } from '../../../http/html/sign-in-path.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { isSecretInput } from '../../../http/idempotency/send-once.ts'
import { askAgainMessages } from './messages.ts'
import { passkeyStatusHtml } from './passkey-html.ts'
import { createPersonProof, type OfferedProofs, type PersonProofDeps, proofInputsHtml } from './person-proof.ts'
import { refusedForm } from './read-form.ts'

const FORM = 'kept'

interface AskedPage {
  readonly proofs: OfferedProofs
  readonly form: ProvedForm
  /** The query with which the form is sent. */
  readonly query: string
  readonly signIn: string | undefined
  readonly problem?: string | undefined
}

/** The page that asks for a proof of the person. It holds the form in hidden inputs, and sends it together with the proof. */
function askedAgainView(site: Site, { proofs, form, query, signIn, problem }: AskedPage): HtmlView {
  const say = askAgainMessages(site)
  const hasField = proofs.password || proofs.code
  const kept = Object.entries(form.texts).filter(([name]) => !isSecretInput(name))
  const signInHtml =
    !hasField &&
    !proofs.passkey &&
    html`<p>${say('signInLead')}</p>
${signIn && html`<p><a class="btn" href="${hrefOn(site, signIn)}" target="_blank">${say('signIn')}</a></p>\n`}`
  return {
    ...formView({
      ...titled(site, say('title')),
      problem,
      lead: say('lead'),
      body: html`${signInHtml}<form id="${FORM}" method="post" action="${hrefOn(site, form.path + query)}">${kept.map(([name, value]) => [value].flat().map((each) => hiddenHtml(name, each)))}
${proofInputsHtml(site, proofs)}<p><button type="submit">${say('continue')}</button></p></form>
${proofs.passkey && html`<form data-passkey="prove" data-sends="${FORM}" hidden><p><button class="second" type="submit">${say('byPasskey')}</button></p></form>\n${passkeyStatusHtml(site)}`}`,
    }),
    hasScript: proofs.passkey,
  }
}

const queryOf = ({ url }: { readonly url: string }): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/**
 * Creates the page that asks a person for a proof before a form is processed: the password, a code or a passkey. Accounts that only have
 * providers sign in there again. Forms with a proof count in the rate group `auth`.
 */
export function createAskAgain(deps: PersonProofDeps): AskAgain {
  const person = createPersonProof(deps)
  return async (request, reply, form) => {
    const { caller } = form
    const { site } = request.eep
    const ask = async (answer: PageAnswer, problem?: string) => {
      const signIn = signInPath(request, form.path)
      const page = { proofs: await person.offered(caller), form, query: queryOf(request), signIn, problem }
      await sendPage(request, reply, askedAgainView(site, page), answer)
      return undefined
    }
    if (person.isRecent(caller)) return caller
    let proved: typeof caller | undefined
    try {
      proved = await person.prove(request, reply, form)
    } catch (error) {
      const { problem, answer } = refusedForm(site, error)
      return ask(answer, problem)
    }
    return proved ?? ask({ status: 403 })
  }
}
