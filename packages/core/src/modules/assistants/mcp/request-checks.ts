import type { FastifyRequest } from 'fastify'
import type { McpObject } from '../../../ports/mcp-toolkit.ts'
import { isObject } from './tools/schema.ts'

const MAX_DEPTH = 32
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])
/** The one member of `_meta` that a client puts beside the parameters. */
const CREDENTIAL = 'org.paymentauth/credential'

/** Whether a value is nested more deeply than messages are. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth >= MAX_DEPTH) return true
  return Object.values(value).some((each) => isTooDeep(each, depth + 1))
}

/**
 * Whether a page of another site may have sent a request to a service on the computer of its visitor, by a name that it resolved to a
 * local address (DNS rebinding).
 */
export function isRebound({ headers }: FastifyRequest, publicUrl: string): boolean {
  if (!LOOPBACK.test(new URL(publicUrl).host)) return false
  const { host = '', origin } = headers
  if (!LOOPBACK.test(host)) return true
  return origin !== undefined && !(URL.canParse(origin) && LOOPBACK.test(new URL(origin).host))
}

/** Returns a message with its payment where it belongs; undefined for what is not one message of JSON-RPC. */
export function readMessage(body: unknown): McpObject | undefined {
  if (!isObject(body)) return undefined
  const { _meta: meta, ...message } = body
  if (!Object.keys(message).every((name) => MEMBERS.has(name))) return undefined
  if (meta === undefined) return message
  if (!isObject(meta) || Object.keys(meta).join() !== CREDENTIAL) return undefined
  const params = isObject(message.params) ? message.params : {}
  const own = isObject(params._meta) ? params._meta : {}
  return { ...message, params: { ...params, _meta: { ...own, ...meta } } }
}
