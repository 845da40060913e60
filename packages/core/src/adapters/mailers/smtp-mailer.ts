import { assertInstalled } from '../../kernel/assert-installed.ts'
import type { Mailer } from '../../ports/mailer.ts'
import { messageOf } from '../mime.ts'

/** Options of {@link smtpMailer}. */
export interface SmtpMailerOptions {
  /** `smtp://user:password@host:587`, upgraded by STARTTLS where the server offers it, or `smtps://…` for implicit TLS. */
  readonly url: string
  /** The sender: `Profiles <no-reply@example.com>`. */
  readonly from: string
}

const CONNECTIONS = 3
const TIMEOUT_MS = 15_000
/**
 * After a successful delivery or login, the server is not checked again within this time, because some servers limit
 * logins.
 */
const TRUSTED_MS = 60_000

/**
 * Sends email by SMTP over a few persistent connections.
 *
 * @throws TypeError when the URL is not an SMTP URL; Error when `nodemailer` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/accounts.md
 * @example
 * const mailer = smtpMailer({ url: 'smtps://user:password@mail.example.com', from: 'Profiles <no-reply@example.com>' })
 * await app.register(eep, { ...options, email: { mailer } })
 */
export function smtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol)) {
    throw new TypeError('smtpMailer requires a URL that begins with smtp:// or smtps://')
  }
  assertInstalled('nodemailer')
  const connect = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    })
  }
  let connected: ReturnType<typeof connect> | undefined
  let answeredAt = Number.NEGATIVE_INFINITY

  return {
    async send(mail) {
      connected ??= connect()
      await (await connected).sendMail(messageOf(mail, from))
      answeredAt = performance.now()
    },
    async ping() {
      if (performance.now() - answeredAt < TRUSTED_MS) return
      connected ??= connect()
      await (await connected).verify()
      answeredAt = performance.now()
    },
    async close() {
      const transport = await connected
      transport?.close()
    },
  }
}
