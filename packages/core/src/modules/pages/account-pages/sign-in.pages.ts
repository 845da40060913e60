import { type Field, fieldHtml, formView, hiddenHtml, type PageState, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { withNext } from '../../../http/html/sign-in-path.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { nextOf } from '../../../http/html/visits.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import { providerLabel } from '../../people/oauth/index.ts'
import { signInMessages } from './messages.ts'
import { passkeySignInHtml } from './passkey-html.ts'

const MAX_EMAIL = 254
const MAX_PASSWORD = 1_024
const MAX_NAME = 128
const MAX_USERNAME = 64
/** The shortest password that an account can have. */
const MIN_PASSWORD = 8

/** Problems of a form by the name of their field, and the values that were entered. */
export interface FormState extends PageState {
  readonly values?: Readonly<Record<string, string>> | undefined
  readonly wrong?: Readonly<Record<string, string>> | undefined
}

/** Returns what pages say about signing in. */
export const signInPageTexts = (site: Site) => {
  const say = signInMessages(site)
  return { say, titled: (title: string) => titled(site, title) }
}

const stateOf = ({ values = {}, wrong = {} }: FormState, name: string): Pick<Field, 'value' | 'problem'> => ({
  value: values[name],
  problem: wrong[name],
})

const emailField = (site: Site, state: FormState): Field => ({
  name: 'email',
  label: signInMessages(site)('email'),
  type: 'email',
  autocomplete: 'email',
  maxLength: MAX_EMAIL,
  ...stateOf(state, 'email'),
})

const newPasswordField = (site: Site, label: string, { wrong = {} }: FormState): Field => ({
  name: 'password',
  label,
  type: 'password',
  autocomplete: 'new-password',
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  hint: signInMessages(site)('passwordRule'),
  problem: wrong.password,
})

/** The input for the password that an account has. */
export const currentPasswordHtml = (
  site: Site,
  { name = 'password', ...field }: Partial<Pick<Field, 'name' | 'problem' | 'isRequired'>> = {},
): Html =>
  fieldHtml({
    name,
    label: signInMessages(site)('password'),
    type: 'password',
    autocomplete: 'current-password',
    maxLength: MAX_PASSWORD,
    ...field,
  })

/** The buttons to sign in with providers, which lead back to `next`. */
function providerButtons(site: Site, providers: readonly string[], next: string | undefined) {
  const say = signInMessages(site)
  if (providers.length === 0) return undefined
  return html`<h2>${say('otherWays')}</h2>
<p class="acts">${providers.map((name) => html`<a class="btn second" href="${hrefOn(site, withNext(`/auth/oauth/${name}`, next))}">${say('signInWith', { provider: providerLabel(name) })}</a>\n`)}</p>`
}

export interface EntryPage extends FormState {
  /** The names of the configured providers. */
  readonly providers: readonly string[]
  readonly next: string | undefined
}

export interface LoginPage extends EntryPage {
  /** Whether the page offers to sign in with a passkey. */
  readonly hasPasskeys: boolean
}

/** The page to sign in. */
export function loginView(site: Site, page: LoginPage): HtmlView {
  const { say, titled } = signInPageTexts(site)
  const { next, providers, hasPasskeys, problem, notice, wrong = {} } = page
  const view = formView({
    ...titled(say('signIn')),
    problem,
    notice,
    body: html`<form method="post" action="${hrefOn(site, '/login')}">
${fieldHtml({ ...emailField(site, page), type: 'text', autocomplete: 'username webauthn', isExact: true })}${currentPasswordHtml(site, { problem: wrong.password })}${hiddenHtml('next', next)}<p class="acts"><button type="submit">${say('signIn')}</button><a href="${hrefOn(site, '/forgot-password')}">${say('forgot')}</a></p>
</form>
<p>${say('noAccount')} <a href="${hrefOn(site, withNext('/register', next))}">${say('register')}</a></p>
${hasPasskeys && passkeySignInHtml(site, nextOf(next))}
${providerButtons(site, providers, next)}`,
  })
  // After signing out, the script forgets texts that were kept on this device.
  return { ...view, hasScript: hasPasskeys || notice !== undefined }
}

/** The page to create an account. */
export function registerView(site: Site, page: EntryPage): HtmlView {
  const { say, titled } = signInPageTexts(site)
  const { next, providers, problem } = page
  const name = { name: 'full_name', label: say('name'), autocomplete: 'name', isRequired: false, maxLength: MAX_NAME }
  const username = { name: 'username', label: say('username'), autocomplete: 'nickname', hint: say('usernameRule') }
  return formView({
    ...titled(say('register')),
    problem,
    body: html`<form method="post" action="${hrefOn(site, '/register')}">
${fieldHtml({ ...emailField(site, page), autocomplete: 'username' })}${fieldHtml({ ...username, isExact: true, maxLength: MAX_USERNAME, ...stateOf(page, 'username') })}${fieldHtml({ ...name, ...stateOf(page, 'full_name') })}${fieldHtml(newPasswordField(site, say('password'), page))}${hiddenHtml('next', next)}<p><button type="submit">${say('register')}</button></p>
</form>
<p>${say('haveAccount')} <a href="${hrefOn(site, withNext('/login', next))}">${say('signIn')}</a></p>
${providerButtons(site, providers, next)}`,
  })
}

/** The page to sign out. */
export function logoutView(site: Site, isSignedIn: boolean): HtmlView {
  const { say, titled } = signInPageTexts(site)
  return formView({
    ...titled(say('signOut')),
    lead: isSignedIn ? say('signOutLead') : say('notSignedIn'),
    body: isSignedIn
      ? html`<form method="post" action="${hrefOn(site, '/logout')}"><button type="submit">${say('signOut')}</button></form>`
      : html`<p><a class="btn" href="${hrefOn(site, '/login')}">${say('signIn')}</a></p>`,
  })
}

/** The page to request a link by which a new password is chosen. */
export function forgotView(site: Site, page: FormState): HtmlView {
  const { say, titled } = signInPageTexts(site)
  return formView({
    ...titled(say('forgotTitle')),
    ...page,
    lead: say('forgotLead'),
    body: html`<form method="post" action="${hrefOn(site, '/forgot-password')}">
${fieldHtml({ ...emailField(site, page), autocomplete: 'username' })}<p><button type="submit">${say('sendLink')}</button></p>
</form>`,
  })
}

export interface ResetPage extends FormState {
  /** Whether the page offers to delete the passkeys and linked sign-in providers of the account. */
  readonly hasOtherSignIns: boolean
  /** Whether the visitor chose to delete them. */
  readonly removesOthers?: boolean | undefined
}

/** The page to choose a new password. Without a token it leads to the page that sends another link. */
export function resetView(
  site: Site,
  token: string | undefined,
  { hasOtherSignIns, removesOthers, ...page }: ResetPage,
): HtmlView {
  const { say, titled } = signInPageTexts(site)
  return formView({
    ...titled(say('resetTitle')),
    ...page,
    lead: token === undefined ? undefined : say('resetLead'),
    body:
      token === undefined
        ? html`<p><a class="btn" href="${hrefOn(site, '/forgot-password')}">${say('forgotTitle')}</a></p>`
        : html`<form method="post" action="${hrefOn(site, '/reset-password')}">
${hiddenHtml('token', token)}${fieldHtml(newPasswordField(site, say('newPassword'), page))}${hasOtherSignIns && html`<p><label><input type="checkbox" name="remove_other_sign_ins" value="yes"${removesOthers && html` checked`}> ${say('removeOtherSignIns')}</label></p>\n`}<p><button type="submit">${say('changePassword')}</button></p>
</form>`,
  })
}

export interface VerifyPage extends FormState {
  readonly token: string | undefined
  /** The account that the visitor is signed in to. */
  readonly visitor: Pick<Account, 'username'> | undefined
  /** Whether the link was sent to that account. Any other visitor needs its password, or takes it over. */
  readonly isOwn?: boolean
}

/** The two ways of a visitor who is not signed in to the account: its password, or that another person created it. */
function verifyWaysHtml(site: Site, token: string, { visitor, wrong = {} }: Pick<VerifyPage, 'visitor' | 'wrong'>) {
  const { say } = signInPageTexts(site)
  const action = hrefOn(site, '/verify')
  const signIn = withNext('/login', `/verify?token=${encodeURIComponent(token)}`)
  const way = visitor
    ? html`<a class="btn second" href="${hrefOn(site, '/logout')}">${say('signOut')}</a>`
    : html`<a class="btn second" href="${hrefOn(site, signIn)}">${say('signIn')}</a>`
  return html`${visitor && html`<p>${say('verifyOther', { username: visitor.username })}</p>\n`}<p>${say('verifyByPassword')}</p>
<form method="post" action="${action}">${hiddenHtml('token', token)}${currentPasswordHtml(site, { problem: wrong.password })}<p class="acts"><button type="submit">${say('verify')}</button>${way}</p></form>
<h2>${say('notMine')}</h2>
<p>${say('notMineLead')}</p>
<form method="post" action="${action}">${hiddenHtml('token', token)}${hiddenHtml('take_over', 'yes')}<p><button class="second" type="submit">${say('notMine')}</button></p></form>`
}

/** The page to verify an email address. Its button does it, because email security scanners open links. */
export function verifyView(site: Site, { token, visitor, isOwn = false, ...state }: VerifyPage): HtmlView {
  const { say, titled } = signInPageTexts(site)
  if (token === undefined) {
    const link = visitor || !site.has?.('/login') ? '/dashboard' : '/login'
    return formView({
      ...titled(say('verifyTitle')),
      ...state,
      body: html`<p><a class="btn" href="${hrefOn(site, link)}">${say(link === '/login' ? 'signIn' : 'toDashboard')}</a></p>`,
    })
  }
  // Users of a host sign in at the host, and their accounts are not taken over here.
  const isSimple = isOwn || !site.has?.('/login')
  return formView({
    ...titled(say('verifyTitle')),
    ...state,
    lead: say('verifyLead'),
    body: isSimple
      ? html`<form method="post" action="${hrefOn(site, '/verify')}">${hiddenHtml('token', token)}<p><button type="submit">${say('verify')}</button></p></form>`
      : verifyWaysHtml(site, token, { visitor, wrong: state.wrong }),
  })
}
