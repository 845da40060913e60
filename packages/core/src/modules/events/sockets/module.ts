import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { RATE_WINDOW_MS, rateLimited } from '../../../http/pipeline/rate-limit.ts'
import type { SocketServer } from '../../../http/sockets/socket-server.ts'
import { pick } from '../../../kernel/pick.ts'
import { type Caller, countsAsKey } from '../../../model/caller.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { commerce } from '../../trade/commerce/token.ts'
import { messages } from '../../trade/messages/token.ts'
import { signals } from '../signals/token.ts'
import type { SocketsApi } from './api.ts'
import { messagesChannel, pulseChannel } from './async-api.ts'
import { handleChatFrames } from './chat-frames.ts'
import { handleCommerceFrames } from './commerce-frames.ts'
import { deliverMoves } from './deliver-moves.ts'
import { createFrameHandlers } from './frame-handlers.ts'
import { framesCounted, openSockets, socketMetrics } from './metrics.ts'
import { socketsOptions } from './options.ts'
import { socketRoutes } from './routes.ts'
import { createSocketService } from './service.ts'

/** WebSocket connections: `/eep/pulse` and `/ws/messages`. */
export const sockets = feature('sockets', socketsOptions, (options, { server }: { readonly server: SocketServer }) =>
  defineModule({
    name: 'sockets',
    metrics: socketMetrics,
    requires: [profiles, signals],
    uses: [commerce, messages],
    eventDelivery: ['websocket'],
    create(
      { clock, settings, counters, limits, scaled, serviceDid, metrics, report },
      { profiles, signals, asyncApiChannels, negotiations, messages },
    ) {
      asyncApiChannels.add(pulseChannel({ hasDeals: negotiations !== undefined, hasMessages: messages !== undefined }))
      asyncApiChannels.add(messagesChannel({ hasMessages: messages !== undefined }))
      const socketFrames = createFrameHandlers()
      if (negotiations) {
        handleCommerceFrames(socketFrames, negotiations)
        socketFrames.onOpen('pulse', deliverMoves(signals))
      }
      if (messages) handleChatFrames(socketFrames, { messages, signals, onError: report })

      /** Frames that cause work share the rate limit of requests of the caller. */
      async function countWork(caller: Caller): Promise<void> {
        const { account } = caller
        const isKey = countsAsKey(caller)
        const limit = isKey ? scaled(settings.planLimits(account.tier).apiRequestsPerMinute) : (limits.default ?? 0)
        const key = `${isKey ? 'key' : 'default'}:${account.id}`
        const { count, resetAtMs } = await counters.count(key, RATE_WINDOW_MS, { limit, exact: false })
        if (count > limit) throw rateLimited({ details: { limit, reset_at: new Date(resetAtMs).toISOString() } })
      }

      const sockets = createSocketService({
        clock,
        settings: options,
        handlers: socketFrames,
        signals,
        serviceDid,
        didOfAccount: ({ username }) => profiles.didOf({ type: 'person', username }),
        countWork,
        onError: report,
      })
      metrics.observe(openSockets, () =>
        Object.entries(sockets.stats().connections).map(([socket, value]) => ({ labels: { socket }, value })),
      )
      metrics.observe(framesCounted, () => {
        const { framesReceived, framesSent, framesRefused } = sockets.stats()
        const counts = { received: framesReceived, sent: framesSent, refused: framesRefused }
        return Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value }))
      })
      return { socketFrames, sockets }
    },
    public: {
      sockets: ({ sockets }): SocketsApi => pick(sockets, 'stats', 'presence'),
    },
    routes: (app, services) => socketRoutes(app, services, { server, limits: options }),
    workers: ({ sockets }) => [sockets],
    drain: ({ sockets }) => sockets.drain(),
  }),
)
