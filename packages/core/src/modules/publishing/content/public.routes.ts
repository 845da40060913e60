import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DOCUMENT_TYPES, formatOf, invalidFormat } from '../../../http/documents/negotiation.ts'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { type SharedDocument, sendDocument } from '../../../http/documents/public-document.ts'
import { reportRead } from '../../../http/pipeline/count-visits.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { type ProfilePrefix, TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import { isWildcard, normalizeResource, slugsOfResource, WRITTEN_RESOURCE } from '../../../model/resource-name.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { GATE_ERRORS, type Paywall, purchasesOfVisitor, requireAccess } from '../../access/paywall/index.ts'
import { type ProfileService, profileDeleted, profileMoved, profileNotFound } from '../../profiles/profiles/index.ts'
import { contentPath, isSlug } from './address.ts'
import { pageMoved, pageNotFound, pageWasDeleted } from './errors.ts'
import { type Moved, parsePath } from './public-content.ts'
import {
  contentDocumentSchema,
  contentParams,
  contentQuery,
  contentsDocumentSchema,
  contentsParams,
  eepContentParams,
} from './public-schemas.ts'
import type { ContentService } from './service.ts'

export interface PublicContentServices {
  readonly content: ContentService
  readonly profiles: ProfileService
  readonly paywall: Paywall
}

/** The slugs of the content that a resource names: none for all of it. Undefined for other resources. */
function slugsOf(resource: string): readonly string[] | undefined {
  const slugs = WRITTEN_RESOURCE.test(resource) && !isWildcard(resource) && slugsOfResource(normalizeResource(resource))
  return slugs && /^content(\.|$)/.test(resource) && slugs.every(isSlug) ? slugs : undefined
}

/** Public content. The gate applies after the lookup, so no spelling of a path bypasses it. */
export function publicRoutes(app: EepRoutes, { content, profiles, paywall }: PublicContentServices): void {
  async function send(
    request: FastifyRequest<{ Querystring: z.output<typeof contentQuery> }>,
    reply: FastifyReply,
    profile: Profile,
    slugs: readonly string[],
  ) {
    const { caller } = request.eep
    const found = await content.find(profile, slugs, request.query, caller)
    if ('newSlugs' in found) throw leadTo(request, profile, found)
    if (!found.page) {
      const bought = formatOf(request) === 'html' ? await purchasesOfVisitor(request, paywall, profile.id) : []
      return sendDocument(request, reply, bought.length > 0 ? found.document.boughtWith(bought) : found.document)
    }
    if (!found.isPublic) return sendDocument(request, reply, found.document)
    const sharedBy = (visit: SharedDocument['visit']) => ({ dependsOn: { profileId: profile.id }, visit })
    if (await paywall.isOpen(profile, found.gated.name)) {
      const visit = reportRead(request, profile, found.gated)
      return sendDocument(request, reply, found.document, { shared: sharedBy(visit) })
    }
    const resource = { profile, ...found.gated, role: await profiles.roleOf(profile, caller) }
    const access = await requireAccess(request, reply, paywall, resource)
    if (access.is !== 'granted') return reply.send(access.refusal)
    const { paid, restricted } = access
    const shared = sharedBy(reportRead(request, profile, resource))
    return sendDocument(request, reply, found.document, {
      conditional: !paid,
      restricted,
      ...(restricted && { shared }),
    })
  }

  /** The redirect to moved content. It keeps the prefix of the listener, the suffix and the query. */
  function leadTo({ eep, url }: FastifyRequest, profile: Profile, { newSlugs, isPublic }: Moved) {
    const [path = '', ...query] = url.split('?')
    const suffix = eep.suffix === undefined ? '' : (/\.[a-z]+$/.exec(path)?.[0] ?? '')
    const location = [`${eep.basePath}${contentPath(profile, newSlugs)}${suffix}`, ...query].join('?')
    return pageMoved({
      message: `The page has moved to ${contentPath(profile, newSlugs)}`,
      // Not permanent: another page may take this path.
      movedTo: location,
      visibility: isPublic ? profile.visibility : 'private',
    })
  }

  const shared = {
    auth: 'none',
    scope: 'read:content',
    tag: 'public reads',
    errors: [
      profileNotFound,
      profileDeleted,
      profileMoved,
      pageNotFound,
      pageWasDeleted,
      pageMoved,
      invalidFormat,
      invalidCursor,
    ],
    produces: DOCUMENT_TYPES,
  } as const

  addAtEachPrefix('/content', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: routeConfig({
          ...shared,
          family,
          operationId: 'getTableOfContents',
          summary: 'Get the table of contents of a profile',
        }),
        schema: {
          params: contentsParams,
          querystring: contentQuery,
          response: { 200: contentsDocumentSchema, 304: z.undefined() },
        },
      },
      async (request, reply) =>
        send(request, reply, await profiles.byAddress.find(type, request.params.username, request.eep.caller), []),
    )
  })

  addAtEachPrefix('/content/*', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: routeConfig({
          ...shared,
          family,
          operationId: 'getContent',
          summary: 'Get a page, or the table of contents of a category; gated pages return 402',
          errors: [...shared.errors, ...GATE_ERRORS],
        }),
        schema: {
          params: contentParams,
          querystring: contentQuery,
          response: { 200: contentDocumentSchema, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const profile = await profiles.byAddress.find(type, request.params.username, request.eep.caller)
        const slugs = parsePath(request.params['*'], request.url)
        if (!slugs) throw pageNotFound()
        return send(request, reply, profile, slugs)
      },
    )
  })

  app.get(
    '/eep/content/*',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getEepContent',
        summary: 'Get a page by its path, or by a DID and a resource, with refusals in the closed formats of EEP',
        errors: [...shared.errors, ...GATE_ERRORS],
        problems: true,
      }),
      schema: {
        params: eepContentParams,
        querystring: contentQuery,
        response: { 200: contentDocumentSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const path = request.params['*']
      if (path.startsWith('did:')) {
        const [did = '', resource = '', ...further] = path.split('/')
        const named = further.length === 0 ? slugsOf(resource) : undefined
        if (!named) throw pageNotFound()
        return send(request, reply, await profiles.byDid(did, request.eep.caller), named)
      }
      const [prefix = '', username = '', root, ...rest] = path.split('/')
      if (!Object.hasOwn(TYPE_BY_PREFIX, prefix) || root !== 'content') throw pageNotFound()
      const slugs = parsePath(rest.join('/'), request.url)
      if (!slugs) throw pageNotFound()
      const type = TYPE_BY_PREFIX[prefix as ProfilePrefix]
      return send(request, reply, await profiles.byAddress.find(type, username, request.eep.caller), slugs)
    },
  )
}
