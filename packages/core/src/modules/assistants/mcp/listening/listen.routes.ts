import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '../../../../http/pipeline/client-address.ts'
import { authenticateAgain } from '../../../../http/pipeline/request-context.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { McpChange, McpEra, McpObject, McpServing, McpToolkit } from '../../../../ports/mcp-toolkit.ts'
import { storageUnavailable } from '../../../../ports/storage/storage.ts'
import { mayTheSame, type SignalService } from '../../../events/signals/index.ts'
import { senderAs } from '../dispatch.ts'
import { INVALID_PARAMS } from '../protocol-error.ts'
import { isObject } from '../tools/schema.ts'
import type { ToolCall } from '../tools/tool.ts'
import { createAddressSlots } from './address-slots.ts'
import { isChangedBy, type WatchedResource, watchedResource } from './watched-resource.ts'

/** The method of a request that stays open and gets changes. */
export const LISTEN = 'subscriptions/listen'

/** The greatest number of resources of one request. */
const MAX_RESOURCES = 50

/** What a module that listens asks of the service. */
export interface ListeningDeps {
  readonly toolkit: McpToolkit
  readonly signals: Pick<SignalService, 'isRunning' | 'takeStream' | 'watchCredential' | 'subscribe' | 'anyone'>
  readonly publicUrl: string
  readonly maxBodyBytes: number
  /** Returns the id of a profile by its path, such as `u/ada`. */
  readonly profileIdOf: (path: string) => Promise<number | undefined>
  /** Returns the ids of the profiles that a caller owns and acts for. */
  readonly ownProfiles: (caller: Caller) => Promise<ReadonlySet<number>>
}

/** A request that listens. */
export interface ListenRequest {
  /** The message of the request. */
  readonly message: McpObject
  /** Creates the request of the transport with a body. */
  readonly outerOf: (message: McpObject, signal: AbortSignal) => Request
  /** Creates the server that describes itself to it. */
  readonly serve: (era: McpEra) => McpServing
}

/** A watched resource, with the id of its profile. */
interface Watched extends WatchedResource {
  readonly profileId: number
}

const urisOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? [...new Set(value.filter((each): each is string => typeof each === 'string'))] : []

