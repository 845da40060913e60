import { z } from 'zod'
import { listing, listOf, listQuery } from '../../http/listing.ts'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { notFound, validationFailed } from '../../kernel/errors.ts'
import { invalidCursor } from '../../kernel/page.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import type { EntitlementService } from './entitlements.ts'
import { entitlementNotFound, unknownTier } from './errors.ts'
import { agentPayer, readPayer } from './payer.ts'
import { entitlementDocument, entitlementSchema, grantBody, revokeQuery } from './schemas.ts'

/** The payer a grant names: a wallet on a network, or an agent. */
function payerOf({ payer_wallet: wallet, payer_network: network, payer_did: did }: z.output<typeof grantBody>) {
  const payer = did === undefined ? readPayer(wallet, network) : agentPayer(did)
  if (!payer || (did !== undefined && (wallet ?? network) !== undefined)) {
    throw validationFailed({ message: 'Name the payer by payer_wallet and payer_network, or by payer_did' })
  }
  return payer
}

/** What payers hold at a profile, for its owner. */
export function entitlementRoutes(
  app: EepRoutes,
  { entitlements }: { readonly entitlements: EntitlementService },
): void {
  const tag = 'gates'

  app.get(
    '/manage/entitlements',
    {
      config: facts({
        auth: 'key',
        scope: 'read:payments',
        tag,
        summary: 'What payers hold at a profile, newest first',
        errors: [notFound, invalidCursor],
      }),
      schema: {
        querystring: listQuery.extend({
          profile_id: z.coerce.number().int().min(1),
          active: z.enum(['true', 'false']).optional().meta({ description: 'true leaves out what is over or revoked' }),
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
      return listing(await entitlements.list(query, page, callerOf(request)), entitlementDocument)
    },
  )

  app.post(
    '/manage/entitlements',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag,
        summary: 'Gives a payer a tier without a payment',
        errors: [notFound, unknownTier],
      }),
      schema: { body: grantBody, response: { 201: z.object({ data: z.array(entitlementSchema) }) } },
    },
    async (request, reply) => {
      const { profile_id: profileId, tier, valid_until: end, reason = null } = request.body
      const grant = { profileId, tier, reason, payer: payerOf(request.body), validUntil: end ? new Date(end) : null }
      const granted = await entitlements.grant(grant, callerOf(request))
      reply.code(201)
      return { data: granted.map((one) => entitlementDocument({ ...one, revokedAt: null })) }
    },
  )

  app.delete(
    '/manage/entitlements/:id',
    {
      config: facts({
        auth: 'key',
        scope: 'write:gates',
        tag,
        summary: 'Takes back what a payer holds',
        errors: [entitlementNotFound],
      }),
      schema: {
        params: z.object({ id: z.string().min(1).max(64) }),
        querystring: revokeQuery,
        response: { 200: entitlementSchema },
      },
    },
    async (request) =>
      entitlementDocument(
        await entitlements.revoke(request.params.id, request.query.reason ?? null, callerOf(request)),
      ),
  )
}
