import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { actingAppRecord } from '../../../http/documents/acting-app.ts'
import { listOf, listQuery, listResponse } from '../../../http/documents/lists.ts'
import { formatOf } from '../../../http/documents/negotiation.ts'
import { acceptedLanguages } from '../../../http/html/chosen-language.ts'
import { textsOf } from '../../../http/html/form-view.ts'
import { formRoutes, requireOwnForm, sendPage } from '../../../http/html/html-forms.ts'
import { mailboxHint } from '../../../http/html/mailbox-hint.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { retrySeconds, waitText } from '../../../http/html/wait-text.ts'
import { csrf } from '../../../http/pipeline/identify.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { type Paywall, provenPayer } from '../paywall/index.ts'
import { binary, receiptNotFound, receiptParams, receiptPdfBusy, receiptPdfDisabled } from '../receipts/index.ts'
import { purchasesUnproven, recoveryNotConfigured } from './errors.ts'
import { purchaseMessages } from './messages.ts'
import { type ProofWays, PURCHASES_PATH, proofView, purchasesView } from './purchases.pages.ts'
import type { NamedPurchase, PurchaseService, PurchaseVisitor } from './purchases.ts'
import type { RecoveryService } from './service.ts'
import { WALLET_NONCE_PATH, WALLET_PROOF_PATH } from './wallet.routes.ts'
import type { WalletRecovery } from './wallet-recovery.ts'

const time = z.iso.datetime()

/** A purchase on the wire. */
const purchaseSchema = z
  .object({
    receipt_id: z.string(),
    seller: z.object({ did: z.string(), name: z.string().nullable() }),
    resource: z.string(),
    description: z.string(),
    tier: z.string(),
    per: z.enum(['request', 'hour', 'day', 'week', 'month', 'year', 'once']),
    amount: z.object({ decimal: z.string(), currency: z.string() }),
    paid_at: time,
    is_open: z.boolean().meta({ description: 'Whether the purchase opens anything now' }),
    valid_until: time.nullable().meta({ description: 'The end of what is open. Null while is_open: permanent' }),
    url: z.string().meta({ description: 'The page that was bought' }),
    refunded_at: time.nullable(),
    via: actingAppRecord,
    receipt_pdf_url: z.string().nullable().meta({ description: 'Null when the service renders no PDF' }),
  })
  .meta({ id: 'Purchase' })

const receiptPath = (receiptId: string) => `/purchases/${receiptId}/receipt.pdf`

/** What a request proves. A payer in a header, or in a cookie without its signature, is not proven. */
const purchaseVisitorOf = (request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): PurchaseVisitor => ({
  caller: request.eep.caller,
  payer: provenPayer(request, paywall),
})

const serializePurchase = (
  { receipt, purchase, access, sellerName, app }: NamedPurchase,
  pdfUrlOf: ((receiptId: string) => string) | undefined,
): z.input<typeof purchaseSchema> => ({
  receipt_id: receipt.receiptId,
  seller: { did: receipt.seller.did, name: sellerName },
  resource: receipt.resource,
  description: purchase.shown.description,
  tier: receipt.tier,
  per: receipt.per,
  amount: { decimal: receipt.amount.decimal, currency: receipt.amount.currency },
  paid_at: receipt.timeline.paidAt.toISOString(),
  is_open: access !== null,
  valid_until: access?.validUntil?.toISOString() ?? null,
  url: purchase.shown.url,
  refunded_at: receipt.refund?.refundedAt.toISOString() ?? null,
  via: app ?? null,
  receipt_pdf_url: pdfUrlOf?.(receipt.receiptId) ?? null,
})

export interface PurchaseRouteServices {
  readonly paywall: Paywall
  readonly purchases: PurchaseService
  readonly recovery: Pick<RecoveryService, 'request' | 'sendsMail'>
  readonly walletRecovery: Pick<WalletRecovery, 'isOffered' | 'isOfferedAt'>
}

const query = listQuery.extend({
  done: z
    .enum(['sent', 'recovered'])
    .optional()
    .catch(undefined)
    .describe('The step before, for the notice of the page'),
})

const MAX_ENTERED = 254

