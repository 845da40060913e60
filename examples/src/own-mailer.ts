import type { Mailer } from '@eep/core/ports'

/** Sends email through the HTTP API of a provider. */
export function apiMailer({ url, key, from }: { url: string; key: string; from: string }): Mailer {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const check = ({ ok, status }: Response) => {
    if (!ok) throw new Error(`The email service answered ${status}`)
  }
  return {
    async send({ to, subject, text, html }) {
      const body = JSON.stringify({ from, to, subject, text, html })
      check(await fetch(`${url}/emails`, { method: 'POST', headers, body, signal: AbortSignal.timeout(15_000) }))
    },
    async ping() {
      check(await fetch(`${url}/status`, { headers, signal: AbortSignal.timeout(2_000) }))
    },
  }
}
