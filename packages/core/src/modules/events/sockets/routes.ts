import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { authenticateAgain, callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { SocketLimits, SocketRoute, SocketServer } from '../../../http/sockets/socket-server.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import {
  activeProfileHeader,
  type MyProfiles,
  notProfileOwner,
  profileNotFound,
} from '../../profiles/profiles/index.ts'
import { tooManyStreams } from '../signals/index.ts'
import { invalidHandshake, upgradeRequired } from './errors.ts'
import type { SocketName } from './frame-handlers.ts'
import { requireHandshake } from './handshake.ts'
import type { SocketService } from './service.ts'

interface Described {
  readonly socket: SocketName
  readonly path: string
  readonly upgrade: NonNullable<SocketRoute['config']['upgrade']>
  readonly operationId: string
  readonly summary: string
}

const SOCKETS: readonly Described[] = [
  {
    socket: 'pulse',
    path: '/eep/pulse',
    upgrade: { auth: 'key', scope: 'read:events' },
    operationId: 'openPulse',
    summary: 'Open a WebSocket for events and deals; see /docs/asyncapi.json',
  },
  {
    socket: 'messages',
    path: '/ws/messages',
    upgrade: { auth: 'bearer' },
    operationId: 'openMessages',
    summary: 'Open a WebSocket for messages, with a session; see /docs/asyncapi.json',
  },
]

const resumeQuery = z.object({
  last_event_id: z.string().min(1).max(128).optional().describe('The `event_id` of the last received frame'),
})

export interface SocketRouteServices {
  readonly sockets: SocketService
  readonly myProfiles: Pick<MyProfiles, 'acting'>
}

/** WebSocket routes. */
export function socketRoutes(
  app: EepRoutes,
  { sockets, myProfiles }: SocketRouteServices,
  { server, limits }: { readonly server: SocketServer; readonly limits: SocketLimits },
): void {
  const routes = SOCKETS.map(
    ({ socket, path, upgrade, ...described }): SocketRoute => ({
      path,
      config: {
        auth: 'none',
        upgrade,
        tag: 'events',
        // Clients that cannot set headers send credentials as a subprotocol.
        secrets: ['api_key', 'token'],
        ...described,
        errors: [upgradeRequired, invalidHandshake, unauthenticated, tooManyStreams, notProfileOwner, profileNotFound],
      },
      schema: {
        headers: activeProfileHeader,
        ...(socket === 'messages' ? { querystring: resumeQuery } : {}),
        response: { 101: z.undefined() },
      },
      async admit(request) {
        requireHandshake(request.headers)
        const caller = callerOf(request)
        const active = activeProfileOf(request)
        if (active !== undefined) await myProfiles.acting(active, caller)
        sockets.admit(caller)
      },
      plain: () => {
        throw upgradeRequired({ upgrade: { to: 'websocket' } })
      },
      accept(wire, request) {
        const { last_event_id: lastEventId } = request.query as z.output<typeof resumeQuery>
        sockets.open({
          lastEventId,
          socket,
          wire,
          caller: callerOf(request),
          agentDid: request.eep.agent?.did,
          activeProfileId: activeProfileOf(request),
          authenticate: (token) => authenticateAgain(request, token),
        })
      },
    }),
  )
  server.addRoutes(app, routes, limits)
}

/** The acting profile that the header of an upgrade names. */
function activeProfileOf({ headers }: FastifyRequest): number | undefined {
  const named = headers['x-active-profile-id']
  return named === undefined ? undefined : Number(named)
}
