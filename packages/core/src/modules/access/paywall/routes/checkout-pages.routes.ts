import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { formatOf } from '../../../../http/documents/negotiation.ts'
import { formRoutes, requireOwnForm, sendPage } from '../../../../http/html/html-forms.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { operationIdPart } from '../../../../http/openapi/operation-id.ts'
import { csrf } from '../../../../http/pipeline/identify.ts'
import { type EepRoutes, routeConfig } from '../../../../http/routes.ts'
import { type EepError, isEepError, notFound } from '../../../../kernel/errors.ts'
import { internalPath } from '../../../../kernel/internal-path.ts'
import { pathBelow } from '../../../../kernel/public-url.ts'
import type { PayerHint } from '../../../../model/payer.ts'
import { covers } from '../../../../model/resource-pattern.ts'
import { paymentReason, railUnavailable, type Settlement, settlementPending } from '../../../../ports/payment-rail.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'
import { profileMoved } from '../../../profiles/profiles/index.ts'
import { checkoutOwner } from '../access/checkout-owner.ts'
import { provenPayer, provenPayers, rememberPayer } from '../access/payer-cookies.ts'
import { buyersIn, isSamePayer } from '../access/visitor.ts'
import { accessForbidden, nothingToPay, notSoldThere, notTakenNow } from '../errors.ts'
import { type CheckoutLinks, type CheckoutState, checkoutView, fileView } from '../pages/checkout-pages.ts'
import { addCheckoutCookie, readCheckoutCookies } from '../pay/checkout-cookie.ts'
import { type ProcessorRail, pageUrlOf, successUrlOf } from '../pay/checkouts.ts'
import { countCheckout } from '../pay/count-checkout.ts'
import { noticeHtml, rememberPurchase } from '../pay/purchase-notice.ts'
import type { PurchaseCoordinates } from '../pay/resolve-purchase.ts'
import type { Sale } from '../pay/sale.ts'
import type { Paywall } from '../service.ts'
import { checkoutForm } from './schemas.ts'

export interface CheckoutPageServices {
  readonly paywall: Paywall
  /** Returns what lasts longer than one request and is for sale. */
  readonly saleFor: (request: FastifyRequest, coordinates: PurchaseCoordinates, rail: string) => Promise<Sale>
  /** Returns the path of a page that a request names. */
  readonly pathOf: (request: FastifyRequest, coordinates: PurchaseCoordinates) => Promise<string>
}

export interface CheckoutPageOptions {
  readonly publicUrl: string
  readonly trustedOrigins: readonly string[]
}

/** The state of a checkout, as far as it is known. */
type Known =
  | { readonly is: 'paid' | 'unpaid' | 'open' | 'unknown'; readonly payment: Payment }
  | { readonly is: 'none' }

const isPending = (error: unknown): error is EepError => isEepError(error) && error.code === settlementPending.code
const isForLater = (error: unknown): error is EepError =>
  isEepError(error) && (error.code === railUnavailable.code || error.code === notTakenNow.code)

const checkoutParams = z.object({ checkoutId: z.string().min(1).max(255) })