/** The purchases of a visitor, and their receipts for people. */
export function purchaseRoutes(
  app: EepRoutes,
  { paywall, purchases, recovery, walletRecovery }: PurchaseRouteServices,
  { publicUrl, trustedOrigins }: { readonly publicUrl: string; readonly trustedOrigins: readonly string[] },
): void {
  const ownOrigins = new Set(trustedOrigins)
  const shared = { auth: 'none', scope: 'read:payments', tag: 'payments' } as const
  const { pdf } = purchases
  const waysOf = (): ProofWays => ({
    byEmail: recovery.sendsMail,
    walletPath: walletRecovery.isOffered() ? WALLET_NONCE_PATH : undefined,
    proofPath: walletRecovery.isOfferedAt(publicUrl) ? WALLET_PROOF_PATH : undefined,
  })

  async function sendPurchases(
    request: FastifyRequest,
    reply: FastifyReply,
    { done, ...asked }: z.output<typeof query>,
  ) {
    const { site, unidentified } = request.eep
    if (unidentified) throw unidentified
    const ways = waysOf()
    const notice = done && purchaseMessages(site)(done)
    const note = done === 'sent' && mailboxHint(site)
    try {
      const page = await purchases.list(purchaseVisitorOf(request, paywall), asked)
      const pdfPathOf = pdf && receiptPath
      const { appText } = purchases
      const view = purchasesView(site, { page, limit: asked.limit, pdfPathOf, appText, ways, notice, note })
      return await sendPage(request, reply, view)
    } catch (error) {
      if (!isEepError(error) || error.code !== purchasesUnproven.code) throw error
      return sendPage(request, reply, proofView(site, { ways, notice, note }))
    }
  }

  app.get(
    PURCHASES_PATH,
    {
      config: routeConfig({
        ...shared,
        operationId: 'listPurchases',
        summary: 'List the purchases of the caller, and of the payer that the signed cookie proves, newest first',
        errors: [purchasesUnproven, invalidCursor],
        produces: ['application/json', 'text/html'],
      }),
      schema: { querystring: query, response: { 200: listOf(purchaseSchema) } },
    },
    async (request, reply) => {
      if (formatOf(request) === 'html') return sendPurchases(request, reply, request.query)
      reply.header('cache-control', 'private, no-store')
      const page = await purchases.list(purchaseVisitorOf(request, paywall), request.query)
      const pdfUrlOf = pdf && ((receiptId: string) => `${publicUrl}${receiptPath(receiptId)}`)
      return listResponse(page, (one) => serializePurchase(one, pdfUrlOf))
    },
  )

  formRoutes(app, (scope) =>
    scope.post(
      PURCHASES_PATH,
      {
        config: routeConfig({
          auth: 'none',
          limit: 'auth',
          tag: 'pages',
          operationId: 'submitPurchasesPage',
          summary: 'Email a recovery link (HTML form); does not reveal whether purchases exist',
          errors: [csrf, recoveryNotConfigured],
          produces: ['text/html'],
          keepsForm: true,
        }),
        schema: { response: { 303: z.undefined() } },
      },
      async (request, reply) => {
        requireOwnForm(request, ownOrigins)
        const { site, limited } = request.eep
        const entered = (textsOf(request.body).email ?? '').slice(0, MAX_ENTERED + 1)
        if (limited) {
          const time = waitText(site, retrySeconds(limited) ?? 60)
          const problem = purchaseMessages(site)('tooManyForms', { time })
          const view = proofView(site, { ways: waysOf(), problem, refused: { value: entered } })
          return sendPage(request, reply, view, { status: limited.status, error: limited })
        }
        const email = emailAddress.safeParse(entered)
        if (!email.success) {
          const problem = purchaseMessages(site)('invalidEmail')
          const refused = { value: entered, problem }
          await request.eep.giveBack?.(reply)
          return sendPage(request, reply, proofView(site, { ways: waysOf(), problem, refused }), 400)
        }
        recovery.request(email.data, acceptedLanguages(request))
        reply.header('cache-control', 'private, no-store')
        return reply.redirect(hrefOn(site, `${PURCHASES_PATH}?done=sent`), 303)
      },
    ),
  )

  app.get(
    receiptPath(':receiptId'),
    {
      config: routeConfig({
        ...shared,
        operationId: 'getPurchaseReceiptPdf',
        summary: 'Get the receipt of a purchase as PDF, for the person who paid',
        errors: [purchasesUnproven, receiptNotFound, receiptPdfBusy, receiptPdfDisabled],
        unavailable: pdf === undefined,
        produces: ['application/pdf'],
      }),
      schema: { params: receiptParams, response: { 200: binary } },
    },
    async (request, reply) => {
      const { receiptId } = request.params
      if (!pdf) throw receiptPdfDisabled()
      const bytes = await pdf(receiptId, purchaseVisitorOf(request, paywall), request.eep.site)
      return reply
        .type('application/pdf')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `inline; filename="receipt-${receiptId}.pdf"`)
        .header('x-content-type-options', 'nosniff')
        .send(Buffer.from(bytes))
    },
  )
}
