import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../model/account.ts'
import { type Caller, hasPages, isLimited } from '../../model/caller.ts'
import { clearCookie, readCookies, setCookie } from '../cookies.ts'
import type { Said, Site, Viewer } from './view.ts'

export type { Viewer } from './view.ts'

/**
 * Returns the person that the pages of a request are made for: the caller whom a cookie identifies. Undefined for everyone else, also for
 * clients that send a token: they get the page that everyone gets.
 */
export function viewerOf({ headers }: FastifyRequest, caller: Caller | undefined): Viewer | undefined {
  if (
    caller === undefined ||
    isLimited(caller) ||
    headers.cookie === undefined ||
    headers.authorization !== undefined
  ) {
    return undefined
  }
  return hasPages(caller) ? { caller } : undefined
}

/** Long enough for the redirect to the page that shows it. */
const SECONDS = 60
const SAID = /^([a-z-]{1,40})\.(\d{1,16})\.([a-z_]{1,60})$/

/** Lets the next page of a browser say what its form did. */
export function say({ eep: { cookies } }: FastifyRequest, reply: FastifyReply, { action, id, outcome }: Said): void {
  setCookie(reply, cookies.names.said, `${action}.${id}.${outcome}`, SECONDS, cookies)
}

/** Returns the URL of the picture of an account. */
export type PortraitOf = (account: Account) => Promise<string | null | undefined>

/** Returns the site for a page of the viewer, with its picture and the result of the last form, which is shown once. */
export async function siteOfViewer(request: FastifyRequest, reply: FastifyReply): Promise<Site> {
  const site = siteWithSaid(request, reply)
  const { viewer } = site
  if (!viewer) return site
  const { portraitOf } = request.eep
  // The page is sent without the picture when reading it fails.
  const portrait = await portraitOf?.(viewer.caller.account).catch((err: unknown) => {
    request.log.warn({ err }, 'the picture of the viewer could not be read')
    return undefined
  })
  return { ...site, viewer: { ...viewer, portrait } }
}

function siteWithSaid(request: FastifyRequest, reply: FastifyReply): Site {
  const { site, cookies } = request.eep
  const { viewer } = site
  const cookie = viewer && readCookies(request)[cookies.names.said]
  if (!cookie) return site
  clearCookie(reply, cookies.names.said, cookies)
  const [, action, id, outcome] = SAID.exec(cookie) ?? []
  if (action === undefined || outcome === undefined) return site
  return { ...site, viewer: { ...viewer, said: { action, id: Number(id), outcome } } }
}
