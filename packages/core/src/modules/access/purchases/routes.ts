import { z } from 'zod'
import { formatOf } from '../../../http/documents/negotiation.ts'
import { acceptedLanguages } from '../../../http/html/chosen-language.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { csrf, isForeign } from '../../../http/pipeline/identify.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { invalidOrExpiredToken } from '../../people/accounts/index.ts'
import type { Paywall } from '../paywall/index.ts'
import { rememberBuyer } from '../paywall/index.ts'
import { recoveryNotConfigured } from './errors.ts'
import { linkView, nothingView, refusedView } from './pages.ts'
import { PURCHASES_PATH } from './purchases.pages.ts'
import { type RecoveryService, recoveryPath } from './service.ts'

const requestBody = z.strictObject({
  email: emailAddress.meta({ description: 'The address that was entered where the purchase was paid' }),
})

const requestedSchema = z.object({ message: z.string() }).meta({ id: 'RecoveryRequest' })

const linkParams = z.object({ token: z.string().min(1).max(64) })

const recoveredSchema = z
  .object({
    purchases: z.array(
      z.object({
        receipt_id: z.string(),
        seller: z.string().meta({ description: 'The DID of the profile that sold it' }),
        resource: z.string(),
        tier: z.string(),
        url: z.string(),
        valid_until: z.iso.datetime().nullable().meta({ description: 'Null is permanent' }),
      }),
    ),
  })
  .meta({ id: 'RecoveredPurchases' })

export interface RecoveryRouteServices {
  readonly paywall: Paywall
  readonly recovery: RecoveryService
}

/**
 * Routes by which buyers who lost the payer cookie get it again, with a link to the email address they entered at
 * checkout.
 */
export function recoveryRoutes(
  app: EepRoutes,
  { paywall, recovery }: RecoveryRouteServices,
  { trustedOrigins }: { readonly trustedOrigins: readonly string[] },
): void {
  const trusted = new Set(trustedOrigins)
  const shared = { auth: 'none', limit: 'auth', tag: 'payments' } as const

  app.post(
    '/eep/payment/recovery',
    {
      config: routeConfig({
        ...shared,
        operationId: 'requestPurchaseRecovery',
        summary: 'Email a link that recovers purchases',
        errors: [recoveryNotConfigured],
      }),
      schema: { body: requestBody, response: { 202: requestedSchema } },
    },
    async (request, reply) => {
      recovery.request(request.body.email, acceptedLanguages(request))
      reply.code(202).header('cache-control', 'no-store')
      return { message: 'If this address has valid purchases, a link was sent to it' }
    },
  )

  app.get(
    recoveryPath(':token'),
    {
      config: routeConfig({
        ...shared,
        operationId: 'getPurchaseRecoveryPage',
        summary: 'Get the page of an emailed recovery link; it does not consume the link',
        secrets: ['token'],
        produces: ['text/html'],
      }),
      schema: { params: linkParams, response: { 200: z.string() } },
    },
    (request, reply) => sendPage(request, reply, linkView(request.eep.site)),
  )

  app.scope((routes, scope) => {
    // The HTML form has no fields. Other content is ignored.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, _body, done) =>
      done(null, undefined),
    )
    routes.post(
      recoveryPath(':token'),
      {
        config: routeConfig({
          ...shared,
          operationId: 'recoverPurchases',
          summary:
            'Use an emailed recovery link: set the payer cookie and list the purchases; browsers are sent to the list',
          secrets: ['token'],
          errors: [invalidOrExpiredToken, csrf],
          produces: ['application/json', 'text/html'],
        }),
        schema: { params: linkParams, response: { 200: recoveredSchema, 303: z.undefined() } },
      },
      async (request, reply) => {
        // Another site must not replace the payer cookie of a visitor.
        if (isForeign(request, trusted)) throw csrf()
        const { site } = request.eep
        const isPage = formatOf(request) === 'html'
        reply.header('cache-control', 'private, no-store')
        try {
          const { payer, purchases } = await recovery.redeem(request.params.token)
          if (payer) rememberBuyer(request, reply, paywall, payer)
          if (isPage && payer) return reply.redirect(hrefOn(site, `${PURCHASES_PATH}?done=recovered`), 303)
          if (isPage) return await sendPage(request, reply, nothingView(site))
          return {
            purchases: purchases.map(({ receiptId, purchase, validUntil: end }) => ({
              receipt_id: receiptId,
              seller: purchase.sellerDid,
              resource: purchase.resource,
              tier: purchase.tier,
              url: purchase.shown.url,
              valid_until: end?.toISOString() ?? null,
            })),
          }
        } catch (error) {
          if (!isPage || !isEepError(error) || error.code !== invalidOrExpiredToken.code) throw error
          return sendPage(request, reply, refusedView(site), error.status)
        }
      },
    )
  })
}
