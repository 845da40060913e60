import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { INVITATION_SCRIPT, SIGN_IN, TRANSFERS_SCRIPT } from './team-pages.ts'

/** A page that emails link to: a form and a script that sends data only to this service. */
interface MailPage {
  readonly path: string
  readonly title: string
  readonly field: string
  readonly button: string
  readonly script: string
}

// Nothing happens before the button is pressed, because email scanners follow links.
const tokenScript = (action: string) => `
const form = document.querySelector('form')
const said = document.querySelector('p')
const token = new URL(location).searchParams.get('token')
history.replaceState(null, '', location.pathname)
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('${action}', { method: 'POST', headers, body }).then((response) => response.json())
  said.textContent = answer.message ?? answer.error.message
})`

/** The page for recipients of an offered profile; `/transfers` itself is a route of the service. */
export const TRANSFERS_PAGE = '/transfers/answer'

const PAGES: readonly MailPage[] = [
  {
    path: '/verify',
    title: 'Confirm your email address',
    field: '',
    button: 'Confirm',
    script: tokenScript('auth/verify'),
  },
  {
    path: '/reset-password',
    title: 'Choose a new password',
    field: '<label>New password <input name="password" type="password" autocomplete="new-password" required></label>',
    button: 'Save',
    script: tokenScript('auth/reset-password'),
  },
  { path: '/team/invite', title: 'Join a team', field: SIGN_IN, button: 'Join', script: INVITATION_SCRIPT },
  {
    path: TRANSFERS_PAGE,
    title: 'Profile transfers',
    field: SIGN_IN,
    button: 'Show them',
    script: TRANSFERS_SCRIPT,
  },
]

const pageOf = ({ title, field, button, script }: MailPage) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<h1>${title}</h1>
<form>${field} <button>${button}</button></form>
<p role="status"></p>
<script>${script}</script>
</html>
`

const headersOf = ({ script }: MailPage) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

/** The pages that emails link to. A host with a frontend sets `frontendUrls` instead. */
export function addMailPages(app: FastifyInstance): void {
  for (const page of PAGES) {
    const [html, headers] = [pageOf(page), headersOf(page)]
    // Their URLs contain a token, so requests for them are not logged.
    app.get(page.path, { logLevel: 'silent' }, async (_request, reply) => reply.headers(headers).send(html))
  }
}
