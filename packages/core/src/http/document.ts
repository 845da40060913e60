import { encode } from '@toon-format/toon'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../kernel/digest.ts'
import type { JsonObject } from '../kernel/json.ts'
import { type Link, linkHeader } from './links.ts'
import { chooseFormat, type Format, MEDIA_TYPES } from './negotiation.ts'

/** Something public that is read as Markdown, JSON or TOON. What is made of it is kept as long as the object lives. */
export interface PublicDocument {
  /** The tree that JSON and TOON carry. */
  readonly data: JsonObject
  /** The same for reading, made when first asked for. */
  readonly markdown: () => string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly links?: readonly Link[] | undefined
  /** `public, max-age=60`, or `private` for what not everybody may read. */
  readonly cacheControl: string
}

/** The bytes of one representation and the headers that always go with them. */
interface Representation {
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** What a 304 repeats: not the headers that describe the bytes. */
  readonly validators: Readonly<Record<string, string>>
}

const WRITERS: Readonly<Record<Format, (document: PublicDocument) => string>> = {
  json: ({ data }) => JSON.stringify(data),
  toon: ({ data }) => encode(data),
  markdown: ({ markdown }) => markdown(),
}

const representations = new WeakMap<PublicDocument, Map<string, Representation>>()

function represent(document: PublicDocument, format: Format, basePath: string): Representation {
  const ofDocument = representations.get(document) ?? new Map<string, Representation>()
  representations.set(document, ofDocument)
  const key = `${format} ${basePath}`
  const known = ofDocument.get(key)
  if (known) return known

  const body = Buffer.from(WRITERS[format](document))
  const etag = etagOf(body)
  const validators = {
    ...document.headers,
    ...(document.links ? { link: linkHeader(document.links, basePath) } : {}),
    'cache-control': document.cacheControl,
    vary: 'Accept',
    etag,
  }
  const made = { body, etag, validators, headers: { ...validators, 'content-type': MEDIA_TYPES[format] } }
  ofDocument.set(key, made)
  return made
}

/** The strong validator of these bytes. */
export const etagOf = (bytes: Uint8Array): string => `"${sha256(bytes, 'base64url').slice(0, 22)}"`

/** Whether one of the listed validators is this one; the comparison is weak (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

export interface SendOptions {
  /** False for content that was just paid for: it is sent whole. */
  readonly conditional?: boolean | undefined
  /** Not everybody may read it: no shared cache keeps it, and it varies with the payer. */
  readonly restricted?: boolean | undefined
}

const RESTRICTED = {
  'cache-control': 'private, no-cache',
  vary: 'Accept, Authorization, Cookie, X-API-Key, X-EEP-Payer-Wallet',
}

/** Answers with a document in the format the client prefers, or 304 when the client has it. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
  { conditional = true, restricted = false }: SendOptions = {},
): FastifyReply {
  const query = request.query as { readonly format?: unknown }
  const format = chooseFormat(request.headers.accept, query.format)
  const { body, etag, headers, validators } = represent(document, format, request.eep.basePath)
  const known = request.headers['if-none-match']
  if (conditional && known !== undefined && matchesEtag(known, etag)) {
    return reply
      .code(304)
      .headers(validators)
      .headers(restricted ? RESTRICTED : {})
      .send()
  }
  return reply
    .headers(headers)
    .headers(restricted ? RESTRICTED : {})
    .send(body)
}
