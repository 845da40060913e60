import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** A page that a mail leads to: a form whose script sends the token of the address, and no other site learns it. */
interface MailPage {
  readonly path: string
  readonly title: string
  readonly field: string
  readonly button: string
  /** Where the script sends what it has. */
  readonly action: string
}

const PAGES: readonly MailPage[] = [
  { path: '/verify', title: 'Confirm your mail address', field: '', button: 'Confirm', action: 'auth/verify' },
  {
    path: '/reset-password',
    title: 'Choose a new password',
    field: '<label>New password <input name="password" type="password" autocomplete="new-password" required></label>',
    button: 'Save',
    action: 'auth/reset-password',
  },
]

// Nothing happens before the button is pressed: programs that look at mails follow links.
const SCRIPT = `
const form = document.querySelector('form')
const said = document.querySelector('p')
const token = new URL(location).searchParams.get('token')
history.replaceState(null, '', location.pathname)
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(form.dataset.action, { method: 'POST', headers, body }).then((response) => response.json())
  said.textContent = answer.message ?? answer.error.message
})`

const pageOf = ({ title, field, button, action }: MailPage) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<h1>${title}</h1>
<form data-action="${action}">${field} <button>${button}</button></form>
<p role="status"></p>
<script>${SCRIPT}</script>
</html>
`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** The pages that the links in mails lead to. A host with a frontend has its own and names them in `links`. */
export function addMailPages(app: FastifyInstance): void {
  for (const page of PAGES) {
    const html = pageOf(page)
    // Their addresses carry a token, so requests for them are not logged.
    app.get(page.path, { logLevel: 'silent' }, async (_request, reply) => reply.headers(HEADERS).send(html))
  }
}
