import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { GuardedFetch } from '../../../runtime/outbound/index.ts'
import { type DidDocument, didDocumentSchema, methodsOf, type Relationship } from './did-document.ts'
import { didKeyDocument } from './did-key.ts'
import { didWebUrl } from './did-web.ts'
import { keyOfMultibase } from './multikey.ts'

export interface DidResolverDeps {
  readonly fetch: GuardedFetch
  readonly clock: Clock
  /** The document of a DID of this service itself; undefined for any other. */
  readonly own: (did: string) => Promise<DidDocument | undefined>
  /** A `host` or `host:port` that is requested over plain http. For development only. */
  readonly allowPrivateHosts?: readonly string[] | undefined
}

const KEPT_MS = 300_000
const MISSES_KEPT_MS = 30_000
const MAX_KEPT = 1_000
/** The limit for all cached documents together, as received, because their owners choose their size. */
const MAX_KEPT_BYTES = 4_194_304
const MAX_BYTES = 65_536

interface Kept {
  readonly document: Promise<DidDocument | undefined>
  until: number
}

/**
 * Resolves `did:key` and `did:web`. A document is cached for five minutes, a failure for half a minute. A DID that cannot be
 * resolved is undefined, so callers find no key and reject the signature.
 */
export function createDidResolver({ fetch, clock, own, allowPrivateHosts = [] }: DidResolverDeps) {
  const kept = new Map<string, Kept>()
  let keptBytes = 0
  const forget = () => {
    kept.clear()
    keptBytes = 0
  }

  async function ask(url: URL, did: string): Promise<DidDocument | undefined> {
    if (allowPrivateHosts.includes(url.host) || allowPrivateHosts.includes(url.hostname)) url.protocol = 'http:'
    try {
      const answer = await fetch(url, {
        headers: { accept: 'application/did+json, application/json' },
        maxBytes: MAX_BYTES,
      })
      if (answer.status !== 200) return undefined
      keptBytes += answer.body.length
      if (keptBytes > MAX_KEPT_BYTES) forget()
      const document = didDocumentSchema.safeParse(JSON.parse(answer.body.toString('utf8')))
      // A document with another id would let one host speak for another.
      return document.success && document.data.id === did ? document.data : undefined
    } catch {
      return undefined
    }
  }

  /** Returns the document of a DID. Undefined when it cannot be resolved. */
  async function resolve(did: string): Promise<DidDocument | undefined> {
    if (did.startsWith('did:key:')) return didKeyDocument(did)
    const url = didWebUrl(did)
    if (!url) return undefined
    const ours = await own(did)
    if (ours) return ours
    const now = clock().getTime()
    const cached = kept.get(did)
    if (cached && cached.until > now) return cached.document
    const entry: Kept = { document: ask(url, did), until: now + KEPT_MS }
    if (kept.size >= MAX_KEPT) forget()
    kept.set(did, entry)
    if (!(await entry.document)) entry.until = now + MISSES_KEPT_MS
    return entry.document
  }

  /** Returns the public keys of a DID in a relationship. Empty when it cannot be resolved. */
  async function keysOf(did: string, relationship: Relationship): Promise<readonly KeyObject[]> {
    const document = await resolve(did)
    if (!document) return []
    return methodsOf(document, relationship).flatMap(({ publicKeyJwk, publicKeyMultibase }) => {
      if (publicKeyMultibase !== undefined) return keyOfMultibase(publicKeyMultibase) ?? []
      if (!publicKeyJwk) return []
      try {
        return createPublicKey({ key: publicKeyJwk, format: 'jwk' })
      } catch {
        return []
      }
    })
  }

  return { resolve, keysOf }
}

/** Resolves the keys of DIDs. */
export type DidResolver = ReturnType<typeof createDidResolver>