/** Answers requests that listen for changes: of resources, of the own pages, and of what the credential may do. */
export function createListening(deps: ListeningDeps) {
  const { toolkit, signals, publicUrl, maxBodyBytes, profileIdOf, ownProfiles } = deps
  const slots = createAddressSlots()

  /** Reserves a stream for the account of a caller, or for an address. */
  function takeStream(caller: Caller | undefined, request: FastifyRequest): () => void {
    const address = clientOf(request)
    const leave = signals.takeStream(caller, address)
    if (caller) return leave
    try {
      const leaveAddress = slots.take(address)
      return () => {
        leave()
        leaveAddress()
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Whether a resource exists for a caller: what has to be paid for does. */
  async function isVisible({ path }: WatchedResource, send: ToolCall['send']): Promise<boolean> {
    const { status } = await send({ method: 'HEAD', path, headers: { accept: 'text/markdown, text/plain;q=0.9' } })
    return status < 300 || status === 402
  }

  async function visibleOf(uris: readonly string[], send: ToolCall['send']): Promise<readonly Watched[]> {
    const found: Watched[] = []
    for (const uri of uris) {
      const resource = watchedResource(uri, publicUrl)
      if (!resource) continue
      const profileId = await profileIdOf(resource.profile)
      if (profileId !== undefined && (await isVisible(resource, send))) found.push({ ...resource, profileId })
    }
    return found
  }

  /**
   * Answers a request with a stream, until the client closes it, its credential ends or the service stops.
   *
   * @throws `too_many_streams`, `storage_unavailable`
   */
  return async function listen(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: ListenRequest,
  ): Promise<FastifyReply> {
    const { message, outerOf, serve } = asked
    const params = isObject(message.params) ? message.params : {}
    const wanted = isObject(params.notifications) ? params.notifications : undefined
    const uris = urisOf(wanted?.resourceSubscriptions)
    if (uris.length > MAX_RESOURCES) {
      const error = { code: INVALID_PARAMS, message: `At most ${MAX_RESOURCES} resources can be watched` }
      return reply.send({ jsonrpc: '2.0', id: message.id ?? null, error })
    }
    if (!signals.isRunning()) throw storageUnavailable()

    let { caller } = request.eep.identified
    const closed = new AbortController()
    const { raw } = reply
    const endings: (() => void)[] = [takeStream(caller, request)]
    const end = () => {
      closed.abort()
      for (const ending of endings.splice(0)) ending()
    }
    raw.once('close', end)
    try {
      // Asked with the rights that the credential had when it was checked last.
      const send = senderAs(request, reply, closed.signal, () => caller)
      const watched = await visibleOf(uris, send)
      const own = caller && wanted?.resourcesListChanged === true ? await ownProfiles(caller) : new Set<number>()
      const listeners = new Set<(change: McpChange) => void>()
      const handler = await toolkit.createHandler({
        maxBodyBytes,
        onError: () => {},
        serve: (_request, era) => serve(era),
        changes(listener) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      })
      const seen =
        wanted && uris.length > 0 ? { ...wanted, resourceSubscriptions: watched.map(({ uri }) => uri) } : wanted
      const rewritten = seen ? { ...message, params: { ...params, notifications: seen } } : message
      const response = await handler.handle(outerOf(rewritten, closed.signal), rewritten)
      reply.code(response.status).header('cache-control', 'private, no-store')
      const type = response.headers.get('content-type') ?? 'application/json'
      reply.type(type)
      const { body } = response
      if (body === null || !type.startsWith('text/event-stream')) {
        end()
        return reply.send(body === null ? undefined : await response.text())
      }

      const finish = () => {
        // First: it sends the result of the request, after which no change follows.
        void handler.close()
        end()
      }
      const tell = (change: McpChange) => {
        for (const listener of listeners) listener(change)
      }
      const subscription = signals.subscribe({
        filter: { profileIds: new Set([...own, ...watched.map(({ profileId }) => profileId)]) },
        reader: signals.anyone,
        async onEvent({ type, profileId, envelope: { subject, data } }) {
          if (raw.writableNeedDrain) await once(raw, 'drain', { signal: closed.signal }).catch(() => undefined)
          const path = typeof data.path === 'string' ? data.path : subject
          for (const resource of watched) {
            if (closed.signal.aborted) return
            if (resource.profileId !== profileId || !isChangedBy(resource, { type, path })) continue
            if (await isVisible(resource, send)) tell({ kind: 'resource_updated', uri: resource.uri })
          }
          if (profileId === null || !own.has(profileId) || !caller || !LIST_CHANGES.has(type)) return
          if ((await ownProfiles(caller)).has(profileId)) tell({ kind: 'resources_list_changed' })
        },
        onEnd: finish,
      })
      endings.push(
        () => subscription.close(),
        () => void handler.close(),
      )
      if (caller) {
        const first = caller
        const credential = signals.watchCredential({
          caller: () => caller ?? first,
          authenticate: () => authenticateAgain(request),
          onConfirmed(confirmed) {
            const isChanged = caller !== undefined && !mayTheSame(confirmed, caller)
            caller = confirmed
            if (isChanged) tell({ kind: 'tools_list_changed' })
          },
          onEnded: finish,
        })
        endings.push(() => credential.stop())
      }
      // The time of a stream is that of its client.
      request.eep.isMeasured = true
      raw.shouldKeepAlive = false
      reply.header('x-accel-buffering', 'no')
      // The types of the library and of Node name the same class.
      return reply.send(Readable.fromWeb(body as ReadableStream))
    } catch (error) {
      end()
      throw error
    }
  }
}

export type Listening = ReturnType<typeof createListening>

/** The events after which the list of resources has others. */
const LIST_CHANGES = new Set(['content.published', 'content.deleted'])