/** Routes for people who pay on a page of a processor: the form that opens it, and the pages to which they return. */
export function checkoutPageRoutes(
  app: EepRoutes,
  { paywall, saleFor, pathOf }: CheckoutPageServices,
  rail: ProcessorRail,
  { publicUrl, trustedOrigins }: CheckoutPageOptions,
): void {
  const { checkouts } = paywall
  const { processor } = rail
  const root = `/eep/payment/${processor.name}`
  const name = operationIdPart(processor.name)
  const trusted = new Set(trustedOrigins)
  const pageOrigins = new Set([new URL(publicUrl).origin, ...(processor.pageOrigins ?? [])])
  const shared = { auth: 'none', tag: 'payments' } as const
  const backTo = (id: string) => `${publicUrl}${root}/checkout-human/${id}`
  const pagePathOf = ({ credentialId }: Payment) => `${root}/checkout-human/${encodeURIComponent(credentialId)}`

  async function stateOf(id: string | undefined): Promise<Known> {
    const recorded = id === undefined ? undefined : await checkouts.find(rail, id)
    if (!recorded) return { is: 'none' }
    try {
      const payment = (await checkouts.look(rail, recorded.credentialId)) ?? recorded
      return { is: payment.settlement ? 'paid' : 'unpaid', payment }
    } catch (error) {
      if (!isPending(error)) throw error
      return { is: paymentReason(error) === 'checkout_open' ? 'open' : 'unknown', payment: recorded }
    }
  }

  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    state: CheckoutState,
    { status, ...links }: CheckoutLinks & { readonly status?: number } = {},
  ) => sendPage(request, reply, checkoutView(state, request.eep.site, links), status)

  /** The page of a checkout that was not paid, as far as is known. */
  function showUnpaid(request: FastifyRequest, reply: FastifyReply, known: Exclude<Known, { readonly is: 'none' }>) {
    const { payment } = known
    const here = hrefOn(request.eep.site, pagePathOf(payment))
    if (known.is === 'unknown') {
      reply.header('retry-after', '5')
      return show(request, reply, 'unknown', { status: settlementPending().status, checkHref: here })
    }
    const backHref = hrefOn(request.eep.site, payment.purchase.shown.url)
    if (known.is === 'open') return show(request, reply, 'open', { checkoutUrl: pageUrlOf(payment), backHref })
    return show(request, reply, 'expired', { backHref })
  }

  /** Whether the payer of a browser identifies the buyer of a payment, as one from a recovery link does. */
  const isBuyer = (payer: PayerHint, { buyer }: Payment) => buyer !== null && !!buyersIn(payer)?.includes(buyer)

  /**
   * Whether opening a purchase would replace the proven payer of a browser that is not known to have made it. Another site can send a
   * visitor to the return address of a purchase that it paid, so the visitor decides. The replaced payer stays in the cookie of purchases.
   */
  function wouldReplacePayer(request: FastifyRequest, payment: Payment): boolean {
    const payer = provenPayer(request, paywall)
    // Clients other than browsers open no addresses for other sites.
    if (!payer || isBuyer(payer, payment) || !request.headers.accept?.includes('text/html')) return false
    const paidBy = payment.settlement?.payer
    const isSame = paidBy && provenPayers(request, paywall).some((known) => isSamePayer(known, paidBy))
    const isOfAccount = payment.payerAccountId !== null && payment.payerAccountId === request.eep.caller?.account.id
    return !isSame && !isOfAccount && !readCheckoutCookies(request)?.ids.includes(payment.credentialId)
  }

  const isFile = ({ resource }: Payment['purchase']) => resource.startsWith('files.')

  /** Gives a browser access to a purchase, and sends it there; a file is saved from a separate page. */
  function openPurchase(request: FastifyRequest, reply: FastifyReply, payment: Payment, settlement: Settlement) {
    const { receiptId, purchase } = payment
    reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer')
    // A buyer from a recovery link keeps that cookie, because it opens this purchase and the earlier ones.
    const payer = provenPayer(request, paywall)
    if (!payer || !isBuyer(payer, payment)) {
      rememberPayer(request, reply, paywall, { payer: settlement.payer, isProof: true })
    }
    const isPage = formatOf(request) === 'html'
    const address = successUrlOf(payment)
    const { url, description } = purchase.shown
    if (isPage && request.method === 'GET' && receiptId !== null && address === url && isFile(purchase)) {
      const bought = { receiptId, per: purchase.per, ...settlement, isProven: true }
      const notice = noticeHtml(request, { description }, bought)
      return sendPage(request, reply, fileView(request.eep.site, description, hrefOn(request.eep.site, url), notice))
    }
    if (isPage && receiptId !== null) rememberPurchase(request, reply, paywall, receiptId)
    return reply.redirect(address, 303)
  }

  /** Whether a payment is for what a browser wants to buy. */
  const isFor = ({ purchase }: Payment, { did, resource }: PurchaseCoordinates): boolean =>
    purchase.sellerDid === did && purchase.access.some((pattern) => covers(pattern, resource))

  /** Whether a payment opens a resource: it was not refunded, and its purchase was not revoked and has not expired. */
  async function opens({ purchase: { profileId }, settlement }: Payment, resource: string): Promise<boolean> {
    return settlement !== null && !!(await paywall.findEntitlement({ profileId, resource }, settlement.payer))
  }

  /** The payments of a browser for what it wants to buy: the one that opens it or may do so, and the open pages. */
  async function knownFor(ids: readonly string[], coordinates: PurchaseCoordinates) {
    const open: Payment[] = []
    for (const id of ids) {
      const recorded = await checkouts.find(rail, id)
      if (!recorded || !isFor(recorded, coordinates)) continue
      const known = await stateOf(id)
      if (known.is === 'open') open.push(known.payment)
      else if (known.is === 'unknown') return { known, open }
      else if (known.is === 'paid' && (await opens(known.payment, coordinates.resource))) return { known, open }
    }
    return { known: undefined, open }
  }

  formRoutes(app, (forms) => {
    forms.post(
      `${root}/checkout-form`,
      {
        config: routeConfig({
          ...shared,
          operationId: `open${name}Checkout`,
          summary: 'Create a checkout page and redirect to it (HTML form)',
          errors: [notFound, profileMoved, notSoldThere, accessForbidden, csrf],
          produces: ['text/html'],
        }),
        schema: { body: checkoutForm, response: { 303: z.undefined() } },
      },
      async (request, reply) => {
        requireOwnForm(request, trusted)
        const { key, tell_seller_email: told, ...coordinates } = request.body
        const last = readCheckoutCookies(request)
        reply.header('cache-control', 'private, no-store')
        // Without the cookie of a payer, a payment that was just made would not be noticed.
        const { known, open } = await knownFor(last?.ids ?? [], coordinates)
        if (known?.is === 'paid') return reply.redirect(backTo(known.payment.credentialId), 303)
        if (known) return showUnpaid(request, reply, known)
        try {
          const sale = await saleFor(request, coordinates, rail.id)
          const pageUrl = sale.purchases[0]?.shown.url ?? publicUrl
          const ofBrowser = last?.key ?? key
          const page = await checkouts.open(rail, sale, {
            backUrl: backTo('{CHECKOUT_ID}'),
            successUrl: pageUrl,
            cancelUrl: `${publicUrl}${root}/checkout-cancelled?page=${encodeURIComponent(pathBelow(publicUrl, pageUrl) ?? '/')}`,
            buyer: checkoutOwner(request, sale, paywall) ?? `browser ${ofBrowser}`,
            tellsSeller: told !== undefined,
            // A page that was opened before a sign-in or sign-out has another buyer.
            replaces: open,
          })
          countCheckout(request, sale, page)
          addCheckoutCookie(request, reply, { key: ofBrowser, id: page.id })
          if (pageOrigins.has(new URL(page.url).origin)) return reply.redirect(page.url, 303)
          // Forms may redirect to known origins only, links may lead anywhere.
          return show(request, reply, 'continue', { checkoutUrl: page.url })
        } catch (error) {
          if (isEepError(error) && error.code === nothingToPay.code) {
            return reply.redirect(hrefOn(request.eep.site, await pathOf(request, coordinates)), 303)
          }
          if (isForLater(error)) return show(request, reply, 'later', { status: error.status })
          throw error
        }
      },
    )

    forms.post(
      `${root}/checkout-human/:checkoutId`,
      {
        config: routeConfig({
          ...shared,
          operationId: `open${name}Purchase`,
          summary: 'Open a paid checkout in a browser with another payer cookie, which is replaced (HTML form)',
          secrets: ['checkoutId'],
          errors: [notFound, csrf],
          produces: ['text/html'],
        }),
        schema: { params: checkoutParams, response: { 303: z.undefined() } },
      },
      async (request, reply) => {
        // Another site must not replace the payer cookie of a visitor.
        requireOwnForm(request, trusted)
        const known = await stateOf(request.params.checkoutId)
        if (known.is === 'none') throw notFound()
        const { payment } = known
        if (!payment.settlement) return reply.redirect(backTo(payment.credentialId), 303)
        return openPurchase(request, reply, payment, payment.settlement)
      },
    )
  })

  app.get(
    `${root}/checkout-human/:checkoutId`,
    {
      config: routeConfig({
        ...shared,
        operationId: `finish${name}Checkout`,
        summary:
          'Return from a checkout page: set the payer cookie and redirect; browsers get a page while it is not paid, or when it would replace another payer cookie',
        secrets: ['checkoutId'],
        errors: [notFound, settlementPending],
        produces: ['application/json', 'text/html'],
      }),
      schema: {
        params: checkoutParams,
        response: { 303: z.undefined() },
      },
    },
    async (request, reply) => {
      const isPage = formatOf(request) === 'html'
      const known = await stateOf(request.params.checkoutId)
      if (known.is === 'none') {
        if (!isPage) throw notFound()
        return show(request, reply, 'none', { status: notFound().status })
      }
      const { payment } = known
      const { settlement, purchase } = payment
      if (!isPage && (known.is === 'open' || known.is === 'unknown')) {
        throw settlementPending({ retryAfterMs: 5_000 })
      }
      if (isPage && known.is !== 'paid') return showUnpaid(request, reply, known)
      // It was not paid: the page shows its price again.
      if (!settlement) {
        reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer')
        return reply.redirect(purchase.shown.url, 303)
      }
      if (!wouldReplacePayer(request, payment)) return openPurchase(request, reply, payment, settlement)
      const { site } = request.eep
      const links = {
        openHref: hrefOn(site, pagePathOf(payment)),
        openTarget: new URL(successUrlOf(payment)).origin,
        backHref: hrefOn(site, payment.purchase.shown.url),
      }
      return show(request, reply, 'other', links)
    },
  )

  app.get(
    `${root}/checkout-cancelled`,
    {
      config: routeConfig({
        ...shared,
        operationId: `show${name}CheckoutCancelled`,
        summary: 'Show the page for a checkout that was not paid',
        produces: ['text/html'],
      }),
      schema: {
        querystring: z.object({
          page: z
            .string()
            .max(512)
            .refine((path) => internalPath(path) !== undefined, 'Must be a path of this service')
            .optional()
            .meta({ description: 'The path of the page that was for sale' }),
        }),
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { page } = request.query
      const known = await stateOf(readCheckoutCookies(request)?.ids[0])
      if (known.is === 'paid') return reply.redirect(backTo(known.payment.credentialId), 303)
      if (known.is === 'unknown') return showUnpaid(request, reply, known)
      const backHref = page === undefined ? undefined : hrefOn(request.eep.site, page)
      const checkoutUrl = known.is === 'open' ? pageUrlOf(known.payment) : undefined
      return show(request, reply, 'cancelled', { checkoutUrl, backHref })
    },
  )
}
