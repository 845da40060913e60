import type { ServerResponse } from 'node:http'
import type { Books } from './fake-books.ts'
import type { FakeSession } from './fake-records.ts'
import { isStripeFault } from './stripe-error.ts'

const PATH = /^\/c\/pay\/(\w+)$/

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const pageOf = ({ id, status, amount_total: amount, currency, cancel_url: cancel }: FakeSession) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Checkout</title>
<h1>${(amount / 100).toFixed(2)} ${currency.toUpperCase()}</h1>
${
  status === 'open'
    ? `<form method="post" action="/c/pay/${id}"><label>Email <input name="email" type="email"></label><button>Pay</button></form>`
    : `<p>This page is ${status}.</p>`
}
${cancel === null ? '' : `<p><a href="${escaped(cancel)}">Cancel</a></p>`}
</html>`

/** A request of the browser of a customer. */
export interface PageRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/**
 * Serves the checkout pages of payments, on which a customer pays without entering a card. Returns false for other requests.
 */
export function servePage(books: Books, { method, path, body }: PageRequest, response: ServerResponse): boolean {
  const id = PATH.exec(path)?.[1]
  if (id === undefined) return false
  try {
    if (method === 'POST') {
      const paid = books.completeSession(id, new URLSearchParams(body).get('email') || undefined)
      response.writeHead(303, { location: paid.success_url.replace('{CHECKOUT_SESSION_ID}', id) }).end()
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(books.getSession(id)))
    }
  } catch (error) {
    if (!isStripeFault(error)) throw error
    response.writeHead(error.status, { 'content-type': 'text/plain' }).end(error.error.message)
  }
  return true
}
