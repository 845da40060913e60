import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookieAttributes, clearCookie, readCookies, setCookie } from '../../../../http/cookies.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import { sealText, unsealText } from '../../../../kernel/sealed-text.ts'

const PURPOSE = 'oauth-server-pending'
const PREFIX = 'eep_authorize_'
const VALID_SECONDS = 900
/** Node and proxies limit the headers of a request. */
const MAX_COOKIES = 2
const MAX_BYTES = 6_144
const MAX_QUERY = 2_600
/** The time in base 36, so that names sort by age, and 64 random bits. */
const ID = /^[0-9a-z]{9}-[\w-]{11}$/

export interface PendingDeps {
  readonly keyring: Keyring
  readonly clock: Clock
  readonly isSecure: boolean
  /** The path of the authorization request, below the prefix of the listener. */
  readonly path: string
}

/**
 * Keeps authorization requests in sealed cookies of the browser while the person signs in: at most two and 6 KiB, for 15 minutes. An older
 * one makes room for a new one.
 */
export function createPendingRequests({ keyring, clock, isSecure, path }: PendingDeps) {
  const folder = path.slice(0, path.lastIndexOf('/'))
  const attributesOn = ({ eep }: FastifyRequest): CookieAttributes => ({
    secure: isSecure,
    path: `${eep.basePath}${folder}` || '/',
  })
  const kept = (request: FastifyRequest) =>
    Object.entries(readCookies(request))
      .filter(([name, value]) => name.startsWith(PREFIX) && value !== '')
      .toSorted(([one], [other]) => (one < other ? 1 : -1))
  return {
    /** Returns the id under which a query is kept; undefined for one that is too long. */
    async keep(request: FastifyRequest, reply: FastifyReply, query: string): Promise<string | undefined> {
      if (query.length > MAX_QUERY) return undefined
      const now = clock().getTime()
      const id = `${now.toString(36).padStart(9, '0')}-${randomBytes(8).toString('base64url')}`
      const text = JSON.stringify([now + VALID_SECONDS * 1_000, query])
      const sealed = await sealText({ purpose: PURPOSE, of: id, text }, keyring)
      let bytes = sealed.length
      for (const [at, [name, value = '']] of kept(request).entries()) {
        bytes += value.length
        if (at + 1 >= MAX_COOKIES || bytes > MAX_BYTES) clearCookie(reply, name, attributesOn(request))
      }
      setCookie(reply, `${PREFIX}${id}`, sealed, VALID_SECONDS, attributesOn(request))
      return id
    },
    /** Returns a query by its id; undefined when this browser does not keep it any more. */
    async find(request: FastifyRequest, id: string): Promise<string | undefined> {
      const sealed = ID.test(id) ? readCookies(request)[`${PREFIX}${id}`] : undefined
      const text = sealed && (await unsealText({ purpose: PURPOSE, of: id, sealed }, keyring))
      if (text === undefined || text === '') return undefined
      const [until, query]: readonly [number, string] = JSON.parse(text)
      return until > clock().getTime() ? query : undefined
    },
  }
}

export type PendingRequests = ReturnType<typeof createPendingRequests>
