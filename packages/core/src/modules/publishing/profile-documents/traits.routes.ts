import { z } from 'zod'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { unique } from '../../../model/profile-values.ts'
import { GATE_ERRORS } from '../../access/paywall/index.ts'
import {
  CAPABILITIES,
  capabilitiesOf,
  emailNotVerified,
  notProfileOwner,
  profileNotFound,
  VISIBILITIES,
} from '../../profiles/profiles/index.ts'
import { openProfile } from './open-profile.ts'
import type { PublicReadServices } from './public.routes.ts'

const params = z.object({ id: z.coerce.number().int().min(1) })
const visibility = z.object({ visibility: z.enum(VISIBILITIES) }).meta({ id: 'ProfileVisibility' })
const capabilities = z.object({ capabilities: z.array(z.enum(CAPABILITIES)) }).meta({ id: 'ProfileCapabilities' })

/** Routes of the visibility and the traits of a profile. */
export function traitRoutes(app: EepRoutes, services: PublicReadServices): void {
  const { profiles } = services
  const tag = 'profiles'
  const changing = { auth: 'key', scope: 'write:profiles', tag, errors: [notProfileOwner, profileNotFound] } as const

  app.get(
    '/profiles/:id/visibility',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:profiles',
        tag,
        operationId: 'getProfileVisibility',
        summary: 'Get the visibility of a profile; team only',
        errors: [notProfileOwner, profileNotFound],
      }),
      schema: { params, response: { 200: visibility } },
    },
    async (request) => {
      const caller = callerOf(request)
      const profile = await profiles.get(request.params.id, caller)
      await profiles.requirePermission(profile, caller, 'profile.read')
      return { visibility: profile.visibility }
    },
  )

  app.put(
    '/profiles/:id/visibility',
    {
      config: routeConfig({
        ...changing,
        operationId: 'updateProfileVisibility',
        summary: 'Set the visibility of a profile: public, unlisted or private',
        errors: [...changing.errors, emailNotVerified],
      }),
      schema: { params, body: z.strictObject(visibility.shape), response: { 200: visibility } },
    },
    async (request) => {
      const caller = callerOf(request)
      const { id } = await profiles.get(request.params.id, caller)
      const { visibility } = await profiles.setVisibility(id, request.body.visibility, caller)
      return { visibility }
    },
  )

  app.get(
    '/profiles/:id/capabilities',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:profiles',
        tag,
        operationId: 'getProfileCapabilities',
        summary: 'Get the traits of a profile; gated traits return 402',
        errors: [profileNotFound, ...GATE_ERRORS],
      }),
      schema: { params, response: { 200: capabilities } },
    },
    async (request, reply) => {
      const { caller } = request.eep
      const { type, username } = await profiles.get(request.params.id, caller)
      const known = await profiles.getDocument(type, username, caller)
      const found = await openProfile(request, reply, services, known, ['capabilities'])
      if (isEepError(found)) throw found
      reply.header('cache-control', 'private, no-cache')
      return { capabilities: [...capabilitiesOf(found.profile)] }
    },
  )

  app.put(
    '/profiles/:id/capabilities',
    {
      config: routeConfig({
        ...changing,
        operationId: 'replaceProfileCapabilities',
        summary: 'Replace the traits of a profile',
      }),
      schema: {
        params,
        body: z.strictObject({
          capabilities: z.array(z.enum(CAPABILITIES)).max(CAPABILITIES.length).refine(unique, 'Each at most once'),
        }),
        response: { 200: capabilities },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { id } = await profiles.get(request.params.id, caller)
      const saved = await profiles.updateById(id, request.body, caller)
      return { capabilities: [...capabilitiesOf(saved)] }
    },
  )
}
