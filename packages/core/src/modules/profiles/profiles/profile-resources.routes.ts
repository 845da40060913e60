import { z } from 'zod'
import { DOCUMENT_TYPES, formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { sendDocument } from '../../../http/documents/public-document.ts'
import { sendProtocolDocument, sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { PREFIX_BY_TYPE } from '../../../model/profile-type.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { badgeSvg } from './badge.ts'
import { calendarOf } from './calendar.ts'
import { changelogExpired } from './changelog.ts'
import { changelogDocument } from './changelog-document.ts'
import { noCalendar, profileDeleted, profileMoved, profileNotFound } from './errors.ts'
import { freshnessDocument } from './freshness-document.ts'
import { changelog, changelogQuery, didDocument, freshness, usernameParams } from './schemas.ts'
import type { ProfileService } from './service.ts'

const tag = 'public reads'
const SVG = 'image/svg+xml'
const DID_JSON = 'application/did+json'
const CALENDAR = 'text/calendar; charset=utf-8'

/** The image must not load or run anything in any context. */
const HARMLESS = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

const cachingOf = (profile: Profile, { didOf }: Pick<ProfileService, 'didOf'>) => ({
  cacheControl: CACHE_CONTROL[profile.visibility],
  headers: { 'eep-entity-did': didOf(profile), ...robotsOf(profile.visibility) },
})

const read = (route: Pick<RouteConfig, 'operationId' | 'summary' | 'family' | 'produces' | 'errors'>) =>
  routeConfig({
    ...route,
    auth: 'none',
    scope: 'read:profiles',
    tag,
    errors: [profileNotFound, profileDeleted, profileMoved, ...(route.errors ?? [])],
  })

/** Routes below the public URL of a profile, except its content. */
export function profileResourceRoutes(app: EepRoutes, profiles: ProfileService): void {
  addAtEachPrefix('/freshness', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: read({
          operationId: 'getProfileFreshness',
          summary: 'Get the time of the last change of a profile',
          family,
          produces: DOCUMENT_TYPES,
          errors: [invalidFormat],
        }),
        schema: {
          params: usernameParams,
          querystring: formatQuery,
          response: { 200: freshness, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const known = await profiles.byAddress.getDocument(type, request.params.username, request.eep.caller)
        return sendDocument(request, reply, freshnessDocument(known.profile, known.freshness(), profiles.publicUrl))
      },
    )
  })

  addAtEachPrefix('/badge.svg', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: read({
          operationId: 'getProfileBadge',
          summary: 'Get a badge with the name of a profile',
          family,
          produces: [SVG],
        }),
        schema: { params: usernameParams, response: { 200: z.string(), 304: z.undefined() } },
      },
      async (request, reply) => {
        const profile = await profiles.byAddress.find(type, request.params.username, request.eep.caller)
        const { cacheControl, headers } = cachingOf(profile, profiles)
        const body = badgeSvg(profile.fullName ?? profile.username)
        return sendWithEtag(request, reply, { body, type: SVG, cacheControl, headers: { ...headers, ...HARMLESS } })
      },
    )
  })

  app.get(
    `/${PREFIX_BY_TYPE.event}/:username/event.ics`,
    {
      config: read({
        operationId: 'getEventCalendar',
        summary: 'Get the calendar file of an event (RFC 5545)',
        produces: ['text/calendar'],
        errors: [noCalendar],
      }),
      schema: { params: usernameParams, response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) => {
      const { username } = request.params
      const found = await profiles.byAddress.find('event', username, request.eep.caller)
      const shown = await profiles.findRedacted('event', found.username, request.eep.caller)
      const body = calendarOf(shown, profiles.publicUrl)
      if (body === undefined) throw noCalendar()
      const { cacheControl, headers } = cachingOf(found, profiles)
      const disposition = `attachment; filename="${found.username}.ics"`
      const ownHeaders = { ...headers, ...HARMLESS, 'content-disposition': disposition }
      return sendWithEtag(request, reply, { body, type: CALENDAR, cacheControl, headers: ownHeaders })
    },
  )

  addAtEachPrefix('/changelog', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: read({
          operationId: 'getProfileChangelog',
          summary: 'List the last 1,000 public changes of a profile, newest first by default',
          family,
          produces: DOCUMENT_TYPES,
          errors: [invalidFormat, invalidCursor, changelogExpired],
        }),
        schema: {
          params: usernameParams,
          querystring: changelogQuery,
          response: { 200: changelog, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const { username } = request.params
        const profile = await profiles.byAddress.find(type, username, request.eep.caller)
        const page = await profiles.getChangelog(profile, request.query)
        return sendDocument(request, reply, changelogDocument(profile, request.query, page, profiles.publicUrl))
      },
    )
  })

  addAtEachPrefix('/did.json', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: read({
          operationId: 'getProfileDidDocument',
          summary: 'Get the DID document of a profile',
          family,
          produces: protocolTypes(DID_JSON),
          errors: [invalidFormat],
        }),
        schema: {
          params: usernameParams,
          querystring: formatQuery,
          response: { 200: didDocument, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const profile = await profiles.byAddress.find(type, request.params.username, request.eep.caller)
        const body = await profiles.getDidDocument(profile)
        return sendProtocolDocument(request, reply, {
          title: 'DID document',
          body,
          type: DID_JSON,
          ...cachingOf(profile, profiles),
        })
      },
    )
  })
}
