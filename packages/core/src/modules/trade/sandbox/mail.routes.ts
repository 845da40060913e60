import { z } from 'zod'
import { MEDIA_TYPES } from '../../../http/documents/negotiation.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { MAILBOX } from '../../../http/html/mailbox-hint.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { mailBody, mailboxView, mailView } from './mail.pages.ts'

const MAX_SHOWN = 100

/** Emails may have inline styles and pictures of this service, and nothing else. */
const MAIL_POLICY = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"

const params = z.object({ id: z.uuid() })
const page = { tag: 'sandbox', auth: 'none', produces: ['text/html'], errors: [notFound], secrets: ['key'] } as const
/** A page, or on the first visit the address without the key. */
const response = { 200: z.string(), 303: z.undefined() }

export interface MailRoutes {
  readonly read: Pick<Readers<'sandbox'>, 'sandboxMail'>
}

/** Routes of the mailbox. */
export function mailRoutes(app: EepRoutes, { read }: MailRoutes): void {
  const get = async (id: string) => {
    const mail = await read.sandboxMail.get(id)
    if (!mail) throw notFound()
    return mail
  }

  app.get(
    MAILBOX,
    {
      config: routeConfig({
        ...page,
        operationId: 'getSandboxMailbox',
        summary: 'Get the page of the emails that this sandbox wrote; needs the key of the sandbox',
      }),
      compress: false,
      schema: { response },
    },
    async (request, reply) =>
      sendPage(request, reply, mailboxView(request.eep.site, await read.sandboxMail.list(MAX_SHOWN))),
  )

  app.get(
    `${MAILBOX}/:id`,
    {
      config: routeConfig({
        ...page,
        operationId: 'getSandboxMail',
        summary: 'Get the page of an email of this sandbox; needs the key of the sandbox',
      }),
      compress: false,
      schema: { params, response },
    },
    async (request, reply) => sendPage(request, reply, mailView(request.eep.site, await get(request.params.id))),
  )

  app.get(
    `${MAILBOX}/:id/body`,
    {
      config: routeConfig({
        ...page,
        operationId: 'getSandboxMailBody',
        summary: 'Get an email of this sandbox as its reader sees it, for a frame; needs the key of the sandbox',
      }),
      compress: false,
      schema: { params, response },
    },
    async (request, reply) =>
      reply
        .headers({
          'content-security-policy': MAIL_POLICY,
          'cache-control': 'private, no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        })
        .type(MEDIA_TYPES.html)
        .send(mailBody(await get(request.params.id))),
  )
}
