import { z } from 'zod'
import { listOf, listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound, validationFailed } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { normalWallet } from '../../../kernel/wallet.ts'
import { agentPayer, readPayer } from '../../../model/payer.ts'
import { entitlementSchema, grantBody, revokeQuery, serializeEntitlement } from './entitlement-schemas.ts'
import type { EntitlementService, GrantRecipient } from './entitlements.ts'
import { entitlementNotFound, recipientNotFound, unknownTier } from './errors.ts'

/** The holder that a grant names, in exactly one way. */
function recipientOf(body: z.output<typeof grantBody>): GrantRecipient {
  const { payer_wallet: wallet, payer_network: network, payer_did: did, account, email } = body
  const named = [wallet ?? network, did, account, email].filter((one) => one !== undefined)
  const payer = did === undefined ? readPayer(wallet, network) : agentPayer(did)
  if (named.length === 1) {
    if (account !== undefined) return { account }
    if (email !== undefined) return { email }
    if (payer) return { payer }
  }
  throw validationFailed({
    message: 'Requires exactly one recipient: payer_wallet and payer_network, payer_did, account, or email',
  })
}

/** Routes of the entitlements of a profile, for its owner. */
export function entitlementRoutes(
  app: EepRoutes,
  { entitlements }: { readonly entitlements: EntitlementService },
): void {
  const tag = 'gates'

  app.get(
    '/manage/entitlements',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag,
        operationId: 'listEntitlements',
        summary: 'List the entitlements of a profile, newest first',
        errors: [notFound, invalidCursor],
      }),
      schema: {
        querystring: listQuery.extend({
          profile_id: z.coerce.number().int().min(1),
          active: z
            .enum(['true', 'false'])
            .optional()
            .meta({ description: 'true omits expired and revoked entitlements' }),
          payer_wallet: z.string().min(1).max(256).optional(),
        }),
        response: { 200: listOf(entitlementSchema) },
      },
    },
    async (request) => {
      const { profile_id: profileId, active, payer_wallet: wallet, ...page } = request.query
      const query = {
        profileId,
        active: active === 'true',
        ...(wallet === undefined ? {} : { payerWalletAddress: normalWallet(wallet) }),
      }
      return listResponse(await entitlements.list(query, page, callerOf(request)), serializeEntitlement)
    },
  )

  app.post(
    '/manage/entitlements',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag,
        operationId: 'grantEntitlement',
        summary: 'Grant a tier to a payer, an account or an email address without a payment',
        errors: [notFound, unknownTier, recipientNotFound],
      }),
      schema: {
        body: grantBody,
        response: { 201: z.object({ data: z.array(entitlementSchema) }).meta({ id: 'GrantedEntitlements' }) },
      },
    },
    async (request, reply) => {
      const { profile_id: profileId, tier, valid_until: end, reason = null } = request.body
      const grant = { profileId, tier, reason, to: recipientOf(request.body), validUntil: end ? new Date(end) : null }
      const granted = await entitlements.grant(grant, callerOf(request))
      reply.code(201)
      return { data: granted.map((one) => serializeEntitlement({ ...one, suspendedAt: null, revokedAt: null })) }
    },
  )

  app.delete(
    '/manage/entitlements/:id',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:gates',
        tag,
        operationId: 'revokeEntitlement',
        summary: 'Revoke an entitlement',
        errors: [entitlementNotFound],
      }),
      schema: {
        params: z.object({ id: z.string().min(1).max(64) }),
        querystring: revokeQuery,
        response: { 200: entitlementSchema },
      },
    },
    async (request) =>
      serializeEntitlement(
        await entitlements.revoke(request.params.id, request.query.reason ?? null, callerOf(request)),
      ),
  )
}
